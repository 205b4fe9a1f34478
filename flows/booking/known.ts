// What is known of a booking, as plain data: a part of its state, carried over continue-as-new. The pure functions
// of this folder compute the next one from each event.

import type { ReportEntry, Resolution } from '../../contract/flows/booking-progress.ts';
import type { FlowInput, Instant, Role, Stage } from '../../contract/flows/flow-input.ts';
import type { ShipmentReport } from '../../contract/flows/flow-messages.ts';
import type { OverdueStage } from '../../contract/flows/flow-result.ts';
import type { StateCode } from '../../contract/wire/states.ts';
import type { ProcessStart } from '../../engine/definition/definition.ts';
import { type Declaration, legOf } from '../built-in/declaration.ts';
import type { CalendarDeadlines } from '../language/machine/book-input.ts';
import type {
  Booked,
  BookingHeartbeat,
  BookingPrepared,
  BookingTrying,
  UnknownOutcome,
} from './activities.ts';
import type { Failure } from './failure.ts';
import { type FollowedElsewhere, payloadFields } from './messages.ts';

export interface KnownShipment {
  readonly shipmentUid: string;
  /** Its leg, when that is certain. */
  readonly role: Role | null;
  /**
   * The source of the role. `booking`: the booking or its references; it stays. `person`: a later decision may correct it.
   * `evidence`: the facts so far leave no other role; later ones may undo it.
   */
  readonly roleFrom: 'booking' | 'person' | 'evidence';
  /** The state in which its booking must have left it, by its role. */
  readonly begins: StateCode | null;
  readonly stateCode: StateCode | null;
  readonly stateStart: string | null;
  /** When that state began, in epoch milliseconds: stateStart, or else the arrival of the report. */
  readonly since: number | null;
  /** Every known state so far, with its stateStart. */
  readonly seen: Readonly<Partial<Record<StateCode, string | null>>>;
  readonly pupUid: string | null;
  readonly lockerName: string | null;
  /** Another flow follows it from now on. */
  readonly isSuperseded: boolean;
  /** The keys of other flows that follow it: new reports are passed on to them. Absent: none. */
  readonly passedOnTo?: readonly string[];
  /** The last known pick-up, if its locker stays booked; absent before the first. */
  readonly pickedUpAt?: Instant;
  /** Undone by removing its receiver: it stays active, but not for this flow. */
  readonly isReleased: boolean;
  /** A reported state that contradicts the known ones; a person must look. */
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
  readonly heartbeat: BookingHeartbeat | BookingTrying | BookingPrepared | null;
  readonly attempts: number;
  /** What the activity found out about it. */
  readonly outcome: UnknownOutcome | null;
  /** A person has decided to try again. This is true for the next attempt only. */
  readonly isRetryDecided?: boolean;
}

/** The answer, and the time (Temporal's clock) when the flow learned its shipments. */
export interface Booking
  extends Pick<
    Booked,
    'answeredAt' | 'caseNo' | 'pupUid' | 'references' | 'userUids' | 'accessMessages' | 'replacedCaseNo'
  > {
  readonly knownAt: Instant;
}

/** A signal that waits until the flow knows its shipments. */
export type PostponedMessage =
  | { readonly type: 'shipmentStatus'; readonly payload: ShipmentReport }
  | { readonly type: 'superseded' | 'alsoFollowed'; readonly payload: FollowedElsewhere };

export interface Reminder {
  readonly role: Role;
  readonly stage: Stage;
  /** The deadline. */
  readonly until: Instant;
}

export type StageName = `${Role}.${Stage}`;

export interface FlowContext {
  readonly start: ProcessStart<FlowInput>;
  readonly startedAt: Instant;
  readonly booking: Booking | null;
  readonly unknownBooking: UnknownBooking | null;
  readonly failure: Failure | null;
  readonly shipments: readonly KnownShipment[];
  /** Messages that came before the flow knew its shipments, in their order. */
  readonly postponed: readonly PostponedMessage[];
  readonly reportHistory: readonly ReportEntry[];
  /** Extended deadlines, in epoch milliseconds. */
  readonly extended: Readonly<Partial<Record<StageName, number>>>;
  readonly overdue: readonly OverdueStage[];
  /** Reminders that were sent before deadlines. */
  readonly reminded: readonly Reminder[];
  readonly resolutions: readonly Resolution[];
  /** Why the flow is being undone; the first cause stays. */
  readonly undoing: 'request' | 'overdue' | null;
  /** The error code of each shipment that could not be undone so far. */
  readonly notUndone: Readonly<Record<string, string>>;
  readonly triesOfUndoing: number;
  readonly receiverChange: ReceiverChange | null;
  /** Deadlines whose durations are counted by a calendar of the file. */
  readonly byCalendar?: CalendarDeadlines;
}

