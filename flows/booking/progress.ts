// What a booking answers about itself: its part of the answer to `progress`, and of the search attributes.
import type { Progress } from '../../contract/flows/flow-answers.ts';
import type { ShipmentReport } from '../../contract/flows/flow-messages.ts';
import type { SearchAttributes } from '../../engine/definition.ts';
import { doubtOf } from './booking.ts';
import type { BookingSnapshot } from './booking-state.ts';
import { type FlowContext, type KnownShipment, postponedReports } from './known.ts';
import { wholeReportHistory } from './reports.ts';
import { itemsLeft, legResult, outcome } from './settlement.ts';
import { activities, deadlinesOf } from './view.ts';

/** @param late reports that came after its end */
export function bookingProgress({ flow, view }: BookingSnapshot, late: readonly ShipmentReport[]): Progress {
  const { known, place, phase, waitingFor, legs, unassigned } = view;
  return {
    flow: flow.name,
    version: known.start.version,
    phase: place === 'ended' ? null : phase,
    outcome: place === 'ended' && !known.failure ? outcome(flow, known) : null,
    activity: activities[place],
    waitingFor,
    shipments: Object.fromEntries(
      legs.flatMap(({ role, shipment, isDone }) =>
        shipment ? [[role, { ...legResult(shipment), done: isDone, ...pickUpOf(shipment) }]] : [],
      ),
    ),
    unassigned,
    deadlines: deadlinesOf(flow, view),
    itemsLeft: itemsLeft(flow, known),
    reportHistory: wholeReportHistory(known.reportHistory, postponedReports(known), late),
    resolutions: known.resolutions,
    ...replacedCaseNoOf(known),
    ...(place === 'bookingUnknown' && { doubt: doubtOf(known) }),
  };
}

function replacedCaseNoOf({ booking, unknownBooking }: FlowContext): Pick<Progress, 'replacedCaseNo'> {
  const { replacedCaseNo } = booking ?? unknownBooking?.heartbeat ?? {};
  return replacedCaseNo ? { replacedCaseNo } : {};
}

const pickUpOf = ({ pickedUpAt }: KnownShipment) => (pickedUpAt === undefined ? {} : { pickedUpAt });

/** Before the booking is known, only the need for a person is set or removed; one upsert sets the rest. */
export function bookingAttributes({ view: { phase, known } }: BookingSnapshot): SearchAttributes | null {
  if (!known.booking)
    return phase === 'NeedsPerson' || known.resolutions.length > 0 ? { LockerPhase: phase } : null;
  const { caseNo, pupUid, knownAt } = known.booking;
  return {
    LockerPhase: phase,
    LockerShipmentUids: known.shipments.map(({ shipmentUid }) => shipmentUid),
    LockerBookedAt: new Date(knownAt),
    ...(caseNo === null ? {} : { LockerCase: caseNo }),
    ...(pupUid === null ? {} : { LockerPickUpPoint: pupUid }),
  };
}
