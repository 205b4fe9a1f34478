// What may only be done to an active shipment (assumptions: States: SetShipmentDetails, AddShipmentObject,
// RemoveShipmentObject), and for which the rules know no event.
import { isActive } from '../../machines/chart.ts';
import { Refusal } from '../refusal.ts';
import { type LockedChain, type StoredShipment, storedShipmentOf } from './lock-chain.ts';

export function requireActive(locked: LockedChain, shipmentUid: string, what: string): StoredShipment {
  const shipment = storedShipmentOf(locked, shipmentUid);
  if (isActive(shipment.stateCode)) return shipment;
  throw new Refusal(
    'InvalidShipmentState',
    `Shipment ${shipmentUid} is ${shipment.stateCode}; ${what} only while it is active`,
  );
}
