// GetShipment, GetShipmentObjects and GetShipmentEvents (assumptions: Operating) and GetShipmentAccessCode (assumptions: Reading):
// one shipment of the tenant, what is attached to it, its history and its codes.
import { sql } from 'kysely';
import type { Context, Handlers } from '../../handler.ts';
import { withinBytes } from '../../page.ts';
import { asRenamed } from '../../switches/switches.ts';
import { withoutOffset } from '../../wire-time.ts';
import { unknownShipment } from '../lock-chain.ts';
import { latestEvents, MAX_EVENTS } from './get-shipment-events.ts';
import { itsUids, type ShipmentRow, shipmentColumns, shipmentRecord } from './get-shipments.ts';

/** Each has up to 4,000 characters. */
const MAX_OBJECTS = 1_000;

export const reading = {
  GetShipment: async ({ shipmentUid }, context) => {
    // Who left an item in a locker is not known where that was before this was recorded: then it is null.
    const { rows } = await sql<
      ShipmentRow & { readonly lockerUid: string; readonly isItemLeft: boolean | null }
    >`
    select ${shipmentColumns}, locker.locker_uid as "lockerUid",
      case when shipment.state_code <> 'Cancelled' or not locker.to_be_emptied then false
        else locker.left_shipment_id = shipment.shipment_id end as "isItemLeft"
    from shipments as shipment ${itsUids}
    where shipment.shipment_uid = ${shipmentUid} and shipment.tenant_id = ${context.tenantId}
  `.execute(context.database);
    const [row] = rows;
    if (!row) throw unknownShipment(shipmentUid);
    const { lockerUid, isItemLeft } = row;
    const updatedAt = withoutOffset(row.updated_at);
    return { ...shipmentRecord(row, context), lockerUid, updatedAt, isItemLeft };
  },

  GetShipmentObjects: async ({ shipmentUid }, context) => {
    const shipmentId = await ownShipmentId(shipmentUid, context);
    const rows = await context.database
      .selectFrom('shipment_objects')
      .select(['shipment_object_uid as shipmentObjectUid', 'reference_no as referenceNo', 'description'])
      .select(['weight_grams as weight', 'count', 'width', 'height', 'length'])
      .where('shipment_id', '=', shipmentId)
      .orderBy('shipment_object_id')
      .limit(MAX_OBJECTS + 1)
      .execute();
    const items = withinBytes(
      rows.slice(0, MAX_OBJECTS).map(({ width, height, length, ...row }) => ({
        ...row,
        dimension: width === null ? null : { width, height, length },
      })),
    );
    return { items, isComplete: items.length === rows.length };
  },

  /** Both codes, null where it has none (any more). */
  GetShipmentAccessCode: async ({ shipmentUid }, { database, tenantId }) => {
    const codes = await database
      .selectFrom('shipments')
      .select(['shipment_uid as shipmentUid', 'pick_up_code as pickUpCode', 'delivery_code as deliveryCode'])
      .where('shipment_uid', '=', shipmentUid)
      .where('tenant_id', '=', tenantId)
      .executeTakeFirst();
    if (!codes) throw unknownShipment(shipmentUid);
    return codes;
  },

  GetShipmentEvents: async ({ shipmentUid }, context) => {
    const shipmentId = await ownShipmentId(shipmentUid, context);
    const rows = await latestEvents(context, shipmentId, shipmentUid);
    return {
      items: rows
        .slice(0, MAX_EVENTS)
        .reverse()
        .map((event) => ({
          ...event,
          occurredAt: withoutOffset(event.occurredAt),
          stateCode: event.stateCode && asRenamed(context.switches, event.stateCode),
        })),
      isComplete: rows.length <= MAX_EVENTS,
    };
  },
} satisfies Partial<Handlers>;

/** Throws InvalidShipment for an unknown shipment, and for another tenant's. */
async function ownShipmentId(
  shipmentUid: string,
  { database, tenantId }: Pick<Context, 'database' | 'tenantId'>,
): Promise<number> {
  const shipment = await database
    .selectFrom('shipments')
    .select('shipment_id')
    .where('shipment_uid', '=', shipmentUid)
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst();
  if (!shipment) throw unknownShipment(shipmentUid);
  return shipment.shipment_id;
}
