// What must hold of the whole database at any moment between two transactions, whatever happened before. Each answers
// with what is wrong, in words; nothing is an empty list.

import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { StateCode } from '../../../contract/index.ts';
import { isActive, isOneStep } from '../../../contract/machines/chart.ts';
import type { Database } from '../../../service/storage/database.ts';

const active = sql`('Registered', 'ReadyForDropoff', 'WaitForReceiver', 'ReadyForPickup')`;

/** Each gives a row, with `wrong` in words, for everything that breaks it. */
const rules: readonly RawBuilder<{ wrong: string }>[] = [
  sql`select 'locker ' || locker_id || ' holds chains ' || string_agg(distinct chain_id::text, ', ') as wrong
    from shipments where state_code in ${active} group by locker_id having count(distinct chain_id) > 1`,
  sql`select 'locker ' || locker_id || ' is held by ' || chain_id || ', of which nothing is active' as wrong
    from lockers as locker where chain_id is not null and not exists (
      select from shipments as shipment where shipment.locker_id = locker.locker_id
        and shipment.chain_id = locker.chain_id and state_code in ${active})`,
  sql`select 'shipment ' || shipment_uid || ' is active and does not hold its locker' as wrong
    from shipments as shipment join lockers as locker using (locker_id)
    where state_code in ${active} and locker.chain_id is distinct from shipment.chain_id`,
  sql`select 'shipments of chain ' || chain_id || ' are of several lockers or tenants' as wrong
    from shipments group by chain_id having count(distinct (locker_id, tenant_id)) > 1`,
  sql`select 'shipment ' || shipment_uid || ' has its locker and pick up point of another tenant' as wrong
    from shipments as shipment join lockers as locker using (locker_id)
    where locker.tenant_id <> shipment.tenant_id or locker.pick_up_point_id <> shipment.pick_up_point_id`,
  sql`select 'shipment ' || shipment_uid || ' does not fit in its locker' as wrong
    from shipments as shipment join lockers as locker using (locker_id) join locker_sizes as size using (locker_size_id)
    where shipment.small_side > size.small_side or shipment.middle_side > size.middle_side
      or shipment.large_side > size.large_side`,
  sql`select 'shipment ' || shipment_uid || ' is at another pick up point than permitted' as wrong
    from shipments where pick_up_point_id <> requested_pick_up_point_id and not allow_overflow_lockers`,
  sql`select 'locker ' || locker_id || ' has ' || count(*) || ' shipments that have begun' as wrong
    from shipments where state_code in ${active} and state_code <> 'Registered'
    group by locker_id having count(*) > 1`,
  sql`select 'shipment ' || shipment_id || ' waits for nothing' as wrong
    from shipments as pending where state_code = 'Registered' and not exists (
      select from shipments as former where former.shipment_id = pending.predecessor_id
        and former.state_code in ${active})`,
  sql`select 'shipment ' || predecessor_id || ' has several pending successors' as wrong
    from shipments where state_code = 'Registered' group by predecessor_id having count(*) > 1`,
  // A code is one shipment's, or it is a swap pair's: PickUpCode of the one, DeliveryCode of the other.
  sql`with codes as (
      select pick_up_point_id, shipment_id, pick_up_code as code, shipment_id as owner
      from shipments where pick_up_code is not null
      union all
      select shipment.pick_up_point_id, shipment.shipment_id, shipment.delivery_code,
        case when former.pick_up_code = shipment.delivery_code and shipment.link = 'swap'
          then former.shipment_id else -shipment.shipment_id end
      from shipments as shipment
      left join shipments as former on former.shipment_id = shipment.predecessor_id
      where shipment.delivery_code is not null)
    select 'code at pick up point ' || pick_up_point_id || ' is of shipments ' || string_agg(owner::text, ', ') as wrong
    from codes group by pick_up_point_id, code having count(distinct owner) > 1 or count(*) > 2`,
  sql`with used as (
      select pick_up_point_id, pick_up_code as code, locker_id from shipments where pick_up_code is not null
      union select pick_up_point_id, delivery_code, locker_id from shipments where delivery_code is not null)
    select 'a code at pick up point ' || pick_up_point_id || ' is reserved and not used, or used and not reserved' as wrong
    from used full join access_codes as reserved using (pick_up_point_id, code, locker_id)
    where used.* is null or reserved.* is null`,
  sql`select 'shipment ' || event.shipment_id || ' has a pending event and is not in the queue' as wrong
    from shipment_events as event where is_pending
      and not exists (select from callback_queue as queue where queue.shipment_id = event.shipment_id)`,
];

/**
 * The outbox has the changes of each shipment as a path of the chart, from the state in which its kind begins to the one it is
 * in.
 */
async function wrongPaths(database: Kysely<Database>): Promise<string[]> {
  const { rows } = await sql<{ uid: string; path: StateCode[]; state: StateCode }>`
    select shipment.shipment_uid as uid, shipment.state_code as state,
      array[case when shipment.link is not null then 'Registered'
        when shipment.shipment_type = 'CollectOnlyShipment' then 'ReadyForPickup' else 'ReadyForDropoff' end]
      || coalesce(array_agg(event.state_code order by event.event_id) filter (where event.event_id is not null),
        '{}') as path
    from shipments as shipment left join shipment_events as event
      on event.shipment_id = shipment.shipment_id and event.message_type = 'ShipmentStatusUpdate'
    group by shipment.shipment_id
  `.execute(database);
  return rows.flatMap(({ uid, path, state }) => {
    const isPath = path.every((to, index) => {
      const from = path[index - 1];
      return from === undefined || (from !== to && isOneStep(from, to));
    });
    const isRight = isPath && path.at(-1) === state && path.slice(0, -1).every(isActive);
    return isRight ? [] : [`the events of ${uid}, which is ${state}, tell ${path.join(', ')}`];
  });
}

/** All in one snapshot, so that it can be asked in the middle of load. */
export async function wrongInDatabase(database: Kysely<Database>): Promise<string[]> {
  return database
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (transaction) => {
      const wrong: string[] = [];
      for (const rule of rules) {
        const { rows } = await rule.execute(transaction);
        wrong.push(...rows.map((row) => row.wrong));
      }
      return [...wrong, ...(await wrongPaths(transaction))];
    });
}
