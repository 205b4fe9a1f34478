// What each source of the inbox is: it reads the entries of its kind.
import type { LockerApi } from '../../../shared/locker-api/index.ts';
import type { AtTemporal } from '../../at-temporal.ts';
import type { ServiceClock } from '../../service-clock.ts';
import type { EntryKind, InboxEntry } from './inbox-entry.ts';

export interface InboxParts extends AtTemporal {
  readonly service: Pick<LockerApi, 'call'>;
  readonly serviceClock: Pick<ServiceClock, 'aheadMs'>;
}

export interface SourceRead {
  readonly entries: readonly InboxEntry[];
  /** Why this is not all of it. */
  readonly incomplete?: string;
  /** The processes that did not answer: what they said before still holds, as far as anybody knows. */
  readonly unanswered?: readonly string[];
}

export const formatUnanswered = (count: number): string =>
  `${count === 1 ? '1 process did' : `${count} processes did`} not answer; check that a worker runs`;

export interface InboxSource {
  readonly kind: EntryKind;
  /** As in "decisions could not be read". */
  readonly what: string;
  read(parts: InboxParts): Promise<SourceRead>;
}
