// SetShipmentDetails (interface: Shipment management): overrides the details of an active shipment (assumptions: States).
import type { Handler } from '../handler.ts';
import { answerOnce } from '../idempotency.ts';
import { lockChainOf } from './locked-chain.ts';
import { requireActive } from './require-active.ts';

export const setShipmentDetails: Handler<'SetShipmentDetails'> = (request, context) =>
  answerOnce(context, request, async (transaction) => {
    const locked = await lockChainOf(transaction, context, request.shipmentUid);
    const { shipmentId } = requireActive(locked, request.shipmentUid, 'its details can be changed');
    await transaction
      .updateTable('shipments')
      .set({
        reference_no: request.referenceNo,
        reference_case_no: request.referenceCaseNo,
        description: request.description,
        updated_at: locked.now,
      })
      .where('shipment_id', '=', shipmentId)
      .execute();
    return {};
  });
