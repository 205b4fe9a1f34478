// A chart as states and arrows, for its drawings (svg.ts, the console's page). Every transition is an arrow with
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
  /** Room for what a page knows at the moment, in letters. */
  readonly room?: Room;
}

export interface Room {
  /** After the name. */
  readonly beside: number;
  /** In a line of its own; only of a state without states. */
  readonly below: number;
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

/** @param hasRoom whether each state has room for what a page knows of a process: how many are there, the time that is left */
export function drawingOf(
  { states, transitions }: ChartView,
  { hasRoom = false }: { readonly hasRoom?: boolean } = {},
): Drawing {
  const timed = new Set(
    transitions.filter(({ event }) => event.startsWith('after ')).map(({ from }) => from),
  );
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
      ...(hasRoom && { room: roomOf(timed.has(state.path), children.length === 0) }),
    };
  };
  const [root] = states;
  if (!root) throw new TypeError('a chart has no states');
  return { root: drawn(root), arrows: transitions.flatMap(arrowsOf) };
}

const pathOf = (path: string): Path => (path === '' ? [] : path.split('.'));
const isWithin = (outer: string, path: string): boolean =>
  path !== '' && pathOf(path).slice(0, -1).join('.') === outer;

/** For "59 min 59 s left", and for how many processes are there. */
const TIME_LETTERS = 16;
const COUNT_LETTERS = 4;

function roomOf(isTimed: boolean, isAlone: boolean): Room {
  if (isAlone) return { beside: COUNT_LETTERS, below: isTimed ? TIME_LETTERS : 0 };
  return { beside: isTimed ? COUNT_LETTERS + TIME_LETTERS : COUNT_LETTERS, below: 0 };
}

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
