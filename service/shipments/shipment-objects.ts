// AddShipmentObject and RemoveShipmentObject (interface: Shipment management): the items attached to a shipment. Both
// count as activity of the shipment, so a listing of recent changes shows it. The dimension of an object never moves a
// booking (assumptions: States).
import type { Request } from '../../contract/index.ts';
import type { Handler } from '../handler.ts';
import { newUid } from '../uid.ts';
import { changeChain } from './change-chain.ts';
import type { StoredShipment } from './lock-chain.ts';
import { requireActive } from './requirements.ts';

export const addShipmentObject: Handler<'AddShipmentObject'> = (request, context) => {
  const { shipmentUid, details, changePickUpAccess, changeDropOffAccess } = request;
  return changeChain(context, request, { shipmentUid }, (locked) => {
    const shipment = requireActive(locked, shipmentUid, 'an object can be added');
    const shipmentObjectUid = newUid();
    const addObject = {
      shipment_object_uid: shipmentObjectUid,
      reference_no: details.referenceNo,
      description: details.description,
      weight_grams: details.weight,
      count: details.count,
      ...details.dimension,
    };
    const pickUp = changePickUpAccess === true;
    const delivery = changeDropOffAccess === true;
    return {
      events: [{ type: 'AccessChanged', shipmentUid, pickUp, delivery }],
      edits: [{ shipmentUid, addObject }],
      answer: { shipmentUid, shipmentObjectUid, message: unchangedCodes(request, shipment) },
    };
  });
};

// ASSUMPTION: interface, AddShipmentObject: "creates a new pick up access code". One that does not exist is not made.
function unchangedCodes(
  { changePickUpAccess, changeDropOffAccess }: Request<'AddShipmentObject'>,
  { pickUpCode, deliveryCode }: StoredShipment,
): string | undefined {
  const unchanged = [
    ...(changePickUpAccess && pickUpCode === null
      ? ['changePickUpAccess: the shipment has no PickUpCode']
      : []),
    ...(changeDropOffAccess && deliveryCode === null
      ? ['changeDropOffAccess: the shipment has no DeliveryCode']
      : []),
  ];
  return unchanged.length > 0
    ? `The object was added. No new code was made: ${unchanged.join('; ')}`
    : undefined;
}

export const removeShipmentObject: Handler<'RemoveShipmentObject'> = (request, context) => {
  const { shipmentUid, shipmentObjectUid } = request;
  return changeChain(context, request, { shipmentUid }, (locked) => {
    requireActive(locked, shipmentUid, 'an object can be removed');
    return {
      events: [],
      edits: [{ shipmentUid, removeObject: shipmentObjectUid }],
      answer: { shipmentUid, shipmentObjectUid },
    };
  });
};
