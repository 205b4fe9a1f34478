// The picture of a chart in the console: it has each state in which a process can be, and shows where one is. How it is laid out
// is tested in test/engine/drawing.test.ts.
import { describe, expect, test } from 'vitest';
import { chartSvg } from '../../../console/process/chart-drawing.ts';
import { flowTypes } from '../../../contract/flows/flow-types.ts';
import { chartView } from '../../../engine/chart/chart-view.ts';
import { chartOf, shippedFlow } from '../../../processes/views/flow-registry.ts';
import { atSizes, eachSampled } from '../../support/suite.ts';
import { definitionOf, shownChart } from '../../workflows/playing.ts';
import { recordings } from '../../workflows/recording/recordings.ts';

atSizes({ short: 4, long: 1 }, (oneOf) =>
  test('every state in which a recorded process ever was is in the picture of its flow', async () => {
    const recorded = await recordings();
    expect(recorded.length).toBeGreaterThan(50);
    const flows: readonly string[] = flowTypes.filter((_, index) => index % oneOf === 0);
    const newest = recorded.filter(({ name }) => flows.includes(flowOf(name)));
    const drawnOf = new Map<string, string>();
    for (const flow of new Set(newest.map(({ name }) => flowOf(name))))
      drawnOf.set(flow, await chartSvg(shownChart(definitionOf(flow))));
    for (const { name, recording } of newest) {
      const drawn = drawnOf.get(flowOf(name));
      for (const { active } of recording.trace)
        for (const path of active.filter((each) => each !== ''))
          expect(drawn, `${name}: ${path}`).toContain(`data-path="${path}"`);
    }
  }),
);

test('where a process is, and what it may take next, is marked, and not by colour alone', async () => {
  const view = chartView(definitionOf('Issue').machine);
  const [first] = view.transitions.filter(({ from, to }) => from !== '' && to.length > 0);
  const { from = '', to: [target = ''] = [] } = first ?? {};
  const active = ['', ...from.split('.').map((_, index, all) => all.slice(0, index + 1).join('.'))];
  const pictured = (sign: 'now' | 'ended' | 'failed') =>
    chartSvg(view, { active, next: new Set([`${from}>${target}`]), sign });
  const now = await pictured('now');
  expect(now).toMatch(new RegExp(`class="state[^"]* active" data-path="${from}"`));
  expect(now.split('●')).toHaveLength(2);
  expect(now.split('class="arrow next"')).toHaveLength(2);
  expect(await pictured('ended')).toContain('■');
  expect(await pictured('failed')).toMatch(/active failed"/);
  expect(await chartSvg(view)).not.toMatch(/ (?:active|next)"/);
});

eachSampled(
  describe,
  flowTypes,
  4,
)('%s', (flow) => {
  test('looks the same as in its processes', async () => {
    const picture = await chartSvg(chartOf(shippedFlow(flow)));
    expect(picture).toBe(await chartSvg(shownChart(definitionOf(flow))));
    expect(picture.split('data-path=').length).toBeGreaterThan(4);
  });
});

const flowOf = (name: string): string => name.split('@')[0] ?? '';
