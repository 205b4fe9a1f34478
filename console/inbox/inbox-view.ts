// What the page gets to show of the inbox: one entry for each thing that waits for a person.
import type { Choice } from '../decisions/choice-view.ts';

export const entryKinds = ['decision', 'question', 'itemLeft', 'parked', 'disagreement'] as const;
export type EntryKind = (typeof entryKinds)[number];

export interface InboxEntry {
  /** `<kind>:<what the source knows it by>`; the same from look to look. */
  readonly id: string;
  readonly kind: EntryKind;
  /** ISO 8601; null: not known. */
  readonly since: string | null;
  /** How far the clock of `since` is ahead of the real time: a sandbox's. 0 if absent. */
  readonly clockAheadMs?: number;
  readonly title: string;
  readonly why: string;
  readonly ifNothing: string;
  readonly toDo: string;
  readonly workflowId: string | null;
  readonly pupUid: string | null;
  readonly lockerName: string | null;
  readonly shipmentUid: string | null;
  readonly actions: readonly Choice[];
}

/** A source that could not be read, or not whole: the inbox must not look empty because of it. */
export interface Unread {
  readonly what: string;
  readonly why: string;
}

/** When flows were last compared with the locker service. */
export interface ComparedLast {
  /** When the shipments that changed last were compared; null: not yet. */
  readonly lookedAt: string | null;
  /** When all were compared. */
  readonly at: string | null;
  readonly isPlanned: boolean;
}

export interface InboxView {
  /** Oldest first. */
  readonly entries: readonly InboxEntry[];
  readonly unread: readonly Unread[];
  readonly compared: ComparedLast;
}
