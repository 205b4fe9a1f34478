// What every answer about a locker says of it: its state, and the shipments that hold it.
import { type RawBuilder, sql } from 'kysely';
import type { ShipmentType, StateCode } from '../../contract/index.ts';
import { activeStateCodes } from '../storage/active-state-codes.ts';
import { asRenamed, type Switches } from '../switches/switches.ts';

export interface HoldingShipment {
  readonly shipmentUid: string;
  readonly shipmentType: ShipmentType;
  readonly stateCode: StateCode;
  readonly fromUserUid: string | null;
  readonly toUserUid: string | null;
}

/** Reads the row `locker`. */
export const lockerState = sql<'Booked' | 'OutOfOrder' | 'ToBeEmptied' | 'Free'>`
  case when locker.chain_id is not null then 'Booked' when locker.out_of_order then 'OutOfOrder'
    when locker.to_be_emptied then 'ToBeEmptied' else 'Free' end`;

/** One row with `shipments`: null if no chain holds the locker. */
export const holdingShipments = (lockerId: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select jsonb_agg(jsonb_build_object(
    'shipmentUid', shipment.shipment_uid, 'shipmentType', shipment.shipment_type,
    'stateCode', shipment.state_code, 'fromUserUid', sender.user_uid, 'toUserUid', receiver.user_uid
  ) order by shipment.shipment_id) as shipments
  from shipments as shipment
  left join accounts as sender on sender.account_id = shipment.from_account_id
  left join accounts as receiver on receiver.account_id = shipment.to_account_id
  where shipment.locker_id = ${lockerId} and shipment.state_code in (${activeStateCodes})`;

/** As the tenant names their states. */
export const shownShipments = (shipments: readonly HoldingShipment[] | null, switches: Switches) =>
  (shipments ?? []).map((shipment) => ({ ...shipment, stateCode: asRenamed(switches, shipment.stateCode) }));
