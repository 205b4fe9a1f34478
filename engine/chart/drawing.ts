// A chart as states and arrows, for its pictures (svg.ts). Every transition is an arrow with
// a label.
import type { ChartView, ChartViewState, ChartViewTransition } from './chart-view.ts';

/** The keys from the root of the chart; the root's path is empty. */
export type Path = readonly string[];

export interface DrawnState {
  readonly path: Path;
  readonly kind: 'atomic' | 'compound' | 'parallel' | 'final' | 'history';
  readonly initial: string | null;
  readonly tags: readonly string[];
  readonly children: readonly DrawnState[];
}

export interface Arrow {
  readonly from: Path;
  /** Null: the state does not change, only the actions run. */
  readonly to: Path | null;
  readonly words: string;
}

export interface Drawing {
  readonly root: DrawnState;
  readonly arrows: readonly Arrow[];
}

export function drawingOf({ states, transitions }: ChartView): Drawing {
  const drawn = (state: ChartViewState): DrawnState => {
    const path = pathOf(state.path);
    const children = states.filter((each) => isWithin(state.path, each.path)).map(drawn);
    const calls = state.invokes.map((call) => `runs ${call}`);
    return {
      path,
      kind: state.kind,
      tags: [...state.tags, ...calls],
      children,
      initial: state.initial === null ? null : (pathOf(state.initial)[path.length] ?? null),
    };
  };
  const [root] = states;
  if (!root) throw new TypeError('a chart has no states');
  return { root: drawn(root), arrows: transitions.flatMap(arrowsOf) };
}

const pathOf = (path: string): Path => (path === '' ? [] : path.split('.'));
const isWithin = (outer: string, path: string): boolean =>
  path !== '' && pathOf(path).slice(0, -1).join('.') === outer;

export function arrowsOf({ from, to, event, guard, actions, reenters }: ChartViewTransition): Arrow[] {
  const words = [
    event === 'always' ? '' : event,
    guard === null ? '' : `[${guard}]`,
    actions.length > 0 ? `/ ${actions.join(', ')}` : '',
    reenters ? '(anew)' : '',
  ];
  const label = words.filter((part) => part !== '').join(' ');
  const ends = to.length === 0 ? [null] : to.map(pathOf);
  return ends.map((end) => ({ from: pathOf(from), to: end, words: label }));
}
