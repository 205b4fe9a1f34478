// What the regions of the legs hear, as events of the chart: reports, and what has become known of a leg otherwise.
import type { Role } from '../../contract/flows/flow-input.ts';
import type { ShipmentReport } from '../../contract/flows/flow-messages.ts';
import type { StateCode } from '../../contract/wire/states.ts';
import { type Declaration, rolesOf } from '../../flows/declaration.ts';
import { doneStates, isDone, type Known, type KnownShipment, shipmentWithRole, stateOf } from './known.ts';

export type LegEvent =
  /** A report says that the shipment is in this state. */
  | `${Role}.${StateCode}`
  /** The shipment of the leg has become known, in this state. */
  | `${Role}.found.${StateCode | 'StateUnknown' | 'Superseded'}`
  /** Evidence has taken back which shipment is the leg. */
  | `${Role}.lost`
  /** It is in this state by the word of a person, or because a late report shows that the leg was done in it. */
  | `${Role}.set.${StateCode}`
  | `${Role}.superseded`;

export interface Raised {
  readonly type: LegEvent;
  readonly report?: ShipmentReport;
}

/** What the legs hear of what has become known otherwise than by a way of their own. */
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

/** Where the leg is: a leg that has been done stays so, whatever its shipment is in now. */
function landing(flow: Declaration, known: Known, role: Role, shipment: KnownShipment) {
  const state = stateOf(shipment);
  const done = doneStates(flow, known, role);
  if (state && done.includes(state)) return state;
  return done.find((each) => each in shipment.seen) ?? state;
}
