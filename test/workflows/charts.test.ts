// The chart of a flow is data, and its outline shows only what it has. test/engine/chart-view.test.ts holds that it is the one
// that runs.
import { describe, expect, test } from 'vitest';
import { chartStateCodes } from '../../contract/machines/chart.ts';
import { judge } from '../../contract/machines/observed.ts';
import { drawingOfFlow, outline } from '../../docs/flow-charts.ts';
import { rolesOf } from '../../flows/built-in/declaration.ts';
import { declarations } from '../../flows/built-in/flows.ts';
import { onboardingVocabulary } from '../../workflows/accounts/vocabulary.ts';
import { type ChartData, loadedChart } from '../../workflows/chart-data.ts';
import { charts } from '../../workflows/charts.ts';
import { legRegion } from '../../workflows/shipments/leg.ts';

const arrowsOf = (chart: ChartData) => drawingOfFlow(chart).arrows;

const names = Object.keys(charts);
const chartOf = (flow: string) => charts[flow] as ChartData;

describe.each(names)('the chart of %s', (flow) => {
  test('is data: what is loaded from its JSON is what runs', () => {
    expect(JSON.parse(JSON.stringify(chartOf(flow)))).toStrictEqual(chartOf(flow));
  });

  test('has an outline that shows no transition which it does not have', () => {
    const drawn = arrowsOf(chartOf(flow));
    for (const arrow of arrowsOf(outline(chartOf(flow)))) expect(drawn).toContainEqual(arrow);
  });
});

test('a function that the vocabulary does not have is refused with its name', () => {
  const { functions, ...others } = onboardingVocabulary;
  const chart = { ...chartOf('OnboardAccount'), output: { function: 'sum' } };
  expect(() => loadedChart(chart, { ...others, functions })).toThrow(
    /function sum, expected one of .*ending/,
  );
});

describe('a leg', () => {
  test.each(declarations)(
    'of $name goes on by a report exactly where the rules of shipments say so',
    (flow) => {
      for (const role of rolesOf(flow)) {
        const { states = {} } = legRegion(flow, role);
        for (const from of chartStateCodes.filter((state) => states[state]?.type !== 'final'))
          for (const to of chartStateCodes) {
            const judgement = judge({ stateCode: from }, { stateCode: to });
            const advances = judgement === 'next' || judgement === 'skippedAhead';
            expect(states[from]?.on?.[`${role}.${to}`], `${from} ${to}`).toBe(advances ? to : undefined);
          }
      }
    },
  );
});
