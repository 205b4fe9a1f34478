// What the column "Due, or since" of a list says of a row, and the order by it: what is late, longest first; what has no due and waits
// for a person who works here, longest first; then by due, soonest first; then what has neither, oldest first. The page and the search
// go by the same, so that who reads the column can verify the order. There is another order, by what waits longest.
import type { RowState } from './row-state.ts';

export interface DueRow {
  readonly startedAt: string | null;
  /** As the search has it. */
  readonly phase: string | null;
  /** Null: it has not said yet where it stands. */
  readonly summary:
    | (Pick<RowState, 'where' | 'next'> & { readonly until: string | null; readonly clockAheadMs: number })
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

/**
 * The order by what waits longest. First what somebody or something is expected for now, since when: what is late, needs us, can be done
 * at a locker, or has no date. Then what is not expected before a date: with a person who is to bring it back, or waiting for a
 * moment; by that date. Last what has none, or is not known yet.
 */
export function waitOf(row: DueRow, now: number): Due {
  const { startedAt, phase, summary } = row;
  const { kind, at: end } = dueOf(row, now);
  if (!summary) return due(kindByPhase(phase) === 'since' ? 'since' : 'waiting', startedAt);
  const { where, next } = summary;
  const since = next?.since ?? startedAt;
  const isWithPerson = where?.isWithPerson === true && next?.step === 'bringBack';
  // Until then they had it by right.
  if (kind === 'late') return due('waiting', isWithPerson ? end : since);
  if (isWithPerson) return kind === 'due' ? due('due', end) : due('since', since);
  const isLater = kind === 'due' && !next?.isForUs && !next?.step;
  return isLater ? due('due', end) : due('waiting', since);
}

/** That by which a case stands in the list: the first of its own and of what it has started. Undefined: all have ended. */
export const firstDue = <Row extends DueRow>(rows: readonly Row[], of: typeof dueOf, now: number) =>
  rows
    .filter(({ phase }) => phase !== null)
    .map((row) => ({ row, ...of(row, now) }))
    .sort(compareDue)[0];

export const compareDue = (one: Due, other: Due): number =>
  order.indexOf(one.kind) - order.indexOf(other.kind) || one.atMs - other.atMs;
