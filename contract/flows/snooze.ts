// An entry of Work that somebody does not want to see until a moment: a workflow keeps it until then.
import type { Attribution } from './attribution.ts';

export interface SnoozedEntryInput {
  /** Milliseconds since 1970. */
  readonly until: number;
}

/** What lists read of it. */
export interface SnoozeMemo {
  /** The id of the entry. */
  readonly entry: string;
  /** ISO 8601. */
  readonly until: string;
  readonly who: Attribution;
}
