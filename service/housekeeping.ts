// Deletes old data from time to time, and records that the SQL functions of this version are in use. It may run on every
// instance at once. After a failure the next run tries again.
import type { FastifyBaseLogger } from 'fastify';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Settings } from './settings.ts';
import { activeStateCodes, type Database } from './storage/database.ts';
import { keepFunctions } from './storage/migrate.ts';

// So often that one run is short: keys live for 24 hours.
const INTERVAL_MS = 10 * 60_000;

/** Gives the function that stops it. */
export function startHousekeeping(
  { auditRetentionDays, callbacks, shipmentRetentionDays }: Settings,
  database: Kysely<Database>,
  log: FastifyBaseLogger,
): () => Promise<void> {
  const run = async () => {
    await keepFunctions(database);
    await forgetOldKeys(database);
    await forgetOldFailures(database);
    await forgetOldEvents(database, callbacks.retentionDays);
    await forgetOldAuditEntries(database, auditRetentionDays);
    await forgetOldOpenings(database, auditRetentionDays);
    if (shipmentRetentionDays > 0) await forgetEndedShipments(database, shipmentRetentionDays);
  };
  let running = Promise.resolve();
  const timer = setInterval(() => {
    running = running
      .then(run)
      .catch((error: unknown) =>
        log.warn({ err: error }, 'old data was not deleted; it is tried again in 10 minutes'),
      );
  }, INTERVAL_MS);
  return () => {
    clearInterval(timer);
    return running;
  };
}

/** Idempotency keys older than 24 hours: they no longer count. */
export const forgetOldKeys = (database: Kysely<Database>) =>
  forget(database, 'idempotency_keys', sql`created_at < now() - interval '24 hours'`);

/** Failed attempts are kept for a month. Those of pending callbacks are never that old: attempts are at most 10 min apart. */
export const forgetOldFailures = (database: Kysely<Database>) =>
  forget(database, 'callback_failures', sql`failed_at < ${daysAgo(30)}`);

const furthestAhead = sql`(select coalesce(max(ahead_ms), 0) * interval '1 millisecond' from sandbox_clocks)`;

/**
 * Events are kept for the delivery log and for sending them again. A pending one is never deleted. By the clock of the tenant that
 * is furthest ahead, for the index; then by the own one's.
 */
export const forgetOldEvents = (database: Kysely<Database>, retentionDays: number) =>
  forget(
    database,
    'shipment_events',
    sql`created_at < ${daysAgo(retentionDays)} + ${furthestAhead}
      and greatest(created_at, delivered_at) < ${daysAgo(retentionDays)} + clock_ahead(tenant_id) and not is_pending`,
  );

export const forgetOldAuditEntries = (database: Kysely<Database>, retentionDays: number) =>
  forget(database, 'audit_log', sql`occurred_at < ${daysAgo(retentionDays)}`);

/** As long as operators ask why a door did not open. */
const SETTLED_DAYS = 30;

/**
 * What walls were asked to open. An opening without an outcome stays.
 * @param doubtfulDays how long a Stale or Contradictory opening stays: as long as its entry in the audit log
 */
function forgetOldOpenings(database: Kysely<Database>, doubtfulDays: number): Promise<void> {
  return forget(
    database,
    'door_commands',
    sql`outcome is not null and asked_at < ${daysAgo(SETTLED_DAYS)}
      and (coalesce(meaning, 'Next') = 'Next' or settled_at < ${daysAgo(doubtfulDays)})`,
  );
}

const daysAgo = (days: number): RawBuilder<unknown> => sql`(now() - ${days}::int * interval '1 day')`;

// In one statement: more could run into its time-out, and delete nothing.
const AT_A_TIME = 5_000;

/** The condition holds when a row is found, and still when it is deleted. */
async function forget(
  database: Kysely<Database>,
  tableName: string,
  condition: RawBuilder<unknown>,
): Promise<void> {
  const table = sql.raw(tableName);
  for (;;) {
    const { numAffectedRows = 0n } = await sql`
      delete from ${table} where ctid = any(array(select ctid from ${table} where ${condition} limit ${AT_A_TIME}))
        and ${condition}
    `.execute(database);
    if (numAffectedRows < AT_A_TIME) return;
  }
}

// Deletes shipments that ended long ago, with their objects, accesses, events and delivery log, if the operator has set a
// retention. Then no data says any more who sent what to whom: the uids of removed accounts, kept only for old
// shipments, are deleted too.

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
