// The charts of two versions of a flow file in one: what the new one has added, removed, changed and moved is marked.
import type { AnyTransitionDefinition } from 'xstate';
import { type ChartViewTransition, chartView, transitionView } from '../../../engine/chart/chart-view.ts';
import {
  type Arrow,
  arrowsOf,
  type Drawing,
  type DrawnState,
  drawingOf,
  type Mark,
} from '../../../engine/chart/drawing.ts';
import { svg } from '../../../engine/chart/svg.ts';
import type { Part } from './change.ts';
import type { Side, StateAt } from './compared.ts';
import type { Comparison } from './flow-diff.ts';
import { formatTrigger, type TransitionOf } from './transition-changes.ts';

export const svgOfDiff = (comparison: Comparison): Promise<string> => svg(bothCharts(comparison));

export function bothCharts(comparison: Comparison): Drawing {
  const ghosts = ghostsOf(comparison);
  const { root, arrows } = drawingOf(chartView(comparison.compared.now.machine));
  const marks = marksOf(comparison);
  const unmarked = arrows.filter(({ from }) => marks.get(from.join('.')) === 'added');
  return {
    root: withGhosts(root, comparison, marks, ghosts),
    arrows: [
      ...unmarked.map((arrow): Arrow => ({ ...arrow, mark: 'added' })),
      ...comparison.transitions.flatMap((pair) => pairArrows(comparison, pair, ghosts)),
      ...removedArrows(comparison, ghosts),
      ...moveArrows(comparison, ghosts),
    ],
  };
}

/** The marks of the new file's states, by their paths. */
function marksOf({ changes, transitions }: Comparison): Map<string, Mark> {
  const ofStates = changes.flatMap(({ part, how, state }): [string, Mark][] => {
    if (part === 'state' && how !== 'renamed' && how !== 'moved')
      return how === 'added' ? [[state, 'added']] : [];
    return drawnAsArrow.includes(part) ? [] : [[state, 'changed']];
  });
  // What does not leave its state has no arrow.
  const staying = transitions.flatMap(({ now, isChanged }): [string, Mark][] => {
    if (!isChanged || !now) return [];
    const { path } = now.state;
    return viewOf(now).to.some((to) => to !== path) ? [] : [[path, 'changed']];
  });
  return new Map([...ofStates, ...staying].filter(([path]) => path !== ''));
}

const drawnAsArrow: readonly Part[] = [
  ...(['event', 'delay', 'always', 'done', 'answer', 'transition'] as const),
  ...(['order', 'guard', 'target', 'reenter', 'actions'] as const),
];

/** Where old states that are not in the new chart, or elsewhere, are drawn: by their old paths. */
type Ghosts = ReadonlyMap<string, readonly string[]>;

function ghostsOf({ compared: { old, now, images } }: Comparison): Ghosts {
  const ghosts = new Map<string, readonly string[]>();
  for (const { path, keys } of old.states.slice(1)) {
    const parent = keys.slice(0, -1).join('.');
    const image = images.get(path);
    const around = images.get(parent)?.split('.').filter(Boolean) ?? ghosts.get(parent) ?? [];
    if (image !== undefined && !isElsewhere(image, images.get(parent))) continue;
    const key = keys.at(-1) ?? '';
    const isTaken = now.byPath.has([...around, key].join('.'));
    ghosts.set(path, [...around, isTaken ? `${key}_before` : key]);
  }
  return ghosts;
}

const isElsewhere = (image: string, parent: string | undefined): boolean =>
  image.split('.').slice(0, -1).join('.') !== parent;

function withGhosts(
  state: DrawnState,
  comparison: Comparison,
  marks: ReadonlyMap<string, Mark>,
  ghosts: Ghosts,
): DrawnState {
  const { origins, old } = comparison.compared;
  const path = state.path.join('.');
  const origin = origins.get(path);
  const mark = marks.get(path);
  const former = origin === undefined ? undefined : old.byPath.get(origin);
  const name = former?.keys.at(-1);
  const was = name !== undefined && name !== state.path.at(-1) ? [`was ${name}`] : [];
  const gone = former ? childrenOf(old, former).filter((each) => ghosts.has(each.path)) : [];
  return {
    ...state,
    tags: [...was, ...state.tags],
    ...(mark && { mark }),
    children: [
      ...state.children.map((child) => withGhosts(child, comparison, marks, ghosts)),
      ...gone.map((each) => ghostOf(each, comparison, ghosts)),
    ],
  };
}

