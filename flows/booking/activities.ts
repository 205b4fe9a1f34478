// What a booking asks of its activities, as types: the promise between flows/booking/ and activities/. No access code and no token
// is in any result, failure or heartbeat.
import type { ReplacedCaseNo } from '../../contract/flows/booking-progress.ts';
import type { BookedLeg, FlowInput, Instant, Role } from '../../contract/flows/flow-input.ts';
import type { DeadlineRule } from '../../contract/flows/flow-input-check.ts';
import type { OperationName } from '../../contract/operations/operations.ts';

/**
 * One attempt ends in one of four ways, and never earlier than its outcome is known or cannot be known:
 * - booked: returns.
 * - refused, definitely nothing booked: throws the error's code. Retryable (Temporal repeats it) only where the same call
 *   may succeed later by itself: nothing was sent (no connection), RateLimitExceeded (nextRetryDelay = Retry-After),
 *   no token to be had, and NoLockerAvailable until `lockerWaitEndsAt` (nextRetryDelay). After an
 *   attempt of unknown outcome InvalidShipmentState is not a refusal.
 * - unknown (time-out, cut answer, 5xx): the attempt itself goes on by the rule of architecture: Unknown outcome: repeat with
 *   the same Idempotency-Key where the service honours it; else GetShipments: one match held by no other flow → adopt,
 *   none and the listing complete → repeat.
 * - still unknown: throws OutcomeUnknown, non-retryable. The flow then stops for a person.
 * The server never repeats a timed-out attempt; the workflow calls again with `unknownSince`. Time-outs: an attempt may
 * take a day, but heartbeats at least every 10 s (the server waits 30 s for one), also while it waits for an answer.
 *
 * Order: 1. check the whole input before any HTTP (InvalidRequest names every offending field: the operation's row, the
 * deadlines' pairs against `deadlines`, durations, `toUser`/`fromUser`). 2. CreateOrGetAccount in place of a uid.
 * 3. read the prior's case number where the booking replaces it, then
 * book, with the flow's references where the caller gave none. 4. heartbeat the answer (a BookingHeartbeat), before
 * anything else. 5. gather evidence for at most about 2 s; a failed probe fails nothing. 6. tell running flows other than
 * this one that hold the prior (`superseded`), where a leg `isPrior` and `takesOver`. Cancellation of the activity is
 * heeded only between attempts or before step 3, never while the outcome of step 3 is not known.
 */
export interface BookInput {
  readonly flow: string;
  readonly operation: OperationName;
  readonly input: FlowInput;
  readonly legs: readonly BookedLeg[];
  /** The pairs that the flow takes a deadline for. */
  readonly deadlines: readonly DeadlineRule[];
  /** The flow issues the prior from stock: who waits on it is to be told. */
  readonly takesOver: boolean;
  /** Header Idempotency-Key, the same over attempts: workflow id, first execution's run id and step. */
  readonly idempotencyKey: string;
  /** The case number that a flow gives a leg when the caller gave none, so that callbacks find it by it. */
  readonly workflowId: string;
  /** Which booking of its process it is; absent: the whole of it, and the first. */
  readonly booking?: string;
  /** Epoch milliseconds until which it is tried again where no locker is free; null: not at all. */
  readonly lockerWaitEndsAt: number | null;
  /** When the first attempt began of which the outcome is not known, and the last heartbeat that came through. */
  readonly unknownSince: {
    readonly at: Instant;
    readonly heartbeat: BookingHeartbeat | BookingTrying | BookingPrepared | null;
    /** A person has decided that it is tried again. */
    readonly isRetryDecided?: boolean;
  } | null;
}

/** What was read before the request was sent: afterwards nothing shows it any more. */
export interface BookingPrepared {
  readonly replacedCaseNo?: ReplacedCaseNo;
}

/** What the booking's answer said, for an attempt that dies while it gathers evidence. */
export interface BookingHeartbeat extends BookingPrepared {
  readonly shipmentUids: readonly string[];
  readonly pupUid: string | null;
  readonly lockerName: string | null;
  readonly answeredAt: Instant;
}