/** The input may be anything: the first activity refuses a wrong one, and the booking must get that far. */
export function nothingKnown(start: ProcessStart<FlowInput>, now: number): FlowContext {
  return {
    start: { ...start, input: { request: {}, ...payloadFields(start.input) } },
    startedAt: new Date(now).toISOString(),
    booking: null,
    unknownBooking: null,
    failure: null,
    shipments: [],
    postponed: [],
    reportHistory: [],
    extended: {},
    overdue: [],
    reminded: [],
    resolutions: [],
    undoing: null,
    notUndone: {},
    triesOfUndoing: 0,
    receiverChange: null,
  };
}

export function newShipment(shipmentUid: string): KnownShipment {
  return {
    shipmentUid,
    role: null,
    roleFrom: 'evidence',
    begins: null,
    stateCode: null,
    stateStart: null,
    since: null,
    seen: {},
    pupUid: null,
    lockerName: null,
    isSuperseded: false,
    isReleased: false,
    contradiction: null,
  };
}

export function shipmentOf(known: FlowContext, shipmentUid: string): KnownShipment | undefined {
  return known.shipments.find((shipment) => shipment.shipmentUid === shipmentUid);
}

/** Evidence can no longer change its role. */
export const isRoleGiven = ({ roleFrom }: KnownShipment): boolean => roleFrom !== 'evidence';

export function shipmentWithRole(known: FlowContext, role: Role): KnownShipment | undefined {
  return known.shipments.find((shipment) => shipment.role === role);
}

export function withShipment(known: FlowContext, changed: KnownShipment): FlowContext {
  return {
    ...known,
    shipments: known.shipments.map((each) => (each.shipmentUid === changed.shipmentUid ? changed : each)),
  };
}

/** A field of the caller's request: an activity checks it before the booking, the workflow does not. */
export function requestField(known: FlowContext, name: string): unknown {
  return (known.start.input.request as Readonly<Record<string, unknown>> | undefined)?.[name];
}

/** assumptions: States. From the kind of booking; null if it depends on the earlier state. */
export function beginsAs(flow: Declaration, known: FlowContext, role: Role): StateCode | null {
  const { begins, registeredWith } = legOf(flow, role);
  const isRegistered = registeredWith !== undefined && requestField(known, registeredWith) != null;
  return isRegistered ? 'Registered' : begins;
}

/** The last reported state, else the state after its booking. Null: not known. */
export function stateOf({ stateCode, begins }: KnownShipment): StateCode | null {
  return stateCode ?? begins;
}

export function isInactive({ stateCode, isSuperseded, isReleased }: KnownShipment): boolean {
  return isSuperseded || isReleased || stateCode === 'Completed' || stateCode === 'Cancelled';
}

/** The states in which a leg is done. After one of them it stays done. */
export function doneStates(flow: Declaration, known: FlowContext, role: Role): readonly StateCode[] {
  const { done } = legOf(flow, role);
  const isDoneByCancelling = isKeptBooked(flow, known, role) && known.undoing !== 'overdue';
  return isDoneByCancelling ? [...done, 'Cancelled'] : done;
}

/** Its locker stays booked after a pick-up, and reports of pick-ups count. */
export function isKeptBooked(flow: Declaration, known: FlowContext, role: Role): boolean {
  const { keptBookedBy } = legOf(flow, role);
  return keptBookedBy !== undefined && requestField(known, keptBookedBy) === true;
}

/** Whether this shipment, as this leg, is done. */
export function isDone(flow: Declaration, known: FlowContext, shipment: KnownShipment, role: Role): boolean {
  return shipment.isSuperseded || doneStates(flow, known, role).some((state) => state in shipment.seen);
}

export function postponedReports({ postponed }: FlowContext): ShipmentReport[] {
  return postponed.flatMap((message) => (message.type === 'shipmentStatus' ? [message.payload] : []));
}
