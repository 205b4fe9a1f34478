// CreateLocalShipment (interface; assumptions: Chains): one account-to-account shipment, in a locker of its own or as a swap.
import type { Request } from '../../contract/index.ts';
import type { Context, Handler } from '../handler.ts';
import { Refusal } from '../refusal.ts';
import { bookChain } from './book-chain.ts';
import { changeChain } from './change-chain.ts';
import { type LockedChain, requireAccounts } from './lock-chain.ts';
import { detailsOf, type PlannedShipment, plannedShipment, roomOf } from './planned-shipment.ts';
import { requireFit } from './requirements.ts';

export const createLocalShipment: Handler<'CreateLocalShipment'> = (request, context) => {
  const shipment = plan(request, context);
  const { shipmentUid } = shipment;
  const { swapsShipmentUid } = request;
  if (swapsShipmentUid == null) return bookChain(context, request, [shipment], { shipmentUid });
  return changeChain(
    context,
    request,
    { shipmentUid: swapsShipmentUid },
    (locked) => {
      requireSamePlace(request, locked);
      requireAccounts(locked);
      requireFit(shipment, locked);
      const { pupUid, lockerName } = locked.locker;
      return {
        events: [{ type: 'Booked', shipments: [shipment] }],
        answer: { shipmentUid, pupUid, lockerName },
      };
    },
    namedUsers(request),
  );
};

function plan(request: Request<'CreateLocalShipment'>, { dispatcherUserUid }: Context): PlannedShipment {
  const { fromUserUid, toUserUid, swapsShipmentUid } = request;
  const isReceiverDelayed = request.isReceiverDelayed === true;
  // interface: CreateLocalShipment, Rule: the From user is then the To user of the swapped shipment.
  const followsReceiver = isReceiverDelayed && fromUserUid == null && swapsShipmentUid != null;
  return plannedShipment({
    fromUserUid: followsReceiver ? null : (fromUserUid ?? dispatcherUserUid),
    toUserUid: isReceiverDelayed ? null : (toUserUid ?? dispatcherUserUid),
    fromFollowsPredecessorReceiver: followsReceiver,
    predecessor: swapsShipmentUid == null ? null : { shipmentUid: swapsShipmentUid, link: 'swap' },
    details: detailsOf(request),
    room: roomOf(request),
  });
}

const namedUsers = ({ fromUserUid, toUserUid }: Request<'CreateLocalShipment'>): string[] =>
  [fromUserUid, toUserUid].filter((uid) => uid != null);

/** assumptions: Chains: a swap shares the prior shipment's locker, so its request must name the same one. */
function requireSamePlace(request: Request<'CreateLocalShipment'>, { locker }: LockedChain): void {
  if (request.pupUid !== locker.pupUid && request.pupUid !== locker.requestedPupUid)
    throw new Refusal(
      'InvalidPupUid',
      `PupUid: the shipment to be swapped is at ${locker.pupUid}, not at ${request.pupUid}`,
    );
  if (request.lockerUid != null && request.lockerUid !== locker.lockerUid)
    throw new Refusal(
      'InvalidLockerUid',
      `LockerUid: the shipment to be swapped is in ${locker.lockerUid}, not in ${request.lockerUid}`,
    );
}
