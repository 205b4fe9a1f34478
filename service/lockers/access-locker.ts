// What a person does at the wall: types an access code at a pick up point. SimulateLockerAccess calls this. A real wall
// uses the same rules (walls/typed-code.ts). The rules of machines/ decide which code opens in which state.
import { type AccessEvent, eventOfCode } from '../../machines/access.ts';
import type { Context } from '../handler.ts';
import { Refusal } from '../refusal.ts';
import { changeAtOpenDoor } from '../shipments/change-chain.ts';
import { type LockedChain, type TypedCode, WRONG_CODE } from '../shipments/lock-chain.ts';

/** Opens the locker and advances its shipment; throws InvalidAccessCode for a code that opens nothing now. */
export function accessLocker(
  context: Context,
  request: object,
  typed: TypedCode,
): Promise<Record<string, never>> {
  // The chain may have changed while this waited for the lock: only its present state counts.
  return changeAtOpenDoor(context, request, typed, (locked) => ({
    events: [accessBy(locked, typed.code)],
    answer: {},
  }));
}

/** What the code does now. Throws InvalidAccessCode if it opens nothing. */
export function accessBy(
  { shipments }: LockedChain,
  code: string,
): { readonly type: AccessEvent; readonly shipmentUid: string } {
  for (const { shipmentUid, stateCode, pickUpCode, deliveryCode } of shipments) {
    const type =
      (code === pickUpCode && eventOfCode(stateCode, 'pickUpCode')) ||
      (code === deliveryCode && eventOfCode(stateCode, 'deliveryCode'));
    if (type) return { type, shipmentUid };
  }
  throw new Refusal('InvalidAccessCode', WRONG_CODE);
}
