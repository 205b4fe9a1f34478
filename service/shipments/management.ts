// The operations that change a shipment (interface: Shipment management; assumptions: States). The rules of contract/machines/
// decide what each does to its chain.
import type { Request } from '../../contract/index.ts';
import { isActive } from '../../contract/machines/chart.ts';
import { ApiError } from '../api-error.ts';
import type { Handlers } from '../handler.ts';
import { newUid } from '../uid.ts';
import { changeChain } from './change-chain.ts';
import { type LockedChain, requireAccounts, type StoredShipment, storedShipmentOf } from './lock-chain.ts';

export const management = {
  /** Also cancels successors that are still Registered. */
  CancelShipment: (request, context) => {
    const { shipmentUid } = request;
    return changeChain(context, request, { shipmentUid }, () => ({
      events: [{ type: 'Cancelled', shipmentUid }],
      answer: {},
    }));
  },

  /** An empty ReferenceNo or ReferenceCaseNo means none: the interface takes no null there. */
  SetShipmentDetails: (request, context) => {
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
  },

  /** Sets the receiver of a shipment that has none, or removes it. Either makes a new PickUpCode (assumptions: States). */
  SetShipmentReceiver: (request, context) => {
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
  },

  /** The dimension of an object never moves a booking (assumptions: States). */
  AddShipmentObject: (request, context) => {
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
  },

  RemoveShipmentObject: (request, context) => {
    const { shipmentUid, shipmentObjectUid } = request;
    return changeChain(context, request, { shipmentUid }, (locked) => {
      requireActive(locked, shipmentUid, 'an object can be removed');
      return {
        events: [],
        edits: [{ shipmentUid, removeObject: shipmentObjectUid }],
        answer: { shipmentUid, shipmentObjectUid },
      };
    });
  },
} satisfies Partial<Handlers>;

/** assumptions: States, States for SetShipmentDetails, AddShipmentObject, RemoveShipmentObject. */
function requireActive(locked: LockedChain, shipmentUid: string, what: string): StoredShipment {
  const shipment = storedShipmentOf(locked, shipmentUid);
  if (isActive(shipment.stateCode)) return shipment;
  throw new ApiError(
    'InvalidShipmentState',
    `Shipment ${shipmentUid} is ${shipment.stateCode}; ${what} only while it is active`,
  );
}

// ASSUMPTION: interface, AddShipmentObject: "creates a new pick up access code". One that does not exist is not made.
function unchangedCodes(
  { changePickUpAccess, changeDropOffAccess }: Request<'AddShipmentObject'>,
  { pickUpCode, deliveryCode }: StoredShipment,
): string | undefined {
  const unchanged = [
    changePickUpAccess && pickUpCode === null && 'changePickUpAccess: the shipment has no PickUpCode',
    changeDropOffAccess && deliveryCode === null && 'changeDropOffAccess: the shipment has no DeliveryCode',
  ].filter((each) => typeof each === 'string');
  return unchanged.length > 0
    ? `The object was added. No new code was made: ${unchanged.join('; ')}`
    : undefined;
}
