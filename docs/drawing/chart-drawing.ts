// The drawing of a flow's chart.
import {
  type Arrow,
  type Drawing,
  type DrawnState,
  type Path,
  wordsOfArrow,
} from '../../client/command-line/drawing/drawing.ts';
import type {
  ChartData,
  Named,
  StateData,
  TransitionData,
  TransitionsData,
} from '../../workflows/chart-data.ts';

export function drawingOf(chart: ChartData): Drawing {
  return { root: drawn(chart, []), arrows: arrowsFrom(chart, []) };
}

function drawn(state: StateData, path: Path): DrawnState {
  const children = Object.entries(state.states ?? {}).map(([key, child]) => drawn(child, [...path, key]));
  const kind = state.type ?? (children.length > 0 ? 'compound' : 'atomic');
  return { path, kind, initial: state.initial ?? null, tags: state.tags ?? [], children };
}

function arrowsFrom(state: StateData, path: Path): Arrow[] {
  const own = happenings(state).flatMap(([event, transitions]) =>
    listOf(transitions).map((transition) => ({
      from: path,
      to: transition.target === undefined ? null : targetOf(path, transition.target),
      words: wordsOf(event, transition),
    })),
  );
  const inner = Object.entries(state.states ?? {}).flatMap(([key, child]) =>
    arrowsFrom(child, [...path, key]),
  );
  return [...own, ...inner];
}

/** Every way that a state takes, by the words for what happens. */
function happenings({ on, after, always, onDone, invoke }: StateData): [string, TransitionsData][] {
  return [
    ...Object.entries(on ?? {}),
    ...Object.entries(after ?? {}).map(([delay, to]): [string, TransitionsData] => [`after ${delay}`, to]),
    ...(always ? [['', always] as [string, TransitionsData]] : []),
    ...(onDone ? [['done', onDone] as [string, TransitionsData]] : []),
    ...(invoke?.onDone ? [[`${invoke.src} done`, invoke.onDone] as [string, TransitionsData]] : []),
    ...(invoke?.onError ? [[`${invoke.src} failed`, invoke.onError] as [string, TransitionsData]] : []),
  ];
}

function listOf(transitions: TransitionsData): readonly TransitionData[] {
  if (typeof transitions === 'string') return [{ target: transitions }];
  return Array.isArray(transitions) ? transitions : [transitions as TransitionData];
}

/** As xstate reads it: `.key` is a state within, `key` one beside. */
function targetOf(source: Path, target: string): Path {
  return target.startsWith('.') ? [...source, target.slice(1)] : [...source.slice(0, -1), target];
}

function wordsOf(event: string, { guard, actions, reenter }: TransitionData): string {
  const done = (Array.isArray(actions) ? actions : [actions ?? []].flat()) as readonly Named[];
  return wordsOfArrow(event, guard === undefined ? '' : named(guard), done.map(named), reenter === true);
}

/** With what it is given, as `name(a, b)`. */
function named(name: Named): string {
  if (typeof name === 'string') return name;
  const params = Array.isArray(name.params) ? name.params : Object.values(name.params as object);
  return `${name.type}(${params.join(', ')})`;
}
