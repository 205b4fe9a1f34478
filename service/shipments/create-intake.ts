// CreateLocalShipmentAsIntake and CreateLocalShipmentAsIntakeAndCircularStock: from a user to the dispatcher, who
// collects the item, or has it as stock again when it is dropped off.
import type { Handler } from '../handler.ts';
import { bookChain } from './book-chain.ts';
import { detailsOf, plannedShipment, roomOf } from './planned-shipment.ts';
import { several } from './shipment-uids.ts';

export const createLocalShipmentAsIntake: Handler<'CreateLocalShipmentAsIntake'> = (request, context) => {
  const intake = plannedShipment({
    fromUserUid: request.fromUserUid,
    toUserUid: context.dispatcherUserUid,
    details: detailsOf(request.details),
    room: roomOf(request),
  });
  return bookChain(context, request, [intake], several(context, [intake]));
};

export const createLocalShipmentAsIntakeAndCircularStock: Handler<
  'CreateLocalShipmentAsIntakeAndCircularStock'
> = (request, context) => {
  const { dispatcherUserUid } = context;
  const room = roomOf(request);
  // assumptions: Chains: both take Details.
  const details = detailsOf(request.details);
  const intake = plannedShipment({
    fromUserUid: request.fromUserUid,
    toUserUid: dispatcherUserUid,
    details,
    room,
  });
  const stock = plannedShipment({
    fromUserUid: dispatcherUserUid,
    toUserUid: null,
    predecessor: { shipmentUid: intake.shipmentUid, link: 'circularStock' },
    details,
    room,
  });
  return bookChain(context, request, [intake, stock], several(context, [intake, stock]));
};
