// What Temporal holds of a flow under names of ours: the search attributes, by which the Web UI and the search for unmatched callbacks find
// flows (they must be registered in Temporal), and the memo.
import type { Attribution } from './attribution.ts';

export const searchAttributes = {
  /** The case number that the flow's shipments carry. */
  LockerCase: 'Keyword',
  LockerPickUpPoint: 'Keyword',
  /** Open, Overdue or NeedsPerson. */
  LockerPhase: 'Keyword',
  /** `<flow>@<version of its definition>`; absent while the flow still books. */
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

export interface FlowMemo {
  /** The link to the process's page in the console. Temporal forgets a process's static details, where the link stands too,
   *  when the process continues as a new run; it keeps the memo. */
  readonly consoleLink?: string;
  /** Who has started the process over the API, by the id that the console knows a caller by: names may be alike. */
  readonly startedBy?: string;
  /** Who has started it, and why, for people. */
  readonly who?: Attribution;
  readonly movedFrom?: MovedFrom;
}

/** Of a process that has taken the place of another one, which had another locker. */
export interface MovedFrom {
  /** Of that process. */
  readonly key: string;
  /** Null: it is not known. */
  readonly lockerName: string | null;
}
