// The chart that a process runs, as the drawing of it: with room in each state for what the page writes there.
import {
  type Arrow,
  type Drawing,
  type DrawnState,
  type Path,
  type Room,
  wordsOfArrow,
} from '../../client/command-line/drawing/drawing.ts';
import type { ChartView, ChartViewState, ChartViewTransition } from '../../driver/chart/chart-view.ts';

export function drawingOfView({ states, transitions }: ChartView): Drawing {
  const timed = new Set(
    transitions.filter(({ event }) => event.startsWith('after ')).map(({ from }) => from),
  );
  const [root] = states;
  if (!root) throw new TypeError('a chart has no states');
  return { root: drawn(root, states, timed), arrows: transitions.flatMap(arrowsOf).sort(byPlace) };
}

/** The chart comes from a process or from its flow, which may list the same transitions in another order. */
const byPlace = (one: Arrow, other: Arrow): number => placeOf(one).localeCompare(placeOf(other));
const placeOf = ({ from, to, words }: Arrow): string =>
  JSON.stringify([from.join('.'), to?.join('.') ?? '', words]);

const pathOf = (path: string): Path => (path === '' ? [] : path.split('.'));

function drawn(
  state: ChartViewState,
  all: readonly ChartViewState[],
  timed: ReadonlySet<string>,
): DrawnState {
  const path = pathOf(state.path);
  const children = all
    .filter((each) => each.path !== '' && pathOf(each.path).slice(0, -1).join('.') === state.path)
    .map((child) => drawn(child, all, timed));
  return {
    ...{ path, kind: state.kind, tags: [...state.tags, ...state.invokes.map((call) => `runs ${call}`)] },
    initial: state.initial === null ? null : (pathOf(state.initial)[path.length] ?? null),
    children,
    room: roomOf(timed.has(state.path), children.length === 0),
  };
}

/** For "59 min 59 s left", and for how many processes are there. */
const TIME_LETTERS = 16;
const COUNT_LETTERS = 4;

function roomOf(isTimed: boolean, isAlone: boolean): Room {
  if (isAlone) return { beside: COUNT_LETTERS, below: isTimed ? TIME_LETTERS : 0 };
  return { beside: isTimed ? COUNT_LETTERS + TIME_LETTERS : COUNT_LETTERS, below: 0 };
}

function arrowsOf({ from, to, event, guard, actions, reenters }: ChartViewTransition): Arrow[] {
  const words = wordsOfArrow(event === 'always' ? '' : event, guard ?? '', actions, reenters);
  const ends = to.length === 0 ? [null] : to.map(pathOf);
  return ends.map((end) => ({ from: pathOf(from), to: end, words }));
}
