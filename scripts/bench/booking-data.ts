// Lockers and old shipments by the hundred thousand, made in SQL: what a booking must not become slower by.
import pg from 'pg';

export interface Amount {
  readonly pickUpPoints: number;
  readonly lockersEach: number;
  readonly oldShipments: number;
}

/** Pick up points bench-1, bench-2 … of the tenant demo, with lockers of three sizes. */
export async function fill(url: string, { pickUpPoints, lockersEach, oldShipments }: Amount): Promise<void> {
  await using client = await connected(url);
  await client.query(`
    insert into pick_up_points (pup_uid, tenant_id, name, time_zone)
    select 'bench-' || n, tenant_id, 'Bench ' || n, 'Europe/Amsterdam'
    from tenants, generate_series(1, ${pickUpPoints}) as n where tenant_uid = 'demo'`);
  await client.query(`
    insert into locker_sizes (pick_up_point_id, size, small_side, middle_side, large_side)
    select pick_up_point_id, size, small, 38, 60
    from pick_up_points, (values ('S', 12), ('M', 25), ('L', 37)) as sizes (size, small)
    where pup_uid like 'bench-%'`);
  await client.query(`
    insert into lockers (locker_uid, locker_name, tenant_id, pick_up_point_id, locker_size_id)
    select pup_uid || '-' || n, n::text, tenant_id, pick_up_point_id, locker_size_id
    from pick_up_points join locker_sizes as size using (pick_up_point_id), generate_series(1, ${lockersEach}) as n
    where pup_uid like 'bench-%' and size.size = (array['S', 'M', 'L'])[1 + n % 3]`);
  await client.query(`
    with places as (
      select row_number() over () as place, locker_id, tenant_id, pick_up_point_id from lockers
      where locker_uid like 'bench-%')
    insert into shipments (shipment_uid, tenant_id, chain_id, shipment_type, state_code, state_start, updated_at,
      reference_no, from_account_id, to_account_id, requested_pick_up_point_id, pick_up_point_id, locker_id,
      small_side, middle_side, large_side, allow_larger_lockers, allow_overflow_lockers,
      keep_booked_after_pick_up, from_follows_predecessor_receiver, is_stock)
    select 'old-' || n, tenant_id, n, 'LocalPupShipment', 'Completed', now() - n * interval '20 s',
      now() - n * interval '20 s', 'PARCEL-' || n, sender.account_id, receiver.account_id, pick_up_point_id,
      pick_up_point_id, locker_id, 10, 10, 10, true, false, false, false, false
    from generate_series(1, ${oldShipments}) as n
    join places on place = 1 + n % (select count(*) from places),
      accounts as sender, accounts as receiver
    where sender.user_uid = 'user-anna' and receiver.user_uid = 'user-bram'`);
  await client.query(`
    insert into shipment_events (tenant_id, shipment_id, shipment_uid, state_code, state_start, shipment_type, pup_uid,
      is_pending)
    select tenant_id, shipment_id, shipment_uid, state_code, state_start, shipment_type, 'bench', false
    from shipments where shipment_uid like 'old-%'`);
  await client.query('vacuum analyze');
  await client.query('checkpoint');
}

/** Frees every locker again, as if each booking had been cancelled, and tidies up behind it. */
export async function freeAll(url: string): Promise<void> {
  await using client = await connected(url);
  await client.query(`update shipments set state_code = 'Cancelled', pick_up_code = null, delivery_code = null
    where locker_id in (select locker_id from lockers where chain_id is not null) and state_code not in ('Completed', 'Cancelled')`);
  await client.query('update lockers set chain_id = null where chain_id is not null');
  await client.query('delete from access_codes');
  await client.query('vacuum lockers, access_codes');
}

/** Ends also when a statement fails: else Postgres's end would hide why. */
async function connected(url: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() });
}
