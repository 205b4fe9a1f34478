// The chart that people see is the chart that runs: loaded from JSON it takes the same steps as the original (in `npm test` on a
// third of the generated paths), and its drawing has exactly the transitions of the running machine.

import { beforeAll, describe, expect, test } from 'vitest';
import { chartStateCodes } from '../../contract/machines/chart.ts';
import { judge } from '../../contract/machines/observed.ts';
import { drawingOfFlow, outline } from '../../docs/flow-charts.ts';
import type { Definition } from '../../engine/definition.ts';
import { rolesOf } from '../../flows/built-in/declaration.ts';
import { declarations } from '../../flows/built-in/flows.ts';
import { onboardingVocabulary } from '../../workflows/accounts/vocabulary.ts';
import { type ChartData, loadedChart } from '../../workflows/chart-data.ts';
import { charts } from '../../workflows/charts.ts';
import { legRegion } from '../../workflows/shipments/leg.ts';
import { shipmentVocabulary } from '../../workflows/shipments/vocabulary.ts';
import { spreadOf } from '../support/suite.ts';
import { type Recorded, recorded, type Variant, variantsOf } from './callback-variants.ts';
import { definitionOf, Playing } from './playing.ts';
import { runningArrows, textOf } from './running-arrows.ts';
import { type Story, stories } from './stories.ts';

const drawnArrows = (chart: ChartData) =>
  drawingOfFlow(chart).arrows.map(({ from, to, words }) => ({
    from: from.join('_'),
    to: to?.join('_') ?? null,
    words,
  }));

const names = Object.keys(charts);
const chartOf = (flow: string) => charts[flow] as ChartData;

/** The definition of a flow whose chart is loaded from JSON. */
function fromJson(flow: string): Definition {
  const declaration = declarations.find(({ name }) => name === flow);
  const vocabulary = declaration ? shipmentVocabulary(declaration) : onboardingVocabulary;
  return {
    ...definitionOf(flow),
    machine: loadedChart(JSON.parse(JSON.stringify(chartOf(flow))), vocabulary),
  };
}

describe.each(names)('the chart of %s', (flow) => {
  test('is drawn with the transitions of the machine that runs, no more and no fewer', () => {
    const drawn = drawnArrows(chartOf(flow)).map(textOf);
    expect(drawn.sort()).toEqual(runningArrows(definitionOf(flow).machine).map(textOf).sort());
  });

  test('has an outline that shows no transition which it does not have', () => {
    const drawn = new Set(drawnArrows(chartOf(flow)).map(textOf));
    for (const arrow of drawnArrows(outline(chartOf(flow)))) expect(drawn).toContain(textOf(arrow));
  });
});

test('a function that the vocabulary does not have is refused with its name', () => {
  const { functions, ...others } = onboardingVocabulary;
  const chart = { ...chartOf('OnboardAccount'), output: { function: 'sum' } };
  expect(() => loadedChart(chart, { ...others, functions })).toThrow(
    /function sum, expected one of .*ending/,
  );
});

/** Plays a variant up to its last report. */
async function played(story: Story, { request, booked }: Recorded, variant: Variant, definition: Definition) {
  const playing = new Playing(story.flow, { request }, { book: async () => booked }, definition);
  for (const report of variant.reports.slice(0, variant.early)) playing.receive(report);
  await playing.answer();
  for (const report of variant.reports.slice(variant.early)) playing.receive(report);
  await playing.answer();
  return playing;
}

const walked = ({ steps, ending, emitted }: Playing) => ({
  steps: steps.map(({ event, after }) => [event.type, after.value, after.status]),
  ending,
  emitted,
});

describe.each([{ isBare: false }, { isBare: true }])('with a peer that is bare: $isBare', ({ isBare }) => {
  describe.each(stories)('$flow', (story) => {
    let record: Recorded;

    beforeAll(async () => {
      record = await recorded(story, isBare);
    });

    test('its chart, loaded from JSON, walks every generated path as the original does', async () => {
      for (const variant of spreadOf(variantsOf(record), 3)) {
        const original = await played(story, record, variant, definitionOf(story.flow));
        const loaded = await played(story, record, variant, fromJson(story.flow));
        expect(walked(loaded), `${variant.kind} ${variant.index}`).toEqual(walked(original));
      }
    });
  });
});

describe('a leg', () => {
  test.each(declarations)(
    'of $name goes on by a report exactly where the rules of shipments say so',
    (flow) => {
      for (const role of rolesOf(flow)) {
        const { states = {} } = legRegion(flow, role);
        for (const from of chartStateCodes.filter((state) => states[state]?.type !== 'final'))
          for (const to of chartStateCodes) {
            const verdict = judge({ stateCode: from }, { stateCode: to });
            const advances = verdict === 'next' || verdict === 'skippedAhead';
            expect(states[from]?.on?.[`${role}.${to}`], `${from} ${to}`).toBe(advances ? to : undefined);
          }
      }
    },
  );
});
