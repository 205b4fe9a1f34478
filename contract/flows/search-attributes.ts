// What Temporal holds of a flow under names of ours: the search attributes, by which the Web UI and the search for unmatched callbacks find
// flows (they must be registered in Temporal), and the memo.
import type { RefusedCall } from '../wire/refused-call.ts';
import type { Attribution } from './attribution.ts';

export const searchAttributes = {
  /** The case number that the flow's shipments carry. */
  LockerCase: 'Keyword',
  LockerPickUpPoint: 'Keyword',
  /** Open, Overdue or NeedsPerson. */
  LockerPhase: 'Keyword',
  /** `<flow>@<version of its definition>`; absent while a built-in flow still books. */
  LockerFlowVersion: 'Keyword',
  LockerShipmentUids: 'KeywordList',
  /** The inboxes that list a process of a flow file, because it has asked something there. */
  LockerInbox: 'KeywordList',
  /** What it is about: `person:<uid>`, `item:<reference>`, and the keys by which events find it, as `device=laptop-7`. */
  LockerSubjects: 'KeywordList',
  /** When the flow came to know its shipments. */
  LockerBookedAt: 'Datetime',
  /** When somebody last acted on the process; absent: nobody has. Who it was is in its history alone: a name is personal data. */
  LockerActedAt: 'Datetime',
} as const satisfies Record<string, 'Keyword' | 'KeywordList' | 'Datetime'>;

/** The last value of a list that has more values than Temporal takes. */
export const MORE_VALUES = '…';

export type SearchAttributeName = keyof typeof searchAttributes;

/** The search attribute that workflows are started with. */
export const withSubjects = (subjects: readonly string[]) => ({
  key: { name: 'LockerSubjects' satisfies SearchAttributeName, type: 'KEYWORD_LIST' } as const,
  value: [...subjects],
});

export interface FlowMemo {
  /** The link to the process's page in the console. Temporal forgets a process's static details, where the link stands too,
   *  when the process continues as a new run; it keeps the memo. */
  readonly consoleLink?: string;
  /** Who has started the process over the API, by the id that the console knows a caller by: names may be alike. */
  readonly startedBy?: string;
  /** Who has started it, and why, for people. */
  readonly who?: Attribution;
  readonly movedFrom?: MovedFrom;
  readonly startedAgainAfter?: StartedAgainAfter;
}

/** The process that had another locker, and whose place this one has taken. */
export interface MovedFrom {
  /** Its business key. */
  readonly key: string;
  /** Null: it is not known. */
  readonly lockerName: string | null;
}

/** The start before, which has ended. */
export interface StartedAgainAfter {
  /** Its business key, which may be another one. */
  readonly key: string;
  readonly runId: string;
  /** When it ended. */
  readonly at: string | null;
  readonly status: string;
  /** Why it failed; null: it has not, or it cannot be read. */
  readonly failure: (RefusedCall & { readonly code: string; readonly message: string }) | null;
}
