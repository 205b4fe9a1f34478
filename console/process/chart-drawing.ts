// The pictures of charts, laid out once for each chart, and marked with where a process is.
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { ChartView } from '../../engine/chart/chart-view.ts';
import { drawingOf } from '../../engine/chart/drawing.ts';
import type { Layout } from '../../engine/chart/layout.ts';
import { type Marks, svgOf } from '../../engine/chart/svg.ts';
import { getOrCreate } from '../heavy/fair-queue.ts';
import { heavyWork, TooHeavy } from '../heavy/heavy-work.ts';

// Each has some hundred states at most: there are some twenty flows, and their versions.
const MAX_ENTRIES = 300;
/** The machine may only have been busy. */
const TOO_HEAVY_MS = 600_000;
const layouts = new LRUCache<string, Promise<Layout>>({ max: MAX_ENTRIES });

/** As SVG. Processes of one flow share the layout. Throws as HeavyWork. */
export async function chartSvg(view: ChartView, marks?: Marks): Promise<string> {
  const drawing = drawingOf(view);
  const id = createHash('sha256').update(JSON.stringify(drawing)).digest('base64url');
  const layout = await getOrCreate(
    () => layouts.get(id),
    () => {
      const making = heavyWork.do('draw', drawing);
      layouts.set(id, making);
      making.catch((error) => {
        // Asked for again at once, it would hold a thread as long again.
        if (error instanceof TooHeavy) layouts.set(id, making, { ttl: TOO_HEAVY_MS });
        else layouts.delete(id);
      });
      return making;
    },
  );
  return svgOf(drawing, layout, marks);
}
