// Deletes old data from time to time. It may run on every instance at once. After a failure the next run tries again.
import type { FastifyBaseLogger } from 'fastify';
import type { Kysely } from 'kysely';
import { forgetOldAuditEntries } from './audit/forget-old-entries.ts';
import { forgetOldEvents, forgetOldFailures } from './callbacks/queue/forget-old-events.ts';
import { forgetOldKeys } from './idempotency.ts';
import { forgetOldUse } from './lockers/pick-up-point-use.ts';
import type { Settings } from './settings.ts';
import { forgetEndedShipments } from './shipments/forget-ended-shipments.ts';
import type { Database } from './storage/database.ts';
import { keepFunctions } from './storage/migrate.ts';
import { forgetOldOpenings } from './walls/forget-old-openings.ts';

// So often that one run is short: keys live for 24 hours.
const INTERVAL_MS = 10 * 60_000;

/** Gives the function that stops it. */
export function startHousekeeping(
  { auditRetentionDays, callbacks, shipmentRetentionDays }: Settings,
  database: Kysely<Database>,
  log: FastifyBaseLogger,
): () => Promise<void> {
  let running = Promise.resolve();
  const timer = setInterval(() => {
    running = running
      .then(() => keepFunctions(database))
      .then(() => forgetOldKeys(database))
      .then(() => forgetOldFailures(database))
      .then(() => forgetOldEvents(database, callbacks.retentionDays))
      .then(() => forgetOldUse(database))
      .then(() => forgetOldAuditEntries(database, auditRetentionDays))
      .then(() => forgetOldOpenings(database, auditRetentionDays))
      .then(() =>
        shipmentRetentionDays > 0 ? forgetEndedShipments(database, shipmentRetentionDays) : undefined,
      )
      .catch((error: unknown) =>
        log.warn({ err: error }, 'old data was not deleted; it is tried again in 10 minutes'),
      );
  }, INTERVAL_MS);
  return () => {
    clearInterval(timer);
    return running;
  };
}
