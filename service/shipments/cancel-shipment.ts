// CancelShipment (interface: Shipment management; assumptions: States): also cancels successors that are still
// Registered.
import type { Handler } from '../handler.ts';
import { changeChain } from './change-chain.ts';

export const cancelShipment: Handler<'CancelShipment'> = (request, context) => {
  const { shipmentUid } = request;
  return changeChain(context, request, { shipmentUid }, () => ({
    events: [{ type: 'Cancelled', shipmentUid }],
    answer: {},
  }));
};
