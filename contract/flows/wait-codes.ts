// What a process can wait for: a code for each, with its kind, and the values that its text holds. Programs decide by the code, and
// read in wait-code-meanings.ts what it means; processes/views/wait-texts.ts makes the text for people of code and values, in their
// language, and flows/language/waiting-for.ts the English one that processes answer.
import type { Role, Stage } from './flow-input.ts';

export const waitingForKinds = [
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

/** Their codes are those of the waits for a decision. */
export const decisionReasons = [
  'BookingUnknown',
  'NotUndone',
  'Contradiction',
  'LegsUnmatched',
  'LegsIndistinct',
  'Halted',
] as const;
export type DecisionReason = (typeof decisionReasons)[number];

/** The values in the text of each; `until` of a leg and of an answer is its end, if it has one. */
export interface WaitParams {
  readonly Booking: None;
  /** Absent: any that fits. */
  readonly FreeLocker: { readonly lockerUid?: string };
  readonly Undoing: None;
  readonly BookingUnknown: None;
  /** By shipmentUid, the code of the failure; where there is none, the number of shipments whose end is not known. */
  readonly NotUndone: { readonly failures: Readonly<Record<string, string>>; readonly shipments: number };
  readonly Contradiction: { readonly shipmentUid: string; readonly reported: string; readonly last: string };
  readonly LegsUnmatched: { readonly shipments: number; readonly legs: number };
  /** The state code of each by shipmentUid. */
  readonly LegsIndistinct: { readonly states: Readonly<Record<string, string>> };
  /** `cause`, and `actor` of an end or a failure: only of an event that the chart has made itself, which has no name of its own. */
  readonly Halted: {
    readonly event: string;
    readonly message: string;
    readonly cause?: ChartEventCause;
    readonly actor?: string;
  };
  readonly DropOff: OfLeg;
  readonly Receiver: OfLeg;
  readonly PickUp: OfLeg;
  readonly Report: OfLeg;
  /** Absent: no pick-up is known; null: its moment is not readable. */
  readonly Cancellation: OfLeg & { readonly lastPickedUpAt?: string | null };
  readonly Begin: OfLeg;
  readonly BeginAfterDropOff: OfLeg & { readonly follows: Role };
  readonly BeginAfterPickUp: OfLeg & { readonly follows: Role };
  /** Without its holder's name, because Temporal's Web UI shows the text. */
  readonly Answer: {
    readonly of: string;
    readonly question: string;
    readonly isClaimed: boolean;
    readonly due: string | null;
    readonly until: string | null;
  };
  readonly Batch: {
    readonly id: string;
    readonly items: number;
    readonly done: number;
    readonly failed: number;
    readonly open: number;
    /** What people call those at work, if the file says it. */
    readonly atWork?: readonly string[];
  };
  readonly Flow: OfItem;
  /** `id`: of its invoke. */
  readonly Call: OfItem & { readonly id?: string };
  /** A state of a flow file, by its name for people. */
  readonly Overdue: { readonly state: string; readonly since: string | null };
  readonly Time: { readonly timer: string; readonly until: string };
  readonly Event: { readonly events: readonly string[] };
  readonly Definition: None;
}
export type WaitCode = keyof WaitParams;

/** What has made an event of a chart: an actor that failed or ended, a timer, the end of the states within, the start. */
export type ChartEventCause = 'actorFailed' | 'actorDone' | 'timer' | 'statesDone' | 'start';

type None = Readonly<Record<never, never>>;

interface OfLeg {
  readonly role: Role;
  readonly until: string | null;
  readonly isOverdue: boolean;
}

/** What is done, and what people call the item of an `each` that it is done with. */
interface OfItem {
  readonly type: string;
  readonly itemTitle?: string;
}

interface WaitRow {
  readonly kind: (typeof waitingForKinds)[number];
  /** What somebody must do for the leg. */
  readonly stage?: Stage;
}

export const waits: { readonly [Code in WaitCode]: WaitRow } = {
  Booking: { kind: 'booking' },
  FreeLocker: { kind: 'booking' },
  Undoing: { kind: 'undoing' },
  BookingUnknown: { kind: 'decision' },
  NotUndone: { kind: 'decision' },
  Contradiction: { kind: 'decision' },
  LegsUnmatched: { kind: 'decision' },
  LegsIndistinct: { kind: 'decision' },
  Halted: { kind: 'decision' },
  DropOff: { kind: 'leg', stage: 'dropOff' },
  Receiver: { kind: 'leg', stage: 'receiver' },
  PickUp: { kind: 'leg', stage: 'pickUp' },
  Report: { kind: 'leg' },
  Cancellation: { kind: 'leg' },
  Begin: { kind: 'leg' },
  BeginAfterDropOff: { kind: 'leg' },
  BeginAfterPickUp: { kind: 'leg' },
  Answer: { kind: 'answer' },
  Batch: { kind: 'batch' },
  Flow: { kind: 'flow' },
  Call: { kind: 'call' },
  Overdue: { kind: 'time' },
  Time: { kind: 'time' },
  Event: { kind: 'event' },
  Definition: { kind: 'definition' },
};

export const waitCodes = Object.keys(waits) as [WaitCode, ...WaitCode[]];
