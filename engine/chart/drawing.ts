// A chart as states and arrows, for its pictures (svg.ts). Every transition is an arrow with
// a label.
import type { ChartView, ChartViewState, ChartViewTransition } from './chart-view.ts';

/** The keys from the root of the chart; the root's path is empty. */
export type Path = readonly string[];

export interface DrawnState {
  readonly path: Path;
  /** For people; null: it has only its name. */
  readonly title: string | null;
  readonly kind: 'atomic' | 'compound' | 'parallel' | 'final' | 'history';
  readonly initial: string | null;
  readonly tags: readonly string[];
  readonly children: readonly DrawnState[];
}

export interface Arrow {
  readonly from: Path;
  /** Null: the state does not change, only the actions run. */
  readonly to: Path | null;
  /** What stands at the arrow: its event, or of one that is always taken its condition; empty: neither. */
  readonly label: string;
  /** The whole of it, with condition and actions. */
  readonly words: string;
}

export interface Drawing {
  readonly root: DrawnState;
  readonly arrows: readonly Arrow[];
}

export function drawingOf({ name, states, transitions }: ChartView): Drawing {
  const drawn = (state: ChartViewState): DrawnState => {
    const path = pathOf(state.path);
    const children = states.filter((each) => isWithin(state.path, each.path)).map(drawn);
    const calls = state.invokes.map((call) => `runs ${call}`);
    return {
      path,
      title: state.title ?? (path.length === 0 ? name : null),
      kind: state.kind,
      tags: [...state.tags, ...calls],
      children,
      initial: state.initial === null ? null : (pathOf(state.initial)[path.length] ?? null),
    };
  };
  const [root] = states;
  if (!root) throw new TypeError('a chart has no states');
  return { root: drawn(root), arrows: transitions.flatMap((each) => arrowsOf(each, transitions)) };
}

const pathOf = (path: string): Path => (path === '' ? [] : path.split('.'));
const isWithin = (outer: string, path: string): boolean =>
  path !== '' && pathOf(path).slice(0, -1).join('.') === outer;

function arrowsOf(transition: ChartViewTransition, all: readonly ChartViewTransition[]): Arrow[] {
  const { from, to, event, guard, actions, reenters } = transition;
  const condition = guard === null ? '' : `[${guard}]`;
  const words = [
    event === 'always' ? '' : event,
    condition,
    actions.length > 0 ? `/ ${actions.join(', ')}` : '',
    reenters ? '(anew)' : '',
  ].filter((part) => part !== '');
  const ends = to.length === 0 ? [null] : to.map(pathOf);
  const label = labelOf(transition, all);
  return ends.map((end) => ({ from: pathOf(from), to: end, label, words: words.join(' ') }));
}

/** Where one event leads to different states, by its condition, too. */
function labelOf({ from, event, guard }: ChartViewTransition, all: readonly ChartViewTransition[]): string {
  const condition = guard === null ? '' : `[${guard}]`;
  if (event === 'always') return condition;
  const same = all.filter((each) => each.from === from && each.event === event);
  const isForked = new Set(same.map(({ to }) => to.join())).size > 1;
  return isForked ? `${event} ${condition || '[else]'}` : event;
}
