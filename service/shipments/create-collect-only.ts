// The three operations that book a locker for a collect only (interface: CreateCollectOnlyShipment): nothing is dropped
// off, and with KeepBookedAfterPickUp the locker stays booked until the shipment is cancelled.
import type { Context, Handler } from '../handler.ts';
import { bookChain } from './book-chain.ts';
import type { BookingRequest } from './booking-request.ts';
import { detailsOf, type PlannedShipment, plannedShipment, roomOf } from './planned-shipment.ts';
import { several } from './shipment-uids.ts';

export const createCollectOnlyShipment: Handler<'CreateCollectOnlyShipment'> = (request, context) => {
  const collect = collectOnly(request, request.toUserUid ?? context.dispatcherUserUid, context);
  return bookChain(context, request, [collect], { shipmentUid: collect.shipmentUid });
};

export const createCollectOnlyShipmentAsCollectByDispatcher: Handler<
  'CreateCollectOnlyShipmentAsCollectByDispatcher'
> = (request, context) => {
  const collect = collectOnly(request, context.dispatcherUserUid, context);
  return bookChain(context, request, [collect], several(context, [collect]));
};

export const createCollectOnlyShipmentAsCollectByUser: Handler<'CreateCollectOnlyShipmentAsCollectByUser'> = (
  request,
  context,
) => {
  const collect = collectOnly(request, request.toUserUid, context);
  return bookChain(context, request, [collect], several(context, [collect]));
};

type CollectOnlyRequest = BookingRequest & {
  readonly keepBookedAfterPickUp: boolean;
  readonly details?: Parameters<typeof detailsOf>[0];
};

function collectOnly(
  request: CollectOnlyRequest,
  toUserUid: string,
  { dispatcherUserUid }: Context,
): PlannedShipment {
  return plannedShipment({
    shipmentType: 'CollectOnlyShipment',
    fromUserUid: dispatcherUserUid,
    toUserUid,
    keepBookedAfterPickUp: request.keepBookedAfterPickUp,
    details: detailsOf(request.details),
    room: roomOf(request),
  });
}
