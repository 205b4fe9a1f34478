// What a booking answers about itself: its part of the answer to `progress`, and of the search attributes.
import type { BookingProgress } from '../../contract/flows/booking-progress.ts';
import type { ShipmentReport } from '../../contract/flows/flow-messages.ts';
import type { StateCode } from '../../contract/wire/states.ts';
import type { SearchAttributes } from '../../engine/definition/views.ts';
import { type Declaration, type Leg, legOf, rolesOf } from '../built-in/declaration.ts';
import { subjectOfItem, subjectOfPerson, subjectsOfRequest } from '../language/subjects.ts';
import { doubtOf } from './booking.ts';
import type { BookingSnapshot } from './booking-state.ts';
import { type Booking, type FlowContext, type KnownShipment, postponedReports } from './known.ts';
import { wholeReportHistory } from './reports.ts';
import { itemsLeft, legResult, outcome } from './settlement.ts';
import { activities, deadlinesOf } from './view.ts';

/** @param late reports that came after its end */
export function bookingProgress(
  { id, isWhole }: Pick<BookingProgress, 'id' | 'isWhole'>,
  { flow, view }: BookingSnapshot,
  late: readonly ShipmentReport[],
): BookingProgress {
  const { known, place, legs, unassigned } = view;
  return {
    id,
    isWhole,
    operation: flow.operation,
    caseNo: known.booking?.caseNo ?? null,
    activity: activities[place],
    outcome: place === 'ended' && !known.failure ? outcome(flow, known) : null,
    legs: expectedLegs(flow),
    shipments: Object.fromEntries(
      legs.flatMap(({ role, shipment, isDone }) =>
        shipment ? [[role, { ...legResult(shipment), done: isDone, ...pickUpOf(shipment) }]] : [],
      ),
    ),
    unassigned,
    deadlines: deadlinesOf(flow, view),
    overdue: known.overdue,
    itemsLeft: itemsLeft(flow, known),
    reportHistory: wholeReportHistory(known.reportHistory, postponedReports(known), late),
    resolutions: known.resolutions,
    ...replacedCaseNoOf(known),
    ...(place === 'bookingUnknown' && { doubt: doubtOf(known) }),
  };
}

export const expectedLegs = (flow: Declaration): BookingProgress['legs'] =>
  rolesOf(flow).map((role) => ({ role, states: expectedStates(legOf(flow, role)) }));

/** Stock is done once the item is in its locker, for whoever gets it later. */
function expectedStates({ begins, follows, deadlines, done }: Leg): StateCode[] {
  const isStock = done.includes('ReadyForPickup');
  const isDroppedOff = begins === 'ReadyForDropoff' || follows?.link === 'subsequentIntake';
  return [
    ...(begins === 'Registered' ? (['Registered'] as const) : []),
    ...(isDroppedOff ? (['ReadyForDropoff'] as const) : []),
    ...(isStock || deadlines.includes('pickUp') ? (['ReadyForPickup'] as const) : []),
    ...(isStock ? [] : (['Completed'] as const)),
  ];
}

function replacedCaseNoOf({ booking, unknownBooking }: FlowContext): Pick<BookingProgress, 'replacedCaseNo'> {
  const { replacedCaseNo } = booking ?? unknownBooking?.heartbeat ?? {};
  return replacedCaseNo ? { replacedCaseNo } : {};
}

const pickUpOf = ({ pickedUpAt }: KnownShipment) => (pickedUpAt === undefined ? {} : { pickedUpAt });

/** Before the booking is known, only the need for a person is set or removed; one upsert sets the rest. */
export function bookingAttributes({ view: { phase, known } }: BookingSnapshot): SearchAttributes | null {
  if (!known.booking)
    return phase === 'NeedsPerson' || known.resolutions.length > 0 ? { LockerPhase: phase } : null;
  const { caseNo, pupUid, knownAt } = known.booking;
  const subjects = subjectsOf(known, known.booking);
  return {
    LockerPhase: phase,
    LockerShipmentUids: known.shipments.map(({ shipmentUid }) => shipmentUid),
    LockerBookedAt: new Date(knownAt),
    ...(caseNo === null ? {} : { LockerCase: caseNo }),
    ...(pupUid === null ? {} : { LockerPickUpPoint: pupUid }),
    ...(subjects.length > 0 && { LockerSubjects: subjects }),
  };
}

/** Whom it is for comes first. References that the flow has given itself say nothing of the item. */
function subjectsOf({ start }: FlowContext, { userUids = [], references }: Booking): string[] {
  const items = references.flatMap(({ referenceNo }) => referenceNo ?? []);
  const own = start.workflowId;
  return [
    ...new Set([
      ...userUids.map(subjectOfPerson),
      ...subjectsOfRequest(start.input.request),
      ...items.filter((each) => each !== own && !each.startsWith(`${own}/`)).map(subjectOfItem),
    ]),
  ];
}
