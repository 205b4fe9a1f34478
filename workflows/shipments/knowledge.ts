// What a shipment flow knows, as plain data: the context of its chart, carried over continue-as-new.
// Everything that happens turns one of these into the next, by the pure functions beside this file.
import type { Booked, BookingHeartbeat, UnknownOutcome } from '../../activities/flow-activities.ts';
import type { FlowInput, Instant, Role, Stage } from '../../contract/flows/flow-input.ts';
import type { LedgerEntry, Resolution, ShipmentReport } from '../../contract/flows/flow-messages.ts';
import type { OverdueStage } from '../../contract/flows/flow-result.ts';
import type { StateCode } from '../../contract/wire/states.ts';
import type { ProcessStart } from '../../driver/definition.ts';
import { fieldsOf } from './payload.ts';
import type { Positions } from './positions.ts';

export interface KnownShipment {
  readonly shipmentUid: string;
  /** What is certain of itself: told by the booking, by references or by a person. Elimination is in evidence.ts. */
  readonly role: Role | null;
  readonly stateCode: StateCode | null;
  readonly stateStart: string | null;
  /** When that state began, in epoch milliseconds, by stateStart or else by when it was heard. */
  readonly since: number | null;
  /** Every state that it is known to have been in, with its stateStart. */
  readonly seen: Readonly<Partial<Record<StateCode, string | null>>>;
  readonly pupUid: string | null;
  readonly lockerName: string | null;
  /** Another flow follows it from now on. */
  readonly isSuperseded: boolean;
  /** Undone by taking its receiver away: it lives on, but not for this flow. */
  readonly isReleased: boolean;
  /** A reported state that nothing explains; a person must look. */
  readonly contradiction: string | null;
}

/** An update under way that changes a receiver. */
export interface ReceiverChange {
  readonly updateId: string;
  readonly role: Role;
  readonly shipmentUid: string;
  readonly toUserUid: string | null;
  readonly caseReferenceNew: string | null;
}

export interface UnknownBooking {
  readonly since: Instant;
  readonly heartbeat: BookingHeartbeat | null;
  readonly attempts: number;
  readonly told: UnknownOutcome | null;
  /** A person has decided that it is tried again; so it holds for the next attempt alone. */
  readonly isRetryDecided?: boolean;
}

export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly details: readonly unknown[];
}

/** The answer, and when by Temporal's clock the flow came to know which shipments are its own. */
export interface Booking extends Pick<Booked, 'answeredAt' | 'caseNo' | 'pupUid' | 'references'> {
  readonly knownAt: Instant;
}

export type StageName = `${Role}.${Stage}`;

export interface Knowledge {
  readonly start: ProcessStart<FlowInput>;
  readonly startedAt: Instant;
  readonly booking: Booking | null;
  readonly unknownBooking: UnknownBooking | null;
  readonly failure: Failure | null;
  readonly shipments: readonly KnownShipment[];
  /** Reports that came before the flow knew its shipments, in their order. */
  readonly held: readonly ShipmentReport[];
  readonly ledger: readonly LedgerEntry[];
  /** Deadlines that were set anew, in epoch milliseconds. */
  readonly extended: Readonly<Partial<Record<StageName, number>>>;
  readonly overdue: readonly OverdueStage[];
  readonly resolutions: readonly Resolution[];
  /** Why the flow is being undone; the first cause stays. */
  readonly undoing: 'request' | 'overdue' | null;
  /** The error code of each shipment that could not be undone so far. */
  readonly notUndone: Readonly<Record<string, string>>;
  /** How often it was tried to undo the flow; absent in what an older worker has carried over. */
  readonly triesOfUndoing?: number;
  readonly receiverChange: ReceiverChange | null;
  /** Reports of shipments that are not this flow's, until they are passed on. */
  readonly foreign: readonly ShipmentReport[];
  /** What the chart's regions were told last. */
  readonly told: Positions;
}

/** It may have been started with anything: the first activity refuses what is no input, the chart must come to it. */
export function nothingKnown(start: ProcessStart<FlowInput>): Knowledge {
  return {
    start: { ...start, input: { request: {}, ...fieldsOf(start.input) } },
    startedAt: new Date().toISOString(),
    booking: null,
    unknownBooking: null,
    failure: null,
    shipments: [],
    held: [],
    ledger: [],
    extended: {},
    overdue: [],
    resolutions: [],
    undoing: null,
    notUndone: {},
    receiverChange: null,
    foreign: [],
    told: {},
  };
}

export function shipmentOf(known: Knowledge, shipmentUid: string): KnownShipment | undefined {
  return known.shipments.find((shipment) => shipment.shipmentUid === shipmentUid);
}

export function withShipment(known: Knowledge, changed: KnownShipment): Knowledge {
  return {
    ...known,
    shipments: known.shipments.map((each) => (each.shipmentUid === changed.shipmentUid ? changed : each)),
  };
}

/** A field of the request, which is the caller's: checked before the booking, but not by the workflow. */
export function requestField(known: Knowledge, name: string): unknown {
  return (known.start.input.request as Readonly<Record<string, unknown>> | undefined)?.[name];
}
