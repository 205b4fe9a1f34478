// Failed attempts of callbacks that have been delivered since are of no interest after a month.
import { type Kysely, sql } from 'kysely';
import type { Database } from '../storage/database.ts';

export async function forgetOldFailures(database: Kysely<Database>): Promise<void> {
  // Those of pending callbacks are never that old: attempts are at most 10 min apart.
  await sql`delete from callback_failures where failed_at < now() - interval '30 days'`.execute(database);
}