function ghostOf(state: StateAt, comparison: Comparison, ghosts: Ghosts): DrawnState {
  const { old, images } = comparison.compared;
  const isMoved = images.has(state.path);
  const children = isMoved ? [] : childrenOf(old, state).filter((each) => ghosts.has(each.path));
  const { type } = state.inMachine;
  return {
    path: ghosts.get(state.path) ?? state.keys,
    kind: children.length > 0 || type === 'final' || type === 'history' ? type : 'atomic',
    initial: null,
    tags: [],
    mark: isMoved ? 'moved' : 'removed',
    children: children.map((each) => ghostOf(each, comparison, ghosts)),
  };
}

const childrenOf = ({ states }: Side, { keys }: StateAt): StateAt[] =>
  states.filter(
    (each) => each.keys.length === keys.length + 1 && keys.every((key, at) => each.keys[at] === key),
  );

function pairArrows(
  { compared, ...comparison }: Comparison,
  { old, now, isChanged }: Comparison['transitions'][number],
  ghosts: Ghosts,
): Arrow[] {
  const before = old && viewOf(old);
  const after = now && viewOf(now);
  const marked = (mark: Mark | undefined, arrows: readonly Arrow[]) =>
    arrows.map((arrow): Arrow => ({ ...arrow, ...(mark && { mark }) }));
  const gone = () => marked('removed', formerArrows({ compared, ...comparison }, before, ghosts));
  if (!after) return gone();
  if (!before) return marked('added', arrowsOf(after));
  const isRenamed =
    before.event !== after.event && old && now && formatTrigger(old.trigger) !== formatTrigger(now.trigger);
  const shown = isChanged && isRenamed ? { ...after, event: `${after.event} (was ${before.event})` } : after;
  const arrows = marked(isChanged ? 'changed' : undefined, arrowsOf(shown));
  const targets = before.to.map((path) => compared.images.get(path) ?? `-${path}`);
  return targets.join() === after.to.join() ? arrows : [...arrows, ...gone()];
}

/** Arrows of the old chart, between the places where its states are drawn. */
function formerArrows(
  { compared: { images } }: Comparison,
  view: ChartViewTransition | undefined,
  ghosts: Ghosts,
): Arrow[] {
  const place = (path: string): string => images.get(path) ?? ghosts.get(path)?.join('.') ?? path;
  return view ? arrowsOf({ ...view, from: place(view.from), to: view.to.map(place) }) : [];
}

function removedArrows(comparison: Comparison, ghosts: Ghosts): Arrow[] {
  const { old, images } = comparison.compared;
  const removed = old.states.filter(({ path }) => !images.has(path));
  return removed
    .flatMap(({ inMachine: { transitions, always = [] } }) => [
      ...[...transitions.values()].flat(),
      ...always,
    ])
    .flatMap((each) => formerArrows(comparison, transitionView(each), ghosts))
    .map((arrow): Arrow => ({ ...arrow, mark: 'removed' }));
}

function moveArrows({ compared: { images } }: Comparison, ghosts: Ghosts): Arrow[] {
  return [...ghosts].flatMap(([path, from]): Arrow[] => {
    const image = images.get(path);
    return image === undefined ? [] : [{ from, to: image.split('.'), words: 'moved', mark: 'moved' }];
  });
}

function viewOf(each: TransitionOf): ChartViewTransition {
  return transitionView(definitionOf(each));
}

/** As the machine has it. */
function definitionOf({ state: { inMachine }, trigger, index }: TransitionOf): AnyTransitionDefinition {
  const { transitions, always = [], after, id } = inMachine;
  const types = {
    on: () => ('event' in trigger ? trigger.event : ''),
    after: () => after.find(({ delay }) => 'delay' in trigger && delay === trigger.delay)?.eventType ?? '',
    always: () => '',
    onDone: () => `xstate.done.state.${id}`,
    invokeDone: () => ('id' in trigger ? `xstate.done.actor.${trigger.id}` : ''),
    invokeError: () => ('id' in trigger ? `xstate.error.actor.${trigger.id}` : ''),
  };
  const found = trigger.kind === 'always' ? always : (transitions.get(types[trigger.kind]()) ?? []);
  const definition = found[index];
  if (!definition)
    throw new TypeError(`${state(inMachine.path)} has no transition ${formatTrigger(trigger)}`);
  return definition;
}

const state = (path: readonly string[]): string => path.join('.') || 'the flow';
