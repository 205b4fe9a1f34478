// The chart of a flow in the console is the chart that its processes run.
import { describe, expect, test } from 'vitest';
import { builtInView } from '../../../console/flows/flow-charts.ts';
import { drawingOfChart } from '../../../console/process/chart-drawing.ts';
import { flowTypes } from '../../../contract/flows/flow-types.ts';
import { chartView } from '../../../driver/chart/chart-view.ts';
import { chartOf } from '../../../processes/views/flow-pages.ts';
import { spreadOf } from '../../support/suite.ts';
import { definitionOf } from '../../workflows/playing.ts';

describe.each(spreadOf(flowTypes, 4))('%s', (flow) => {
  test('looks the same as in its processes', async () => {
    const ofFlow = await drawingOfChart(builtInView(await chartOf(flow, 'json')));
    const ofProcess = await drawingOfChart(chartView(definitionOf(flow).machine));
    const { id: _, ...picture } = ofFlow;
    const { id: __, ...same } = ofProcess;
    expect(picture).toEqual(same);
    expect(picture.states.length).toBeGreaterThan(3);
  });
});
