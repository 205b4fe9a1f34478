// What the page gets to show of the inbox: one entry for each thing that waits for a person.

export const entryKinds = ['decision', 'question', 'itemLeft', 'parked', 'disagreement'] as const;
export type EntryKind = (typeof entryKinds)[number];

export interface InboxField {
  readonly name: string;
  readonly label: string;
  readonly type: 'text' | 'number' | 'yesNo' | 'choice';
  readonly choice?: readonly string[];
  readonly isOptional?: true;
  /** What is most likely meant. */
  readonly suggested?: string;
}

export interface InboxAction {
  readonly name: string;
  /** On the button. */
  readonly label: string;
  /** What happens then, in a sentence: it is shown before the action is done. */
  readonly consequence: string;
  readonly fields: readonly InboxField[];
  /** It cannot be taken back, or may do harm. */
  readonly isGrave?: true;
}

export interface InboxEntry {
  /** `<kind>:<what the source knows it by>`; the same from look to look. */
  readonly id: string;
  readonly kind: EntryKind;
  /** ISO 8601; null: not known. */
  readonly since: string | null;
  readonly title: string;
  readonly why: string;
  readonly ifNothing: string;
  readonly toDo: string;
  readonly workflowId: string | null;
  readonly pupUid: string | null;
  readonly lockerName: string | null;
  readonly shipmentUid: string | null;
  readonly actions: readonly InboxAction[];
}

/** A source that could not be read, or not whole: the inbox must not look empty because of it. */
export interface Unread {
  readonly what: string;
  readonly why: string;
}

/** Of flows with the locker service: without one, callbacks that do not arrive are not noticed here. */
export interface ComparedLast {
  readonly at: string | null;
  readonly isPlanned: boolean;
}

export interface InboxView {
  /** Oldest first. */
  readonly entries: readonly InboxEntry[];
  readonly unread: readonly Unread[];
  readonly compared: ComparedLast;
}
