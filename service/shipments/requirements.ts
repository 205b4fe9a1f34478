// Checks before a change of a chain that has no event in the rules.
import { isActive } from '../../machines/chart.ts';
import { Refusal } from '../refusal.ts';
import { fits, inWords } from '../sides.ts';
import { type LockedChain, type StoredShipment, storedShipmentOf } from './lock-chain.ts';
import type { PlannedShipment } from './planned-shipment.ts';

/** assumptions: States, States for SetShipmentDetails, AddShipmentObject, RemoveShipmentObject. */
export function requireActive(locked: LockedChain, shipmentUid: string, what: string): StoredShipment {
  const shipment = storedShipmentOf(locked, shipmentUid);
  if (isActive(shipment.stateCode)) return shipment;
  throw new Refusal(
    'InvalidShipmentState',
    `Shipment ${shipmentUid} is ${shipment.stateCode}; ${what} only while it is active`,
  );
}

/** assumptions: Chains: the item of a swap goes into its predecessor's locker, and must fit there. */
export function requireFit({ room }: PlannedShipment, { locker }: LockedChain): void {
  if (fits(room.sides, locker.inside)) return;
  throw new Refusal(
    'NoLockerAvailable',
    `The item of ${inWords(room.sides)} does not fit in locker ${locker.lockerName} of the prior shipment ` +
      `(${inWords(locker.inside)} inside), and a swap uses the same locker`,
  );
}
