// What a booking's activity returns: every shipment of the flow with its role and state, as far as evidence tells. Pure.
import type {
  Booked,
  BookedShipment,
  BookInput,
  BookingHeartbeat,
  LegReferences,
} from '../../flows/booking/activities.ts';
import { soughtBooking } from './booking-request.ts';
import { textField, type WithReferences } from './references.ts';
import { type RoleEvidence, rolesByEvidence } from './role-evidence.ts';

/** The prior of the flow is one of its shipments, whether or not the answer repeats its uid. */
export function allShipmentUids(
  input: BookInput,
  { request }: WithReferences,
  answer: BookingHeartbeat,
): string[] {
  const prior = input.legs.some(({ isPrior }) => isPrior) ? textField(request, 'priorShipmentUid') : null;
  return [...new Set([...(prior === null ? [] : [prior]), ...answer.shipmentUids])];
}

export function bookedResult(
  input: BookInput,
  booking: WithReferences,
  answer: BookingHeartbeat,
  shipmentUids: readonly string[],
  evidence: RoleEvidence,
): Booked {
  const roles = rolesByEvidence(input.legs, shipmentUids, evidence);
  const shipments = shipmentUids.map((shipmentUid): BookedShipment => {
    const listed = evidence.records.find((each) => each.shipmentUid === shipmentUid);
    return {
      shipmentUid,
      role: roles.get(shipmentUid) ?? null,
      stateCode: listed?.stateCode ?? null,
      stateStart: listed?.stateStart ?? null,
      pupUid: listed?.pupUid ?? answer.pupUid,
      lockerName: listed?.lockerName ?? answer.lockerName,
    };
  });
  const references = [...booking.references, ...listedReferences(booking.references, roles, evidence)];
  return {
    shipments,
    answeredAt: answer.answeredAt,
    caseNo: booking.caseNo ?? references.find((each) => each.referenceCaseNo)?.referenceCaseNo ?? null,
    pupUid: shipments.find((each) => each.pupUid !== null)?.pupUid ?? soughtBooking(input, booking).pupUid,
    references,
    userUids: [textField(booking.request, 'toUserUid'), textField(booking.request, 'fromUserUid')].filter(
      (uid) => uid !== null,
    ),
  };
}

/** For legs that keep or inherit another shipment's references, once the listing shows them. */
function listedReferences(
  known: readonly LegReferences[],
  roles: ReturnType<typeof rolesByEvidence>,
  { records }: RoleEvidence,
): LegReferences[] {
  return records.flatMap(({ shipmentUid, referenceNo, referenceCaseNo, description }) => {
    const role = roles.get(shipmentUid);
    if (!role || known.some((each) => each.role === role)) return [];
    return [{ role, referenceNo, referenceCaseNo, description }];
  });
}
