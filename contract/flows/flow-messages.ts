// The signals and updates of a running flow, and its answer to the query `progress`.
import type { ShipmentStatus } from '../wire/callback.ts';
import type { StateCode } from '../wire/states.ts';
import type { Attribution } from './attribution.ts';
import type { Awaits } from './awaits.ts';
import type { Instant, IsoDuration, Role, Stage } from './flow-input.ts';
import type { ItemLeft, LegResult, Outcome, UnassignedShipment } from './flow-result.ts';

/** Signal `shipmentStatus`. It has our state codes and UTC: the sender maps the peer's state codes and time zone first. */
export interface ShipmentReport extends ShipmentStatus {
  /**
   * When the callback receiver or the reconciler got the report. It replaces a stateStart that is missing or unreadable.
   */
  readonly receivedAt: Instant;
  readonly source: 'callback' | 'reconciler';
  /** When the item was picked up, if the report tells that: the state does not, where the locker is kept booked. */
  readonly pickedUpAt?: Instant;
}

/** Signal `superseded`: another flow has taken this shipment over (issued it from stock) and follows it from now on. */
export interface Superseded {
  readonly shipmentUid: string;
  readonly byWorkflowId: string;
}

/** Who asks for a change, and why: kept with the update in the history, and otherwise without effect. */
export type AskedBy = Partial<Attribution>;

/** Update `setReceiver` (interface: SetShipmentReceiver). */
export interface SetReceiver extends AskedBy {
  readonly role: Role;
  readonly toUserUid: string;
  readonly caseReferenceNew?: string | null;
}

/** Update `removeReceiver`. */
export interface RemoveReceiver extends AskedBy {
  readonly role: Role;
}

/** Update `extendDeadline`, with either `until` or `fromNow`. It also gives a deadline to a stage that has none. */
export type ExtendDeadline = AskedBy & { readonly role: Role; readonly stage: Stage } & (
    | { readonly until: Instant; readonly fromNow?: never }
    | { readonly fromNow: IsoDuration; readonly until?: never }
  );

/** Update `resolve`: a person decides what the flow cannot know. The flow keeps who decided and why. */
export type Resolve = Attribution & { readonly why: string } & (
    | { readonly action: 'retry' }
    | { readonly action: 'adopt'; readonly shipments: Readonly<Partial<Record<Role, string>>> }
    | { readonly action: 'setState'; readonly role: Role; readonly stateCode: StateCode }
    | { readonly action: 'giveUp' }
  );

/** What the flow made of a report: the verdict of contract/machines/, or why there is none. */
export type Verdict =
  | 'next'
  | 'skippedAhead'
  | 'repeated'
  | 'stale'
  | 'unknown'
  | 'contradictory'
  /** The item was picked up, and the state stays as it is, because the locker is kept booked. */
  | 'pickedUp'
  /** It came before the flow knew its shipments. */
  | 'postponed'
  /** It came after the flow had ended. */
  | 'afterTheEnd';

/** One distinct report; a repetition only raises `times`. */
export interface LedgerEntry {
  readonly shipmentUid: string;
  readonly stateCode: string;
  readonly stateStart: string | null;
  readonly receivedAt: Instant;
  readonly verdict: Verdict;
  readonly times: number;
  /** If it reports a pick-up. */
  readonly pickedUpAt?: Instant;
}

export interface DeadlineProgress {
  readonly role: Role;
  readonly stage: Stage;
  readonly until: Instant;
  readonly passed: boolean;
  /** Set by extendDeadline before its stage has begun: it holds once the stage begins. */
  readonly ahead?: true;
}

export interface Resolution extends Attribution {
  readonly action: Resolve['action'];
  readonly why: string;
  readonly at: Instant;
}

/** The case number of the prior shipment, and the one that the booking gives it: undoing the flow gives the former back. */
export interface ReplacedCaseNo {
  /** Null: it had none. */
  readonly former: string | null;
  readonly by: string;
}

export const phases = ['Open', 'Overdue', 'NeedsPerson'] as const;
export type Phase = (typeof phases)[number];

export interface FollowedLeg extends LegResult {
  readonly done: boolean;
  /**
   * For a kept-booked locker: the last pick-up that the flow knows of. It is not in the result, which must not depend on the
   * order in which the reports came.
   */
  readonly pickedUpAt?: Instant;
}

/** The answer to the query `progress` of a shipment flow. */
export interface Progress {
  readonly flow: string;
  readonly version: number;
  /** For an open flow; null once it has ended. */
  readonly phase: Phase | null;
  /** For a flow that has ended, including one that was cancelled and has no result; null while it is open, and where it failed. */
  readonly outcome: Outcome | null;
  /** What the flow does: it books, follows the shipments, undoes, waits for a person, or has ended. */
  readonly activity: 'Booking' | 'Following' | 'Undoing' | 'NeedsPerson' | 'Ended';
  /** What the flow waits for, the most urgent first. */
  readonly awaits: readonly Awaits[];
  readonly shipments: Readonly<Partial<Record<Role, FollowedLeg>>>;
  readonly unassigned: readonly UnassignedShipment[];
  readonly deadlines: readonly DeadlineProgress[];
  /** They stand here too because a cancelled flow has no result. */
  readonly itemsLeft: readonly ItemLeft[];
  /** Distinct reports in the order of their arrival. Only the newest some hundreds are kept. */
  readonly ledger: readonly LedgerEntry[];
  readonly resolutions: readonly Resolution[];
  /** Where the flow has given issued stock another case number, and its former one was read before. */
  readonly replacedCaseNo?: ReplacedCaseNo;
  /** Only while it is not known whether the booking was made, and a person must decide. */
  readonly doubt?: BookingDoubt;
}

export interface BookingDoubt {
  readonly why: string;
  /** Shipments that a listing showed and that may be the booking's. */
  readonly candidates: readonly string[];
  /** Whether `retry` may book a second time; null: the flow does not know whether the service can be asked. */
  readonly retryMayBookTwice: boolean | null;
}
