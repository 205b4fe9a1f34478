// CreateLocalShipmentAsIssue and CreateLocalShipmentAsIssueAndSwapIntake: from the dispatcher to a user, alone or with
// a return that the user puts into the same locker while taking the item out.
import type { Handler } from '../handler.ts';
import { bookChain } from './book-chain.ts';
import { detailsOf, plannedShipment, roomOf } from './planned-shipment.ts';
import { several } from './shipment-uids.ts';

export const createLocalShipmentAsIssue: Handler<'CreateLocalShipmentAsIssue'> = (request, context) => {
  const issue = plannedShipment({
    fromUserUid: context.dispatcherUserUid,
    toUserUid: request.toUserUid,
    details: detailsOf(request.details),
    room: roomOf(request),
  });
  return bookChain(context, request, [issue], several(context, [issue]));
};

export const createLocalShipmentAsIssueAndSwapIntake: Handler<'CreateLocalShipmentAsIssueAndSwapIntake'> = (
  request,
  context,
) => {
  const { dispatcherUserUid } = context;
  const { toUserUid } = request;
  const room = roomOf(request);
  const issue = plannedShipment({
    fromUserUid: dispatcherUserUid,
    toUserUid,
    details: detailsOf(request.details),
    room,
  });
  const intake = plannedShipment({
    fromUserUid: toUserUid,
    fromFollowsPredecessorReceiver: true,
    toUserUid: dispatcherUserUid,
    predecessor: { shipmentUid: issue.shipmentUid, link: 'swap' },
    details: detailsOf(request.return),
    room,
  });
  return bookChain(context, request, [issue, intake], several(context, [issue, intake]));
};
