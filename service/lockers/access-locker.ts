// SimulateLockerAccess (interface: staging only) and UnlockShipmentLocker (interface: Shipment management): a locker is opened
// for its shipment; ReportShipmentAccess (assumptions: Operating): it was opened by hand. A real wall uses the same rules
// (walls/settle-command.ts). The rules of contract/machines/ decide what opens in which state.
import type { Request } from '../../contract/index.ts';
import { type AccessEvent, eventOfCode, type Unlock, unlock } from '../../contract/machines/access.ts';
import { ApiError } from '../api-error.ts';
import type { Context, Handlers } from '../handler.ts';
import { changeAtOpenDoor } from '../shipments/change-chain.ts';
import {
  type LockedChain,
  type StoredShipment,
  storedShipmentOf,
  WRONG_CODE,
} from '../shipments/lock-chain.ts';

export const lockerAccess = {
  /** What a person does at the wall: types a code. */
  SimulateLockerAccess: (request, context) => {
    const { pupUid, lockerName, pinCode: code } = request;
    // The chain may have changed while this waited for the lock: only its present state counts.
    return changeAtOpenDoor(context, request, { pupUid, lockerName, code }, (locked) => ({
      events: [accessBy(locked, code)],
      answer: {},
    }));
  },

  /**
   * assumptions: Lockers and codes: a goal that opens counts as that access and advances the shipment; without a goal the door opens
   * and nothing advances. It also opens for the item that a cancelled shipment left behind.
   */
  UnlockShipmentLocker: (request, context) => accessFor(context, request, request),

  /** assumptions: Operating: somebody opened the door with a key, where the wall could not, and gave out the item or put it in. */
  ReportShipmentAccess: (request, context) =>
    accessFor(context, request, { unlockGoal: request.accessGoal }, true),
} satisfies Partial<Handlers>;

type Unlocking = Pick<Request<'UnlockShipmentLocker'>, 'unlockGoal' | 'pinCode'>;

const accessFor = (
  context: Context,
  request: { readonly shipmentUid: string },
  unlocking: Unlocking,
  isOpenedByHand = false,
): Promise<Record<string, never>> =>
  changeAtOpenDoor(
    context,
    request,
    { shipmentUid: request.shipmentUid },
    (locked) => {
      const { shipmentUid } = request;
      const { event } = requireUnlock(storedShipmentOf(locked, shipmentUid), unlocking);
      return { events: event ? [{ type: event, shipmentUid }] : [], answer: {} };
    },
    isOpenedByHand,
  );

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
  throw new ApiError('InvalidAccessCode', WRONG_CODE);
}

/** The access that the goal and the pin code allow now. Throws the interface's errors if they allow none. */
function requireUnlock(
  shipment: StoredShipment,
  { unlockGoal, pinCode }: Unlocking,
): Extract<Unlock, { opens: true }> {
  const { shipmentUid, stateCode, isItemLeft } = shipment;
  const unlocking = unlock(shipment, unlockGoal ?? null);
  if (!unlocking.opens) {
    const state = stateCode === 'Cancelled' && !isItemLeft ? 'Cancelled and has no item inside' : stateCode;
    throw new ApiError(
      unlocking.error,
      `Shipment ${shipmentUid} is ${state}: its locker cannot be opened` +
        (unlockGoal == null ? '' : ` for ${unlockGoal}`),
    );
  }
  // interface: "when empty no code validation is applied".
  if (pinCode && !unlocking.codes.some((code) => shipment[code] === pinCode))
    throw new ApiError(
      'InvalidAccessCode',
      'pinCode: wrong, or not valid in the present state of the shipment',
    );
  return unlocking;
}