/** What is told while a booking in doubt waits for its next try, for people who look at the process. */
export interface BookingTrying extends BookingPrepared {
  readonly trying: {
    readonly attempt: number;
    /** Null: nothing has failed yet. */
    readonly lastFailure: string | null;
    readonly nextTryAt: Instant;
  };
}

export interface Booked {
  /** Every shipment of the flow, the prior included, each once. */
  readonly shipments: readonly BookedShipment[];
  /** When the booking's answer came, by the flow's clock: deadlines never begin earlier. */
  readonly answeredAt: Instant;
  /** The case number that the legs carry now, for the search attribute; null when there is none. */
  readonly caseNo: string | null;
  readonly pupUid: string | null;
  /** What each leg's callbacks will carry, of the legs for which it is known. Those that two legs share tell nothing. */
  readonly references: readonly LegReferences[];
  /** The sender and the receiver, where they are accounts. Absent: it was booked before processes kept them. */
  readonly userUids?: readonly string[];
  /**
   * For a flow that may keep a locker booked: whether the service tells of pick-ups that leave the state as it is. Absent: not
   * known, as after an adoption.
   */
  readonly accessMessages?: boolean;
  /** Absent: the prior kept its case number, or its former one is not known. */
  readonly replacedCaseNo?: ReplacedCaseNo;
}

export interface LegReferences {
  readonly role: Role;
  readonly referenceNo: string | null;
  readonly referenceCaseNo: string | null;
  readonly description: string | null;
}

export interface BookedShipment {
  readonly shipmentUid: string;
  /** By evidence only, never by position; null when nothing tells it. */
  readonly role: Role | null;
  /** As a listing showed it after the booking, in our words; null without one. */
  readonly stateCode: string | null;
  readonly stateStart: string | null;
  readonly pupUid: string | null;
  readonly lockerName: string | null;
}

/** Shown to the person who resolves it. */
export interface UnknownOutcome extends BookingPrepared {
  readonly why: string;
  /** Shipments that a listing showed and that may be the booking's. */
  readonly candidates: readonly string[];
  /** The service can neither list its shipments nor recognise a repeated booking: trying again may book twice. */
  readonly cannotBeAsked?: true;
}

/**
 * Cancels each shipment, in any order, and goes on with the others when one fails. One that `isIssuedFromStock` first has
 * its receiver removed (SetShipmentReceiver removeReceiver), unless its known state is ReadyForPickup; where that is
 * refused with InvalidShipmentState it is cancelled. Before that, it gets its former case number back (SetShipmentDetails),
 * unless somebody else has changed it since. InvalidShipmentState on CancelShipment means "already ended".
 * The activity tries for about 30 s. It returns a shipment that was not undone by then as NotUndone, and throws no error of
 * its own. A cancellation does not abort it.
 */
export interface UndoInput {
  readonly shipments: readonly {
    readonly shipmentUid: string;
    readonly stateCode: string | null;
    readonly isIssuedFromStock: boolean;
    readonly replacedCaseNo?: ReplacedCaseNo;
    /** Somebody has the item that it was to bring back: a person is asked what became of it. */
    readonly isItemOut?: true;
  }[];
}

export interface Undone {
  readonly shipments: readonly {
    readonly shipmentUid: string;
    readonly undone: 'Cancelled' | 'ReceiverRemoved' | 'AlreadyEnded' | 'NotUndone';
    /** With AlreadyEnded: Completed or Cancelled where a listing tells it, else null. */
    readonly stateCode: string | null;
    /** With NotUndone: the error's code. */
    readonly error: string | null;
  }[];
}

/**
 * SetShipmentReceiver. Refusals throw their code, non-retryable. After an attempt of unknown outcome it is repeated, and
 * InvalidShipmentState then counts as done where a listing shows the wanted receiver, or where there is no listing.
 */
export interface ChangeReceiverInput {
  readonly shipmentUid: string;
  /** Null: the receiver is removed. */
  readonly toUserUid: string | null;
  readonly caseReferenceNew: string | null;
}
