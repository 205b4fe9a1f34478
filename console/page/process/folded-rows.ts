// The rows of what happened, without those that repeat themselves.
import type { HappenedRow } from '../../process/process-view.ts';

export interface FoldedRow {
  readonly row: HappenedRow;
  /** How often it happened, one after the other. */
  readonly count: number;
}

/** What repeats itself and says nothing more is one line, with the moment of the first. */
export function foldedOf(rows: readonly HappenedRow[]): FoldedRow[] {
  const folded: { row: HappenedRow; count: number }[] = [];
  for (const row of rows) {
    const last = folded.at(-1);
    if (last && isSame(last.row, row)) last.count += 1;
    else folded.push({ row, count: 1 });
  }
  return folded;
}

const isSame = (one: HappenedRow, other: HappenedRow): boolean =>
  one.words === other.words &&
  one.of?.key === other.of?.key &&
  one.by === other.by &&
  one.why === other.why &&
  one.undo === null &&
  other.undo === null &&
  one.did.length + other.did.length === 0 &&
  dayOf(one) === dayOf(other);

/** By the calendar of the reader. */
export const dayOf = ({ at }: HappenedRow): string => (at === null ? '' : new Date(at).toDateString());
