// The drawing of a chart, laid out once for each chart: the same chart always has the same drawing.
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { ChartView, ChartViewTransition } from '../../engine/chart/chart-view.ts';
import { drawingOf } from '../../engine/chart/drawing.ts';
import { foundOrMade } from '../heavy/callers-in-turn.ts';
import { heavyWork, TooHeavy } from '../heavy/heavy-work.ts';
import { joinedBy, type ToLayOut } from './laid-out.ts';
import type { ChartDrawing } from './process-view.ts';

// Each has some hundred states at most: there are some twenty flows, and their versions.
const MAX_KEPT = 300;
/** The machine may only have been busy. */
const HEAVY_KEPT_MS = 600_000;
const kept = new LRUCache<string, Promise<ChartDrawing>>({ max: MAX_KEPT });

export const chartIdOf = (view: ChartView): string => idOf(view);

const idOf = (content: unknown): string =>
  createHash('sha256').update(JSON.stringify(content)).digest('base64url').slice(0, 22);

/** Processes of one flow share it. Throws as HeavyWork. */
export function drawingOfChart(view: ChartView): Promise<ChartDrawing> {
  const id = chartIdOf(view);
  return drawn(id, () => ({
    id,
    name: view.name,
    drawing: drawingOf(view, { hasRoom: true }),
    descriptions: new Map(view.states.map(({ path, description }) => [path, description])),
  }));
}

const drawn = (id: string, toLayOut: () => ToLayOut): Promise<ChartDrawing> =>
  foundOrMade(
    () => kept.get(id),
    () => {
      const making = heavyWork.do('draw', toLayOut());
      kept.set(id, making);
      making.catch((error) => {
        // Asked for again at once, it would hold a thread as long again.
        if (error instanceof TooHeavy) kept.set(id, making, { ttl: HEAVY_KEPT_MS });
        else kept.delete(id);
      });
      return making;
    },
  );

/** The lines of the drawing that transitions go along; one that stays in its state has none. */
export const linesOf = (transitions: readonly ChartViewTransition[]): string[] =>
  transitions.flatMap(({ from, to }) => to.map((target) => joinedBy(from.split('.'), target.split('.'))));
