// Deletes shipments that ended long ago, with their objects, accesses, events and delivery log, if the operator has set a
// retention. Then no data says any more who sent what to whom: the uids of removed accounts, kept only for old
// shipments, are deleted too.
import { type Kysely, sql } from 'kysely';
import type { Database } from './storage/database.ts';
import { activeStateCodes } from './storage/open-states.ts';

// In one statement: more could run into its time-out.
const FORGOTTEN_AT_A_TIME = 1_000;

export async function forgetEndedShipments(database: Kysely<Database>, retentionDays: number): Promise<void> {
  const tenants = await database.selectFrom('tenants').select('tenant_id').execute();
  const before = sql`now() - ${retentionDays}::int * interval '1 day'`;
  for (const { tenant_id } of tenants) {
    // A successor is deleted before its predecessor: a chain of three takes three steps.
    const ofTenant = sql`${before} + clock_ahead(${tenant_id})`;
    while ((await forgetSome(database, tenant_id, ofTenant)) > 0);
  }
  await sql`
    delete from accounts as account where removed_at < ${before}
      and not exists (select from shipments where from_account_id = account.account_id)
      and not exists (select from shipments where to_account_id = account.account_id)
  `.execute(database);
}

async function forgetSome(
  database: Kysely<Database>,
  tenantId: number,
  before: ReturnType<typeof sql>,
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    with ended as materialized (
      select shipment_id from shipments as shipment
      where tenant_id = ${tenantId} and updated_at < ${before} and state_code not in (${activeStateCodes})
        and not exists (select from shipments as successor where successor.predecessor_id = shipment.shipment_id)
        -- What is still to be told of it is told first.
        and not exists (select from callback_queue as queue where queue.shipment_id = shipment.shipment_id)
        -- Its locker is opened by its uid as long as its item is inside.
        and not exists (select from lockers as locker
          where locker.left_shipment_id = shipment.shipment_id and locker.to_be_emptied)
      order by updated_at, shipment_id limit ${FORGOTTEN_AT_A_TIME} for update skip locked
    ), objects as (
      delete from shipment_objects using ended where shipment_objects.shipment_id = ended.shipment_id
    ), events as (
      delete from shipment_events using ended where shipment_events.shipment_id = ended.shipment_id
    ), accesses as (
      delete from locker_accesses using ended where locker_accesses.shipment_id = ended.shipment_id
    )
    delete from shipments using ended where shipments.shipment_id = ended.shipment_id
  `.execute(database);
  return Number(numAffectedRows);
}
