// Deletes old data from time to time, and records that the SQL functions of this version are in use. It may run on every
// instance at once. After a failure the next run tries again.
import type { FastifyBaseLogger } from 'fastify';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { forgetEndedShipments } from './delete-old-shipments.ts';
import type { Settings } from './settings.ts';
import type { Database } from './storage/database.ts';
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
    await forgetOldLooks(database, auditRetentionDays);
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

/** They name who looked, as the audit log does. */
export const forgetOldLooks = (database: Kysely<Database>, retentionDays: number) =>
  forget(
    database,
    'locker_looks',
    sql`occurred_at < ${daysAgo(retentionDays)} + ${furthestAhead}
      and occurred_at < ${daysAgo(retentionDays)} + clock_ahead(tenant_id)`,
  );

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
