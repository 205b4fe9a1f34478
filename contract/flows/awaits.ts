// What a process waits for, as data: in the answer to `progress`, the most urgent first.
import type { Instant, Role, Stage } from './flow-input.ts';

export const awaitsKinds = [
  /** The booking of a shipment flow, and what undoes it. */
  'booking',
  'undoing',
  /** A person's decision about what the process cannot know or cannot do. */
  'decision',
  /** A leg of a shipment flow. */
  'leg',
  /**
   * Parts of a flow file: an answer to a question, what is done for each item of a list, a flow that it has started, a
   * call, a time, an event from outside.
   */
  'answer',
  'batch',
  'flow',
  'call',
  'time',
  'event',
  /** The definition of a flow file, before its first step. */
  'definition',
] as const;
export type AwaitsKind = (typeof awaitsKinds)[number];

export interface Awaits {
  readonly kind: AwaitsKind;
  /** For people, in one line. No access codes, and no personal data but what the text of a file's question has. */
  readonly words: string;
  /**
   * Who can bring it: `service` (the locker service), `sender` or `receiver` (of the shipment, at the locker), `dispatcher`,
   * `operator`, `outside`; for an answer the name of its inbox. Null: the process itself, or it is not known.
   */
  readonly who: string | null;
  readonly since: Instant | null;
  readonly until: Instant | null;
  /** Only where `until` has passed, and it is still awaited. */
  readonly isOverdue?: true;
  /** A leg's. */
  readonly role?: Role;
  /** A leg's, if a person must do something at the locker or to the shipment. */
  readonly stage?: Stage;
  readonly shipmentUid?: string;
  /** For a decision. */
  readonly reason?: DecisionReason;
  /** For a decision: the reason in words, as part of a sentence. */
  readonly why?: string;
  /** The id of an answer, a batch, a flow, a call or a time in the flow file. */
  readonly id?: string;
  /** For an answer: who holds its question. */
  readonly holder?: string;
  /** The type of a flow or a call; of a batch what is done with an item. */
  readonly type?: string;
  /** A flow's key; absent while it is being started. */
  readonly key?: string;
  readonly events?: readonly string[];
}

export const decisionReasons = [
  /** It is not known whether the booking was made. */
  'BookingUnknown',
  /** Something could not be undone. */
  'NotUndone',
  /** A shipment is reported in a state that cannot follow its last one. */
  'Contradiction',
  /** There are more or fewer shipments than legs. */
  'LegsUnmatched',
  /** The reports do not show which leg is which. */
  'LegsIndistinct',
  /** A step of a flow file has failed. */
  'Halted',
] as const;
export type DecisionReason = (typeof decisionReasons)[number];
