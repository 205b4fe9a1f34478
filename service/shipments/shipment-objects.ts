// AddShipmentObject and RemoveShipmentObject (interface: Shipment management): the items attached to a shipment.
// Their dimensions never move a booking (assumptions: States).
import type { Transaction } from 'kysely';
import type { Request } from '../../contract/index.ts';
import type { Handler } from '../handler.ts';
import { answerOnce } from '../idempotency.ts';
import { Refusal } from '../refusal.ts';
import type { Database } from '../storage/database.ts';
import { newUid } from '../uid.ts';
import { changeChain } from './change-chain.ts';
import { type LockedChain, lockChainOf, type StoredShipment } from './locked-chain.ts';
import { requireActive } from './require-active.ts';

export const addShipmentObject: Handler<'AddShipmentObject'> = (request, context) =>
  answerOnce(context, request, async (transaction) => {
    const { shipmentUid, details, changePickUpAccess, changeDropOffAccess } = request;
    const locked = await lockChainOf(transaction, context, shipmentUid);
    const shipment = requireActive(locked, shipmentUid, 'an object can be added');
    const { shipmentId } = shipment;
    const shipmentObjectUid = newUid();
    await transaction
      .insertInto('shipment_objects')
      .values({
        shipment_object_uid: shipmentObjectUid,
        shipment_id: shipmentId,
        reference_no: details.referenceNo ?? null,
        description: details.description ?? null,
        weight_grams: details.weight ?? null,
        count: details.count ?? null,
        width: details.dimension?.width ?? null,
        height: details.dimension?.height ?? null,
        length: details.dimension?.length ?? null,
      })
      .execute();
    await touch(transaction, locked, shipmentId);
    await changeChain(transaction, context, locked, {
      type: 'AccessChanged',
      shipmentUid,
      pickUp: changePickUpAccess === true,
      delivery: changeDropOffAccess === true,
    });
    return { shipmentUid, shipmentObjectUid, message: unchangedCodes(request, shipment) };
  });

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

export const removeShipmentObject: Handler<'RemoveShipmentObject'> = (request, context) =>
  answerOnce(context, request, async (transaction) => {
    const { shipmentUid, shipmentObjectUid } = request;
    const locked = await lockChainOf(transaction, context, shipmentUid);
    const { shipmentId } = requireActive(locked, shipmentUid, 'an object can be removed');
    const removed = await transaction
      .deleteFrom('shipment_objects')
      .where('shipment_object_uid', '=', shipmentObjectUid)
      .where('shipment_id', '=', shipmentId)
      .returning('shipment_object_id')
      .executeTakeFirst();
    if (!removed)
      throw new Refusal(
        'InvalidShipmentObject',
        `Shipment ${shipmentUid} has no shipment object ${shipmentObjectUid}`,
      );
    await touch(transaction, locked, shipmentId);
    return { shipmentUid, shipmentObjectUid };
  });

/** Objects are activity of their shipment: whoever lists what changed since gets to see it. */
async function touch(
  transaction: Transaction<Database>,
  { now }: LockedChain,
  shipmentId: number,
): Promise<void> {
  await transaction
    .updateTable('shipments')
    .set({ updated_at: now })
    .where('shipment_id', '=', shipmentId)
    .execute();
}
