// A chart with a place for everything in it. Within the bounds of flow files it takes up to minutes: only a thread of
// console/heavy/ does it.
import type { Arrow, Drawing, Path } from '../../engine/chart/drawing.ts';
import { FONT_SIZE, LABEL_SCALE, layoutOf, type PlacedArrow } from '../../engine/chart/layout.ts';
import type { ChartDrawing, ChartLine, ChartState, Point } from './process-view.ts';

export interface ToLayOut {
  readonly id: string;
  readonly name: string;
  readonly drawing: Drawing;
  /** By the path of the state. */
  readonly descriptions: ReadonlyMap<string, string | null>;
}

export async function laidOut({ id, name, drawing, descriptions }: ToLayOut): Promise<ChartDrawing> {
  const layout = await layoutOf(drawing);
  return {
    id,
    name,
    letters: { size: FONT_SIZE, label: FONT_SIZE * LABEL_SCALE },
    width: Math.ceil(layout.width),
    height: Math.ceil(layout.height),
    states: layout.states.map(({ state, label, ...box }): ChartState => {
      const path = state.path.join('.');
      return {
        ...roundedBox(box),
        path,
        label,
        kind: state.kind,
        hasStates: state.children.length > 0,
        staying: stayingIn(state.path, drawing),
        description: descriptions.get(path) ?? null,
      };
    }),
    lines: layout.arrows.map(lineOf),
    beginnings: layout.beginnings.map(roundedPoint),
  };
}

function lineOf({ points, arrows, label }: PlacedArrow): ChartLine {
  const [first] = arrows;
  return {
    joins: first?.to ? joinedBy(first.from, first.to) : '',
    points: points.map(roundedPoint),
    label: label && { ...roundedBox(label), text: label.text },
    words: wordsOf(arrows),
  };
}

/** The states that a line joins: below the innermost state that holds both ends. */
export function joinedBy(from: Path, to: Path): string {
  let depth = 0;
  while (depth < from.length && depth < to.length && from[depth] === to[depth]) depth++;
  return `${from.slice(0, depth + 1).join('.')}>${to.slice(0, depth + 1).join('.')}`;
}

/** What a state takes without being left, or takes for all states within it. */
function stayingIn(path: Path, { arrows }: Drawing): string[] {
  const own = path.join('.');
  const isWithin = (to: Path) => own === '' || `${to.join('.')}.`.startsWith(`${own}.`);
  return wordsOf(arrows.filter(({ from, to }) => from.join('.') === own && (to === null || isWithin(to))));
}

const wordsOf = (arrows: readonly Arrow[]): string[] =>
  arrows.map(({ words }) => words).filter((words) => words !== '');

const round = (value: number): number => Math.round(value * 10) / 10;
const roundedPoint = ({ x, y }: Point): Point => ({ x: round(x), y: round(y) });
const roundedBox = ({ x, y, width, height }: { x: number; y: number; width: number; height: number }) => ({
  x: round(x),
  y: round(y),
  width: round(width),
  height: round(height),
});
