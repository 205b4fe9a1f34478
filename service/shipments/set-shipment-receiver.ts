// SetShipmentReceiver (interface: Stated rules that involve state): sets the receiver of a shipment that has none, or
// removes it. Either makes a new PickUpCode (assumptions: States); both are the rules' business.
import { holdAccounts } from '../accounts/hold-accounts.ts';
import type { Handler } from '../handler.ts';
import { answerOnce } from '../idempotency.ts';
import { changeChain } from './change-chain.ts';
import { lockChainOf, storedShipmentOf } from './locked-chain.ts';

export const setShipmentReceiver: Handler<'SetShipmentReceiver'> = (request, context) =>
  answerOnce(context, request, async (transaction) => {
    const { shipmentUid, toUserUid, caseReferenceNew, removeReceiver } = request;
    const locked = await lockChainOf(transaction, context, shipmentUid);
    // The contract lets toUserUid be absent only together with removeReceiver.
    if (removeReceiver === true || toUserUid == null) {
      await changeChain(transaction, context, locked, { type: 'ReceiverRemoved', shipmentUid });
      return {};
    }
    await holdAccounts(transaction, [toUserUid]);
    const { shipmentId } = storedShipmentOf(locked, shipmentUid);
    if (caseReferenceNew != null)
      // Before the change of state, whose event tells of it.
      await transaction
        .updateTable('shipments')
        .set({ reference_case_no: caseReferenceNew })
        .where('shipment_id', '=', shipmentId)
        .execute();
    await changeChain(transaction, context, locked, { type: 'ReceiverSet', shipmentUid, toUserUid });
    return {};
  });
