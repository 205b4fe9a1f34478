// UnlockShipmentLocker (interface: Shipment management; assumptions: Lockers and codes): a goal that opens counts as that access and
// advances the shipment; without a goal the door opens and nothing advances. It also opens for the item that a cancelled
// shipment left behind.

import type { Request } from '../../contract/index.ts';
import { type Unlock, unlock } from '../../machines/access.ts';
import type { Handler } from '../handler.ts';
import { Refusal } from '../refusal.ts';
import { changeAtOpenDoor } from '../shipments/change-chain.ts';
import { type StoredShipment, storedShipmentOf } from '../shipments/lock-chain.ts';

export const unlockShipmentLocker: Handler<'UnlockShipmentLocker'> = (request, context) => {
  const { shipmentUid } = request;
  return changeAtOpenDoor(context, request, { shipmentUid }, (locked) => {
    const { event } = requireUnlock(storedShipmentOf(locked, shipmentUid), request);
    return { events: event ? [{ type: event, shipmentUid }] : [], answer: {} };
  });
};

/** The access that the goal and the pin code allow now. Throws the interface's errors if they allow none. */
function requireUnlock(
  shipment: StoredShipment,
  { unlockGoal, pinCode }: Request<'UnlockShipmentLocker'>,
): Extract<Unlock, { opens: true }> {
  const { shipmentUid, stateCode, isItemLeft } = shipment;
  const unlocking = unlock(shipment, unlockGoal ?? null);
  if (!unlocking.opens) {
    const state = stateCode === 'Cancelled' && !isItemLeft ? 'Cancelled and has no item inside' : stateCode;
    throw new Refusal(
      unlocking.error,
      `Shipment ${shipmentUid} is ${state}: its locker cannot be opened` +
        (unlockGoal == null ? '' : ` for ${unlockGoal}`),
    );
  }
  // interface: "when empty no code validation is applied".
  if (pinCode && !unlocking.codes.some((code) => shipment[code] === pinCode))
    throw new Refusal(
      'InvalidAccessCode',
      'pinCode: wrong, or not valid in the present state of the shipment',
    );
  return unlocking;
}
