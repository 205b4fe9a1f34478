// The Temporal activities that flows call, as types: the promise between workflows/ and activities/.
// Only ApplicationFailure leaves an activity, its type is the stable code: an error code of the contract, or one of
// FlowFailure. Business refusals are non-retryable and of category BENIGN. No access code and no token is in any result,
// failure, heartbeat or log.

import type { Instant } from '../contract/flows/flow-input.ts';
import type { ShipmentReport } from '../contract/flows/flow-messages.ts';
import type {
  Booked,
  BookInput,
  ChangeReceiverInput,
  UndoInput,
  Undone,
} from '../flows/booking/activities.ts';

/** Failure types beside the contract's error codes. */
export type FlowFailure =
  /** Non-retryable. Whether a booking was made can't be known; `details[0]` is an UnknownOutcome. */
  'OutcomeUnknown';

export interface FlowActivities {
  book(input: BookInput): Promise<Booked>;
  undo(input: UndoInput): Promise<Undone>;
  changeReceiver(input: ChangeReceiverInput): Promise<void>;
  keepReports(input: KeepInput): Promise<void>;
  reconcile(input: ReconcileInput): Promise<Reconciled>;
  /** How far the tenant's clock is ahead of the real time. Throws NotAvailable, non-retryable, where none can be moved. */
  followSandboxClock(): Promise<number>;
}

/**
 * Reports that reached this flow and are another's: each goes to the process that is known to follow its shipment, or is kept by
 * UnmatchedCallback. Idempotent.
 */
export interface KeepInput {
  readonly reports: readonly ReportForOthers[];
}

export interface ReportForOthers extends ShipmentReport {
  /** The key of the process that is to get it; absent: not known. */
  readonly passOnTo?: string;
}

/** Pages GetShipments for what changed since, and signals to each open flow what its progress lacks. */
export interface ReconcileInput {
  /** The former run's `until`; null in the first run. */
  readonly since: Instant | null;
}

export interface Reconciled {
  readonly until: Instant;
  readonly seen: number;
  readonly signalled: number;
}
