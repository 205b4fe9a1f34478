// The lockers of a pick up point as they lie in Postgres: what the service says of them is not asked.
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../../service/storage/database.ts';

export interface SeenLocker {
  readonly lockerUid: string;
  readonly lockerName: string;
  readonly state: 'Booked' | 'OutOfOrder' | 'ToBeEmptied' | 'Free';
  readonly toBeEmptied: boolean;
  /** How often it was opened, since the tenant was reset. */
  readonly openings: number;
  readonly shipments: readonly {
    readonly shipmentUid: string;
    readonly shipmentType: string;
    readonly stateCode: string;
    readonly fromUserUid: string | null;
    readonly toUserUid: string | null;
  }[];
}

export async function lockersSeen(database: Kysely<Database>, pupUid: string): Promise<SeenLocker[]> {
  const { rows } = await sql<SeenLocker>`
    select locker.locker_uid as "lockerUid", locker.locker_name as "lockerName",
      case when chain_id is not null then 'Booked' when out_of_order then 'OutOfOrder'
        when to_be_emptied then 'ToBeEmptied' else 'Free' end as state,
      to_be_emptied as "toBeEmptied",
      (select count(*) from locker_accesses as access where access.locker_id = locker.locker_id) as openings,
      array(
        select jsonb_build_object('shipmentUid', shipment_uid, 'shipmentType', shipment_type, 'stateCode', state_code,
          'fromUserUid', sender.user_uid, 'toUserUid', receiver.user_uid)
        from shipments
        left join accounts as sender on sender.account_id = from_account_id
        left join accounts as receiver on receiver.account_id = to_account_id
        where shipments.locker_id = locker.locker_id and state_code not in ('Completed', 'Cancelled')
        order by shipment_id
      ) as shipments
    from lockers as locker
    join pick_up_points as pup using (pick_up_point_id)
    where pup_uid = ${pupUid} order by locker_id
  `.execute(database);
  return rows;
}

export async function lockerSeen(
  database: Kysely<Database>,
  { pupUid, lockerUid }: { readonly pupUid: string; readonly lockerUid: string },
): Promise<SeenLocker | undefined> {
  const seen = await lockersSeen(database, pupUid);
  return seen.find((locker) => locker.lockerUid === lockerUid);
}
