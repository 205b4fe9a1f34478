// The chart that people see is the chart that runs: it is data, and its drawing has exactly the transitions of the running machine.
import { describe, expect, test } from 'vitest';
import type { AnyStateMachine, AnyStateNode, AnyTransitionDefinition } from 'xstate';
import { chartStateCodes } from '../../contract/machines/chart.ts';
import { judge } from '../../contract/machines/observed.ts';
import { drawingOfFlow, outline } from '../../docs/flow-charts.ts';
import { rolesOf } from '../../flows/built-in/declaration.ts';
import { declarations } from '../../flows/built-in/flows.ts';
import { onboardingVocabulary } from '../../workflows/accounts/vocabulary.ts';
import { type ChartData, loadedChart } from '../../workflows/chart-data.ts';
import { charts } from '../../workflows/charts.ts';
import { legRegion } from '../../workflows/shipments/leg.ts';
import { definitionOf } from './playing.ts';

interface Arrow {
  /** The keys that lead from the root to the state, joined by `_`; empty for the root. */
  readonly from: string;
  /** Null if the state stays as it is. */
  readonly to: string | null;
  readonly words: string;
}

const textOf = ({ from, to, words }: Arrow) => `${from} --> ${to ?? '(stays)'}: ${words}`.trim();

function runningArrows({ root }: AnyStateMachine): Arrow[] {
  return nodesOf(root).flatMap((node) =>
    [...node.transitions.values(), node.always ?? []]
      .flat()
      .flatMap((transition) => arrowsOf(node, transition)),
  );
}

const nodesOf = (node: AnyStateNode): AnyStateNode[] => [
  node,
  ...Object.values(node.states).flatMap(nodesOf),
];

function arrowsOf(node: AnyStateNode, transition: AnyTransitionDefinition): Arrow[] {
  const { eventType, guard, actions, target, reenter } = transition;
  const done = actions.length > 0 ? ` / ${actions.map(nameOf).join(', ')}` : '';
  const words = `${happening(node, eventType)}${guard ? ` [${nameOf(guard)}]` : ''}${done}${reenter ? ' (anew)' : ''}`;
  const from = node.path.join('_');
  const targets = target?.map(({ path }) => path.join('_')) ?? [null];
  return targets.map((to) => ({ from, to, words: words.trim() }));
}

function happening(node: AnyStateNode, eventType: string): string {
  const [, kind, id = ''] =
    /^xstate\.(done\.state|done\.actor|error\.actor|after)\.(.*)$/.exec(eventType) ?? [];
  const src = node.invoke.find((invoke) => invoke.id === id)?.src;
  if (kind === 'done.state') return 'done';
  if (kind === 'done.actor') return `${src} done`;
  if (kind === 'error.actor') return `${src} failed`;
  return kind === 'after' ? `after ${id.replace(`.${node.id}`, '')}` : eventType;
}

function nameOf(named: unknown): string {
  if (typeof named === 'string') return named;
  const { type, params } = named as { readonly type: string; readonly params: object };
  return `${type}(${Object.values(params).join(', ')})`;
}

const drawnArrows = (chart: ChartData) =>
  drawingOfFlow(chart).arrows.map(({ from, to, words }) => ({
    from: from.join('_'),
    to: to?.join('_') ?? null,
    words,
  }));

const names = Object.keys(charts);
const chartOf = (flow: string) => charts[flow] as ChartData;

describe.each(names)('the chart of %s', (flow) => {
  test('is data: what is loaded from its JSON is what runs', () => {
    expect(JSON.parse(JSON.stringify(chartOf(flow)))).toStrictEqual(chartOf(flow));
  });

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
