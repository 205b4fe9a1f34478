// The hours of a week with how full the lockers were in each: what the picture of the use draws.
import type { UseView } from '../../walls/walls-view.ts';

export interface UseHour {
  /** ISO 8601, its beginning. */
  readonly at: string;
  readonly held: number;
  /** The share of all lockers that count here: 0 to 1. */
  readonly part: number;
  readonly refused: number;
}

const HOUR_MS = 3_600_000;

/** @param size empty: all sizes together */
export function useHours({ since, until, sizes, hours, refusals }: UseView, size: string): UseHour[] {
  const counts = ({ size: each }: { readonly size: string | null }) => size === '' || each === size;
  const lockers = sizes.filter(counts).reduce((sum, each) => sum + each.lockerCount, 0);
  const held = summed(hours.filter(counts), (each) => each.held);
  const refused = summed(refusals.filter(counts), (each) => each.refused);
  const found: UseHour[] = [];
  for (let at = Date.parse(since); at < Date.parse(until); at += HOUR_MS) {
    const inHour = held.get(at) ?? 0;
    found.push({
      at: new Date(at).toISOString(),
      held: inHour,
      part: lockers === 0 ? 0 : Math.min(1, inHour / lockers),
      refused: refused.get(at) ?? 0,
    });
  }
  return found;
}

function summed<Row extends { readonly hour: string }>(rows: readonly Row[], value: (row: Row) => number) {
  const sums = new Map<number, number>();
  for (const row of rows) {
    const at = Date.parse(row.hour);
    sums.set(at, (sums.get(at) ?? 0) + value(row));
  }
  return sums;
}
