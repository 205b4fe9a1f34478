// Which access codes the shipments of a chain have, and what an event does to them (assumptions: Lockers and codes, access codes).
// Codes themselves are unknown here. A code ends with its shipment; what opens when is in access.ts.

import { activeSuccessor, type Chain, type ChainShipment, shipmentOf } from './chain-shipments.ts';
import { isActive } from './chart.ts';

export interface CodeChange {
  pickUpCode?: 'new';
  /** shared: the PickUpCode of the predecessor, as it is after this event. */
  deliveryCode?: 'new' | 'shared';
}

/** Shipments whose code is to be made anew. */
export interface RenewedCodes {
  pickUp: readonly string[];
  delivery: readonly string[];
}

export const noneRenewed: RenewedCodes = { pickUp: [], delivery: [] };

/** None on an intake while its circular stock is pending: nobody picks the intake up. */
export function hasPickUpCode(chain: Chain, shipment: ChainShipment): boolean {
  return activeSuccessor(chain, shipment.shipmentUid)?.predecessor?.link !== 'circularStock';
}

/** None where nothing is dropped off by hand. */
export function hasDeliveryCode(shipment: ChainShipment): boolean {
  return shipment.shipmentType !== 'CollectOnlyShipment' && shipment.predecessor?.link !== 'circularStock';
}

/** Whether the DeliveryCode is the predecessor's PickUpCode: a swap pair, until the predecessor has ended. */
export function sharesPredecessorCode(chain: Chain, shipment: ChainShipment): boolean {
  const { predecessor } = shipment;
  if (predecessor?.link !== 'swap') return false;
  const former = chain.find((each) => each.shipmentUid === predecessor.shipmentUid);
  return former !== undefined && isActive(former.stateCode);
}

/** A swap pair's shared code is made anew on the predecessor, and so on both, whichever of the two was asked for. */
export function renewedByAccess(chain: Chain, shipmentUid: string, pickUp: boolean, delivery: boolean) {
  const shipment = shipmentOf(chain, shipmentUid);
  const ownPickUp = pickUp ? [shipmentUid] : [];
  if (!delivery) return { pickUp: ownPickUp, delivery: [] };
  return shipment.predecessor && sharesPredecessorCode(chain, shipment)
    ? { pickUp: [shipment.predecessor.shipmentUid, ...ownPickUp], delivery: [] }
    : { pickUp: ownPickUp, delivery: [shipmentUid] };
}

/** What became of one shipment's codes from the chain before (undefined: booked now) to the chain after. */
export function codeChange(
  before: Chain,
  after: Chain,
  shipment: ChainShipment,
  renewed: RenewedCodes,
): CodeChange {
  if (!isActive(shipment.stateCode)) return {};
  const { shipmentUid, predecessor } = shipment;
  const former = before.find((each) => each.shipmentUid === shipmentUid);
  const hadPickUpCode = former !== undefined && hasPickUpCode(before, former);
  const change: CodeChange = {};
  if (hasPickUpCode(after, shipment) && (!hadPickUpCode || renewed.pickUp.includes(shipmentUid))) {
    change.pickUpCode = 'new';
  }
  if (!hasDeliveryCode(shipment)) return change;
  if (predecessor && sharesPredecessorCode(after, shipment)) {
    if (!former || renewed.pickUp.includes(predecessor.shipmentUid)) change.deliveryCode = 'shared';
  } else if (!former || renewed.delivery.includes(shipmentUid)) {
    change.deliveryCode = 'new';
  }
  return change;
}
