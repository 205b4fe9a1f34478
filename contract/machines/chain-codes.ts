// Which access codes the shipments of a chain have, and what an event does to them (assumptions: Lockers and codes,
// access codes). This file does not know the codes themselves. A code ends with its shipment; access.ts says when a
// code opens.

import { type Chain, type ChainShipment, isCircularStockPending, shipmentOf } from './chain-shipments.ts';
import { isActive } from './chart.ts';

export interface CodeChange {
  pickUpCode?: 'new';
  /** shared: the PickUpCode of the predecessor after this event. */
  deliveryCode?: 'new' | 'shared';
}

/** Shipments that get a new code. */
export interface RenewedCodes {
  pickUp: readonly string[];
  delivery: readonly string[];
}

export const noneRenewed: RenewedCodes = { pickUp: [], delivery: [] };

/** An intake has none while its circular stock is pending: no person picks the intake up. */
export function hasPickUpCode(chain: Chain, shipment: ChainShipment): boolean {
  return !isCircularStockPending(chain, shipment.shipmentUid);
}

/** None if no person drops an item off. */
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

/** A swap shares one code: a new code for either shipment is made on the predecessor, and so changes both. */
export function renewedByAccess(chain: Chain, shipmentUid: string, pickUp: boolean, delivery: boolean) {
  const shipment = shipmentOf(chain, shipmentUid);
  const ownPickUp = pickUp ? [shipmentUid] : [];
  if (!delivery) return { pickUp: ownPickUp, delivery: [] };
  return shipment.predecessor && sharesPredecessorCode(chain, shipment)
    ? { pickUp: [shipment.predecessor.shipmentUid, ...ownPickUp], delivery: [] }
    : { pickUp: ownPickUp, delivery: [shipmentUid] };
}

/** The changes of one shipment's codes between the chain before (undefined: booked now) and the chain after. */
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
