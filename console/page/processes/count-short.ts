// How many of those that were done are not as somebody wanted them, in the words that the outcomes have for it.
import type { BulkOutcome } from '../../processes/processes-view.ts';
import { inFigures } from '../parts/format.ts';

/** "1 waiting for a locker", "2 failed again"; "2+" where not all are read. */
export const countShort = (outcomes: readonly Pick<BulkOutcome, 'now'>[], total: number): string[] =>
  Object.entries(Object.groupBy(outcomes, ({ now }) => now?.short ?? '')).flatMap(([short, all = []]) =>
    short ? `${inFigures(all.length)}${total > outcomes.length ? '+' : ''} ${short}` : [],
  );
