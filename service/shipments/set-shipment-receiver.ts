// SetShipmentReceiver (interface: Stated rules that involve state): sets the receiver of a shipment that has none, or
// removes it. Either makes a new PickUpCode (assumptions: States). The rules of machines/ decide both.
import type { Handler } from '../handler.ts';
import { changeChain } from './change-chain.ts';
import { requireAccounts } from './lock-chain.ts';

export const setShipmentReceiver: Handler<'SetShipmentReceiver'> = (request, context) => {
  const { shipmentUid, toUserUid, caseReferenceNew, removeReceiver } = request;
  // The contract lets toUserUid be absent only together with removeReceiver.
  if (removeReceiver === true || toUserUid == null)
    return changeChain(context, request, { shipmentUid }, () => ({
      events: [{ type: 'ReceiverRemoved', shipmentUid }],
      answer: {},
    }));
  const edits =
    caseReferenceNew == null ? [] : [{ shipmentUid, details: { referenceCaseNo: caseReferenceNew } }];
  return changeChain(
    context,
    request,
    { shipmentUid },
    (locked) => {
      requireAccounts(locked);
      return { events: [{ type: 'ReceiverSet', shipmentUid, toUserUid }], edits, answer: {} };
    },
    [toUserUid],
  );
};
