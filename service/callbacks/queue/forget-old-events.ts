// Deletes old events and old failed attempts. Events are kept for the delivery log and for sending them again until the
// retention is over. A pending event is never deleted.
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../storage/database.ts';

// At a time: more in one statement could run into its time-out.
const FORGOTTEN_AT_A_TIME = 5_000;

const furthestAhead = sql`(select coalesce(max(ahead_ms), 0) * interval '1 millisecond' from sandbox_clocks)`;

export async function forgetOldEvents(database: Kysely<Database>, retentionDays: number): Promise<void> {
  const retention = sql`${retentionDays}::int * interval '1 day'`;
  for (;;) {
    const { numAffectedRows = 0n } = await sql`
      delete from shipment_events where event_id = any(array(
        select event_id from shipment_events
        -- By the clock of the tenant that is furthest ahead, for the index; then by the own one's.
        where created_at < now() + ${furthestAhead} - ${retention}
          and greatest(created_at, delivered_at) < now() + clock_ahead(tenant_id) - ${retention} and not is_pending
        limit ${FORGOTTEN_AT_A_TIME}))
        -- An operator may have asked for it once more meanwhile.
        and not is_pending
    `.execute(database);
    if (numAffectedRows < FORGOTTEN_AT_A_TIME) return;
  }
}

/** Failed attempts are kept for a month. */
export async function forgetOldFailures(database: Kysely<Database>): Promise<void> {
  for (;;) {
    // Failures of pending callbacks are never that old: attempts are at most 10 min apart.
    const { numAffectedRows = 0n } = await sql`
      delete from callback_failures where (event_id, slot) in (
        select event_id, slot from callback_failures where failed_at < now() - interval '30 days'
        limit ${FORGOTTEN_AT_A_TIME})
    `.execute(database);
    if (numAffectedRows < FORGOTTEN_AT_A_TIME) return;
  }
}
