// Where the legs of a flow are now, by what is known of its shipments.
import type { Role } from '../../contract/flows/flow-input.ts';
import type { StateCode } from '../../contract/wire/states.ts';
import { type Declaration, type Leg, legOf } from '../../flows/declaration.ts';
import { certainRoles, shipmentWithRole } from './evidence.ts';
import { type Knowledge, type KnownShipment, requestField } from './knowledge.ts';

/** What the chart's region of a leg can be in, beside the state codes. */
export type LegState = StateCode | 'Unknown' | 'Superseded';

/** What was reported last, else the state in which its booking must have left it (assumptions: States); null: nobody knows. */
export function stateOf(
  flow: Declaration,
  known: Knowledge,
  shipment: KnownShipment,
  role: Role | undefined = certainRoles(flow, known).get(shipment.shipmentUid),
): StateCode | null {
  if (shipment.stateCode !== null || role === undefined) return shipment.stateCode;
  const { begins, registeredWith } = legOf(flow, role);
  const isRegistered = registeredWith !== undefined && requestField(known, registeredWith) != null;
  return isRegistered ? 'Registered' : begins;
}

export function legState(flow: Declaration, known: Knowledge, role: Role): LegState {
  const shipment = shipmentWithRole(flow, known, role);
  if (!shipment) return 'Unknown';
  if (shipment.isSuperseded) return 'Superseded';
  return stateOf(flow, known, shipment, role) ?? 'Unknown';
}

/** Whether a shipment with this role has met the leg's done rule; once met, it stays so. */
export function isDone(known: Knowledge, leg: Leg, shipment: KnownShipment): boolean {
  const { doneWith } = leg;
  const also = doneWith && requestField(known, doneWith.field) === true ? [doneWith.stateCode] : [];
  return shipment.isSuperseded || [...leg.done, ...also].some((state) => state in shipment.seen);
}

export function isInactive({ stateCode, isSuperseded, isReleased }: KnownShipment): boolean {
  return isSuperseded || isReleased || stateCode === 'Completed' || stateCode === 'Cancelled';
}
