// The events for the regions of the legs: reports, and facts about a leg from other sources.
import type { Role } from '../../contract/flows/flow-input.ts';
import type { ShipmentReport } from '../../contract/flows/flow-messages.ts';
import type { StateCode } from '../../contract/wire/states.ts';
import { type Declaration, rolesOf } from '../../flows/declaration.ts';
import { doneStates, isDone, type Known, type KnownShipment, shipmentWithRole, stateOf } from './known.ts';

export type LegEvent =
  /** A report says that the shipment is in this state. */
  | `${Role}.${StateCode}`
  /** A report says that the item was picked up, and the locker stays booked. */
  | `${Role}.pickedUp`
  /** The shipment of the leg has become known, in this state. */
  | `${Role}.found.${StateCode | 'StateUnknown' | 'Superseded'}`
  /** Evidence has shown that the shipment is not this leg. */
  | `${Role}.lost`
  /** A person has set this state, or a late report shows that the leg was done in it. */
  | `${Role}.set.${StateCode}`
  | `${Role}.superseded`;

export interface Raised {
  readonly type: LegEvent;
  readonly report?: ShipmentReport;
}

/** Events for the legs about facts that did not come from their own transitions. */
export function changedLegs(flow: Declaration, before: Known, after: Known): Raised[] {
  const same = rolesOf(flow).flatMap((role) => {
    const [was, is] = [shipmentWithRole(before, role), shipmentWithRole(after, role)];
    return was && is?.shipmentUid === was.shipmentUid ? setAnew(flow, before, after, role, was, is) : [];
  });
  return [...foundAndLost(flow, before, after), ...same];
}

export function foundAndLost(flow: Declaration, before: Known, after: Known): Raised[] {
  if (before.shipments === after.shipments) return [];
  return rolesOf(flow).flatMap((role): Raised[] => {
    const was = shipmentWithRole(before, role);
    if (was?.shipmentUid === shipmentWithRole(after, role)?.shipmentUid) return [];
    return [...(was ? [{ type: `${role}.lost` } as const] : []), ...found(flow, after, role)];
  });
}

export function found(flow: Declaration, known: Known, role: Role): Raised[] {
  const shipment = shipmentWithRole(known, role);
  if (!shipment) return [];
  const state = shipment.isSuperseded
    ? 'Superseded'
    : (landing(flow, known, role, shipment) ?? 'StateUnknown');
  return [{ type: `${role}.found.${state}` }];
}

/** A person has corrected its state, or a late report shows that it was done. */
function setAnew(
  flow: Declaration,
  before: Known,
  after: Known,
  role: Role,
  was: KnownShipment,
  is: KnownShipment,
): Raised[] {
  const isCorrected = was.stateCode !== is.stateCode || was.since !== is.since;
  const isDoneNow = !isDone(flow, before, was, role) && isDone(flow, after, is, role);
  const state = landing(flow, after, role, is);
  return state && (isCorrected || isDoneNow) ? [{ type: `${role}.set.${state}` }] : [];
}

/** The state of the leg: once done it stays done, in any later state of its shipment. */
function landing(flow: Declaration, known: Known, role: Role, shipment: KnownShipment) {
  const state = stateOf(shipment);
  const done = doneStates(flow, known, role);
  if (state && done.includes(state)) return state;
  return done.find((each) => each in shipment.seen) ?? state;
}
