// What is stored of shipments and of their events, as it lies in Postgres: what the service says of itself is not asked.

import { type Kysely, sql } from 'kysely';
import type { StateCode } from '../../../contract/index.ts';
import type { Details } from '../../../service/shipments/planned-shipment.ts';
import type { Database } from '../../../service/storage/database.ts';

export interface StoredShipment extends Details {
  readonly shipmentUid: string;
  readonly stateCode: StateCode;
  readonly stateStart: Date;
  readonly updatedAt: Date;
  readonly fromUserUid: string | null;
  readonly toUserUid: string | null;
  readonly predecessorUid: string | null;
  readonly link: string | null;
  readonly pickUpCode: string | null;
  readonly deliveryCode: string | null;
  readonly pupUid: string;
  readonly lockerUid: string;
  readonly lockerName: string;
}

/** In the order of the uids. */
export async function storedShipments(
  database: Kysely<Database>,
  uids: readonly string[],
): Promise<StoredShipment[]> {
  const { rows } = await sql<StoredShipment>`
    select shipment.shipment_uid as "shipmentUid", shipment.state_code as "stateCode",
      shipment.state_start as "stateStart", shipment.updated_at as "updatedAt",
      sender.user_uid as "fromUserUid", receiver.user_uid as "toUserUid",
      predecessor.shipment_uid as "predecessorUid", shipment.link,
      shipment.pick_up_code as "pickUpCode", shipment.delivery_code as "deliveryCode",
      shipment.reference_no as "referenceNo", shipment.reference_case_no as "referenceCaseNo", shipment.description,
      pup.pup_uid as "pupUid", locker.locker_uid as "lockerUid", locker.locker_name as "lockerName"
    from unnest(${uids}::text[]) with ordinality as asked (shipment_uid, position)
    join shipments as shipment using (shipment_uid)
    join lockers as locker using (locker_id)
    join pick_up_points as pup on pup.pick_up_point_id = locker.pick_up_point_id
    left join accounts as sender on sender.account_id = shipment.from_account_id
    left join accounts as receiver on receiver.account_id = shipment.to_account_id
    left join shipments as predecessor on predecessor.shipment_id = shipment.predecessor_id
    order by asked.position
  `.execute(database);
  return rows;
}

export interface StoredEvent extends Details {
  readonly eventId: number;
  readonly shipmentUid: string;
  readonly stateCode: StateCode;
  readonly stateStart: Date;
  readonly fromUserUid: string | null;
  readonly toUserUid: string | null;
}

/** Of these shipments, all that were recorded after that event, in the order of recording. */
export async function storedEvents(
  database: Kysely<Database>,
  uids: readonly string[],
  after: number,
): Promise<StoredEvent[]> {
  const { rows } = await sql<StoredEvent>`
    select event_id as "eventId", shipment_uid as "shipmentUid", state_code as "stateCode",
      state_start as "stateStart", from_user_uid as "fromUserUid", to_user_uid as "toUserUid",
      reference_no as "referenceNo", reference_case_no as "referenceCaseNo", description
    from shipment_events
    where event_id > ${after} and shipment_uid = any(${uids})
    order by event_id
  `.execute(database);
  return rows;
}

export interface ShipmentObject {
  readonly shipmentObjectUid: string;
  readonly referenceNo: string | null;
  readonly description: string | null;
  readonly weight: number | null;
  readonly count: number | null;
  readonly dimension: { readonly width: number; readonly height: number; readonly length: number } | null;
}

/** The objects of each of these shipments, in the order of the uids and of their adding. */
export async function storedObjects(
  database: Kysely<Database>,
  uids: readonly string[],
): Promise<{ readonly shipmentUid: string; readonly objects: readonly ShipmentObject[] }[]> {
  const { rows } = await sql<ShipmentObject & { shipmentUid: string }>`
    select shipment.shipment_uid as "shipmentUid", object.shipment_object_uid as "shipmentObjectUid",
      object.reference_no as "referenceNo", object.description, object.weight_grams as weight, object.count,
      case when object.width is not null then
        jsonb_build_object('width', object.width, 'height', object.height, 'length', object.length) end as dimension
    from shipment_objects as object join shipments as shipment using (shipment_id)
    where shipment.shipment_uid = any(${uids})
    order by object.shipment_object_id
  `.execute(database);
  const byShipment = Map.groupBy(rows, (row) => row.shipmentUid);
  return uids.map((shipmentUid) => ({
    shipmentUid,
    objects: (byShipment.get(shipmentUid) ?? []).map(({ shipmentUid: _, ...object }) => object),
  }));
}
