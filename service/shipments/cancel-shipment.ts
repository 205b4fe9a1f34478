// CancelShipment (interface: Shipment management; assumptions: States): with it go its successors still Registered.
import type { Handler } from '../handler.ts';
import { answerOnce } from '../idempotency.ts';
import { changeChain } from './change-chain.ts';
import { lockChainOf } from './locked-chain.ts';

export const cancelShipment: Handler<'CancelShipment'> = (request, context) =>
  answerOnce(context, request, async (transaction) => {
    const { shipmentUid } = request;
    const locked = await lockChainOf(transaction, context, shipmentUid);
    await changeChain(transaction, context, locked, { type: 'Cancelled', shipmentUid });
    return {};
  });
