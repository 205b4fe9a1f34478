// CreateLocalShipmentAsStock and CreateLocalShipmentAsStockAfterSwapIntake: an item that waits for its receiver, put
// into a new locker, or into a return's locker while the dispatcher takes the return out.
import type { Handler } from '../handler.ts';
import { sidesOf } from '../sides.ts';
import { bookChain } from './book-chain.ts';
import { changeChain } from './change-chain.ts';
import { storedShipmentOf } from './lock-chain.ts';
import { detailsOf, plannedShipment, roomOf } from './planned-shipment.ts';
import { requireFit } from './requirements.ts';
import { several } from './shipment-uids.ts';

export const createLocalShipmentAsStock: Handler<'CreateLocalShipmentAsStock'> = (request, context) => {
  const stock = plannedShipment({
    fromUserUid: context.dispatcherUserUid,
    toUserUid: null,
    details: detailsOf(request.details),
    room: roomOf(request),
  });
  return bookChain(context, request, [stock], several(context, [stock]));
};

export const createLocalShipmentAsStockAfterSwapIntake: Handler<
  'CreateLocalShipmentAsStockAfterSwapIntake'
> = (request, context) => {
  const { dispatcherUserUid } = context;
  const { priorShipmentUid, dimension } = request;
  return changeChain(context, request, { shipmentUid: priorShipmentUid }, (locked) => {
    const { room } = storedShipmentOf(locked, priorShipmentUid);
    const stock = plannedShipment({
      fromUserUid: dispatcherUserUid,
      toUserUid: null,
      predecessor: { shipmentUid: priorShipmentUid, link: 'swap' },
      details: detailsOf(request.details),
      room: { ...room, sides: sidesOf(dimension) },
    });
    requireFit(stock, locked);
    return {
      events: [{ type: 'Booked', shipments: [stock], predecessorGoesTo: dispatcherUserUid }],
      answer: several(context, [stock]),
    };
  });
};
