// The end of what walls were asked to open, and of what their lists allowed. An opening without an outcome stays.
import { type Kysely, sql } from 'kysely';
import type { Database } from '../storage/database.ts';

const AT_A_TIME = 5_000;
/** As long as operators ask why a door did not open. */
const SETTLED_DAYS = 30;

/** @param doubtfulDays how long a Stale or Contradictory opening stays: as long as its entry in the audit log */
export async function forgetOldOpenings(database: Kysely<Database>, doubtfulDays: number): Promise<void> {
  await inParts(() =>
    sql`
      delete from door_commands where ctid = any(array(
        select ctid from door_commands
        where outcome is not null and asked_at < now() - ${SETTLED_DAYS}::integer * interval '1 day'
          and (coalesce(meaning, 'Next') = 'Next'
            or settled_at < now() - ${doubtfulDays}::integer * interval '1 day')
        limit ${AT_A_TIME}))
    `.execute(database),
  );
  // A wall that was away for longer tells of openings that nobody can place any more: they are kept as Contradictory.
  await inParts(() =>
    sql`
      delete from offline_entries where ctid = any(array(
        select ctid from offline_entries
        where listed_until < now() - ${SETTLED_DAYS}::integer * interval '1 day' limit ${AT_A_TIME}))
    `.execute(database),
  );
  await inParts(() =>
    sql`
      delete from offline_accesses where ctid = any(array(
        select ctid from offline_accesses as access
        where opened_at < now() - ${SETTLED_DAYS}::integer * interval '1 day'
          and not exists (select from door_commands where command_id = access.command_id) limit ${AT_A_TIME}))
    `.execute(database),
  );
}

async function inParts(forget: () => Promise<{ readonly numAffectedRows?: bigint }>): Promise<void> {
  for (;;) {
    const { numAffectedRows } = await forget();
    if (Number(numAffectedRows ?? 0) < AT_A_TIME) return;
  }
}
