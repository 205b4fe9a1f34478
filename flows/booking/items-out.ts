// Items that are with a person, and that a process waits for: whoever undoes it must know that nobody waits for them any more.
import { type Declaration, legOf } from '../built-in/declaration.ts';
import { type FlowContext, isInactive, type KnownShipment, shipmentWithRole, stateOf } from './known.ts';

/** The legs by which they are to come back. */
export function itemsOut(flow: Declaration, known: FlowContext): KnownShipment[] {
  return known.shipments.filter((shipment) => {
    const { role } = shipment;
    if (role !== 'intake' || isInactive(shipment)) return false;
    const { follows } = legOf(flow, role);
    // A swap is put in as the other item is taken out: until then it was its owner's.
    if (follows?.link === 'swap') return false;
    const state = stateOf(shipment);
    // It begins so once the other was taken out, whatever has been reported of that.
    if (state === 'ReadyForDropoff') return true;
    const before = follows && shipmentWithRole(known, follows.role);
    return state === 'Registered' && before != null && stateOf(before) === 'Completed';
  });
}
