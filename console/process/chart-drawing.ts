// The drawing of a chart, laid out once for each chart: the same chart always has the same drawing.
import { createHash } from 'node:crypto';
import type { ChartView, ChartViewTransition } from '../../driver/chart/chart-view.ts';
import { type Arrow, type Drawing, drawingOf, type Path } from '../../driver/chart/drawing.ts';
import { FONT_SIZE, LABEL_SCALE, layoutOf, markOf, type PlacedArrow } from '../../driver/chart/layout.ts';
import type { ChartDrawing, ChartLine, ChartState, Point } from './process-view.ts';

// Each has some hundred states at most: there are some twenty flows, and their versions.
const MOST_KEPT = 300;
const kept = new Map<string, Promise<ChartDrawing>>();

export function chartIdOf(view: ChartView): string {
  return createHash('sha256').update(JSON.stringify(view)).digest('base64url').slice(0, 22);
}

/** Processes of one flow share it. */
export function drawingOfChart(view: ChartView): Promise<ChartDrawing> {
  const id = chartIdOf(view);
  const found = kept.get(id);
  if (found !== undefined) return found;
  const [oldest] = kept.keys();
  if (kept.size >= MOST_KEPT && oldest !== undefined) kept.delete(oldest);
  const making = laidOut(id, view.name, drawingOf(view, { hasRoom: true }), view);
  kept.set(id, making);
  making.catch(() => kept.delete(id));
  return making;
}

/** Undefined if it was never drawn, or too long ago. */
export const keptDrawing = (id: string): Promise<ChartDrawing> | undefined => kept.get(id);

/** For two charts in one, with what has changed marked. */
export const drawingOfBoth = (name: string, drawing: Drawing): Promise<ChartDrawing> =>
  laidOut(`both ${name}`, name, drawing);

async function laidOut(id: string, name: string, drawing: Drawing, view?: ChartView): Promise<ChartDrawing> {
  const layout = await layoutOf(drawing);
  const words = new Map(view?.states.map(({ path, description }) => [path, description]));
  return {
    ...{ id, name, letters: { size: FONT_SIZE, label: FONT_SIZE * LABEL_SCALE } },
    ...{ width: Math.ceil(layout.width), height: Math.ceil(layout.height) },
    states: layout.states.map(({ state, label, ...box }): ChartState => {
      const path = state.path.join('.');
      return {
        ...{ ...roundedBox(box), path, label, kind: state.kind, hasStates: state.children.length > 0 },
        ...{ staying: stayingIn(state.path, drawing), description: words.get(path) ?? null },
        ...(state.mark && { mark: state.mark }),
      };
    }),
    lines: layout.arrows.map(lineOf),
    beginnings: layout.beginnings.map(roundedPoint),
  };
}

function lineOf({ points, arrows, label }: PlacedArrow): ChartLine {
  const [first] = arrows;
  const mark = markOf(arrows);
  return {
    joins: first?.to ? joinedBy(first.from, first.to) : '',
    points: points.map(roundedPoint),
    label: label && { ...roundedBox(label), text: label.text },
    words: wordsOf(arrows),
    ...(mark && { mark }),
  };
}

/** The lines of the drawing that transitions go along; one that stays in its state has none. */
export const linesOf = (transitions: readonly ChartViewTransition[]): string[] =>
  transitions.flatMap(({ from, to }) => to.map((target) => joinedBy(from.split('.'), target.split('.'))));

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
  ...{ x: round(x), y: round(y), width: round(width), height: round(height) },
});
