// What a person does at the wall: types an access code at a pick up point. The locker hardware calls this; so does
// SimulateLockerAccess. The rules of machines/ decide which code opens in which state.
import { eventOfCode } from '../../machines/access.ts';
import type { Context } from '../handler.ts';
import { Refusal } from '../refusal.ts';
import { changeChain } from '../shipments/change-chain.ts';
import { type LockedChain, type TypedCode, WRONG_CODE } from '../shipments/lock-chain.ts';

/** Opens the locker and advances its shipment; throws InvalidAccessCode for a code that opens nothing now. */
export function accessLocker(
  context: Context,
  request: object,
  typed: TypedCode,
): Promise<Record<string, never>> {
  return context.doors.access((openDoor) =>
    changeChain(context, request, typed, (locked) => {
      // The chain may have changed while this waited for the lock: only its present state counts.
      const event = openedBy(locked, typed.code);
      if (!event) throw new Refusal('InvalidAccessCode', WRONG_CODE);
      return { events: [event], openDoor, answer: {} };
    }),
  );
}

function openedBy(
  { shipments }: LockedChain,
  code: string,
): { type: 'ItemDroppedOff' | 'ItemPickedUp'; shipmentUid: string } | undefined {
  for (const { shipmentUid, stateCode, pickUpCode, deliveryCode } of shipments) {
    const type =
      (code === pickUpCode && eventOfCode(stateCode, 'pickUpCode')) ||
      (code === deliveryCode && eventOfCode(stateCode, 'deliveryCode'));
    if (type) return { type, shipmentUid };
  }
  return undefined;
}
