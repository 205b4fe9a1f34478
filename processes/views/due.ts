// What the column "Due, or since" of a list says of a row, and the order by it: what is late, longest first; what has no due and waits
// for a person who works here, longest first; then by due, soonest first; then what has neither, oldest first. The page and the search
// go by the same, so that who reads the column can verify the order.
import type { RowState } from './row-state.ts';

export interface DueRow {
  readonly startedAt: string | null;
  /** As the search has it. */
  readonly phase: string | null;
  /** Null: it has not said yet where it stands. */
  readonly summary:
    | (Pick<RowState, 'next'> & { readonly until: string | null; readonly clockAheadMs: number })
    | null;
}

export interface Due {
  readonly kind: 'late' | 'waiting' | 'due' | 'since';
  /** The due, or since when. */
  readonly at: string | null;
  /** The same in epoch milliseconds; what is not known is last. */
  readonly atMs: number;
}

export function dueOf({ startedAt, phase, summary }: DueRow, now: number): Due {
  if (!summary) return due(kindByPhase(phase), startedAt);
  const { next, until, clockAheadMs } = summary;
  const end = next?.until ?? until;
  if (end) return due(Date.parse(end) < now + clockAheadMs ? 'late' : 'due', end);
  return next?.isForUs ? due('waiting', next.since ?? startedAt) : due('since', startedAt);
}

const due = (kind: Due['kind'], at: string | null): Due => ({
  kind,
  at,
  atMs: at === null ? Number.MAX_SAFE_INTEGER : Date.parse(at),
});

/** The search knows that much of one that has not been asked yet. */
function kindByPhase(phase: string | null): Due['kind'] {
  if (phase === 'Overdue') return 'late';
  return phase === 'NeedsPerson' ? 'waiting' : 'since';
}

const order: readonly Due['kind'][] = ['late', 'waiting', 'due', 'since'];

/** Since when it stands where it is: how long its present step lasts, whatever is due. */
export function waitingSince({ startedAt, summary }: DueRow): Due {
  return due('since', summary?.next?.since ?? startedAt);
}

export const compareDue = (one: Due, other: Due): number =>
  order.indexOf(one.kind) - order.indexOf(other.kind) || one.atMs - other.atMs;
