// SetShipmentDetails (interface: Shipment management): overrides the details of an active shipment (assumptions: States). An
// empty ReferenceNo or ReferenceCaseNo means none: the interface takes no null there.
import type { Handler } from '../handler.ts';
import { changeChain } from './change-chain.ts';
import { requireActive } from './requirements.ts';

export const setShipmentDetails: Handler<'SetShipmentDetails'> = (request, context) => {
  const { shipmentUid, referenceNo, referenceCaseNo, description } = request;
  return changeChain(context, request, { shipmentUid }, (locked) => {
    requireActive(locked, shipmentUid, 'its details can be changed');
    const details = {
      referenceNo: referenceNo || null,
      referenceCaseNo: referenceCaseNo || null,
      description,
    };
    return { events: [], edits: [{ shipmentUid, details }], answer: {} };
  });
};
