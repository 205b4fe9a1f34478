// The chart of a flow in the console is the chart that its processes run.
import { describe, expect, test } from 'vitest';
import { pictureOf } from '../../../console/process/chart-drawing.ts';
import { flowTypes } from '../../../contract/flows/flow-types.ts';
import { chartView } from '../../../engine/chart/chart-view.ts';
import { builtInChart, viewOfChart } from '../../../processes/views/built-in-charts.ts';
import { spreadOf } from '../../support/suite.ts';
import { definitionOf } from '../../workflows/playing.ts';

describe.each(spreadOf(flowTypes, 4))('%s', (flow) => {
  test('looks the same as in its processes', async () => {
    const picture = await pictureOf(viewOfChart(builtInChart(flow)));
    expect(picture).toBe(await pictureOf(chartView(definitionOf(flow).machine)));
    expect(picture.split('data-path=').length).toBeGreaterThan(4);
  });
});
