// The chart that people see is the chart that runs: loaded from JSON it takes the same steps as the original, and its drawing
// has exactly the transitions of the running machine. In `npm test` on a third of the generated paths.

import { beforeAll, describe, expect, test } from 'vitest';
import {
  type AnyStateMachine,
  type AnyStateNode,
  createMachine,
  getMicrosteps,
  type StateValue,
} from 'xstate';
import { drawingOfFlow, outline } from '../../docs/flow-charts.ts';
import { mermaid as mermaidOf } from '../../driver/chart/mermaid.ts';
import type { Definition } from '../../driver/definition.ts';
import { rolesOf } from '../../flows/declaration.ts';
import { declarations } from '../../flows/flows.ts';
import { chartStateCodes } from '../../machines/chart.ts';
import { judge } from '../../machines/observed.ts';
import { onboardingVocabulary } from '../../workflows/accounts/vocabulary.ts';
import { type ChartData, loadedChart } from '../../workflows/chart-data.ts';
import { charts } from '../../workflows/charts.ts';
import { legRegion } from '../../workflows/shipments/leg.ts';
import { shipmentVocabulary } from '../../workflows/shipments/vocabulary.ts';
import { spreadOf } from '../support/suite.ts';
import { type Recorded, recorded, type Variant, variantsOf } from './callback-variants.ts';
import { drawnArrows, runningArrows, textOf } from './drawn-arrows.ts';
import { definitionOf, type PlayedStep, Playing } from './playing.ts';
import { type Story, stories } from './stories.ts';

const mermaid = (chart: ChartData) => mermaidOf(drawingOfFlow(chart));

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

const idsOf = ({ id, states }: AnyStateNode): string[] => [id, ...Object.values(states).flatMap(idsOf)];

describe.each(names)('the chart of %s', (flow) => {
  test('is data: as JSON it is the same', () => {
    expect(JSON.parse(JSON.stringify(chartOf(flow)))).toEqual(chartOf(flow));
  });

  test('loads unchanged with createMachine of xstate, with every state and event of the flow that runs', () => {
    const bare = createMachine(JSON.parse(JSON.stringify(chartOf(flow))));
    const { machine } = definitionOf(flow);
    expect(new Set(bare.events)).toEqual(new Set(machine.events));
    expect(idsOf(bare.root)).toEqual(idsOf(machine.root));
  });

  test('is drawn with the transitions of the machine that runs, no more and no fewer', () => {
    const drawn = drawnArrows(mermaid(chartOf(flow))).map(textOf);
    expect(drawn.sort()).toEqual(runningArrows(definitionOf(flow).machine).map(textOf).sort());
  });

  test('has an outline that shows no transition which it does not have', () => {
    const drawn = new Set(drawnArrows(mermaid(chartOf(flow))).map(textOf));
    for (const arrow of drawnArrows(mermaid(outline(chartOf(flow))))) expect(drawn).toContain(textOf(arrow));
  });
});

describe('a transition that only one of them has is found out', () => {
  const { following, ...states } = chartOf('Issue').states ?? {};
  const more: ChartData = {
    ...chartOf('Issue'),
    states: { ...states, following: { ...following, on: { ...following?.on, seen: { target: 'undoing' } } } },
  };
  const drawnOf = (chart: ChartData) => drawnArrows(mermaid(chart)).map(textOf).sort();
  const runningOf = (machine: AnyStateMachine) => runningArrows(machine).map(textOf).sort();

  test('when it is drawn and does not run', () => {
    expect(drawnOf(more)).not.toEqual(runningOf(definitionOf('Issue').machine));
  });

  test('when it runs and is not drawn', () => {
    const [issue] = declarations.filter(({ name }) => name === 'Issue');
    const machine = loadedChart(more, shipmentVocabulary(issue as (typeof declarations)[number]));
    expect(runningOf(machine)).not.toEqual(drawnOf(chartOf('Issue')));
    expect(runningOf(machine)).toEqual(drawnOf(more));
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

/** The paths of the innermost states that are active. */
function leavesOf(value: StateValue, path: readonly string[] = []): string[] {
  if (typeof value === 'string') return [[...path, value].join('_')];
  return Object.entries(value).flatMap(([key, inner]) => leavesOf(inner ?? {}, [...path, key]));
}

/** For every small step that xstate takes within a played step: the innermost states before and after it. */
function leaves(machine: AnyStateMachine, { before, event }: PlayedStep): [string[], string[]][] {
  const values = [before, ...getMicrosteps(machine, before, event).map(([snapshot]) => snapshot)];
  return values.slice(1).map((after, index) => [leavesOf(values[index]?.value ?? {}), leavesOf(after.value)]);
}

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

    test('the drawing has an arrow for every step of every walk', async () => {
      const arrows = drawnArrows(mermaid(chartOf(story.flow)));
      const definition = definitionOf(story.flow);
      const begins = (to: string, leaf: string) => leaf === to || leaf.startsWith(`${to}_`);
      let count = 0;
      for (const variant of spreadOf(variantsOf(record), 3, 1)) {
        const { steps } = await played(story, record, variant, definition);
        for (const [before, after] of steps.flatMap((step) => leaves(definition.machine, step))) {
          const left = before.filter((leaf) => !after.includes(leaf));
          for (const leaf of after.filter((each) => !before.includes(each))) {
            count++;
            const isDrawn = arrows.some(
              ({ from, to }) =>
                to !== null && begins(to, leaf) && left.some((old) => from === '' || begins(from, old)),
            );
            expect(isDrawn, `${left.join(', ')} to ${leaf}`).toBe(true);
          }
        }
      }
      expect(count).toBeGreaterThan(0);
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
