// The end of the audit log's entries.
import { type Kysely, sql } from 'kysely';
import type { Database } from '../storage/database.ts';

// Rows at a time: one statement for a whole day would always run into its time-out, and delete nothing.
const FORGOTTEN_AT_A_TIME = 5_000;

export async function forgetOldAuditEntries(
  database: Kysely<Database>,
  retentionDays: number,
): Promise<void> {
  for (;;) {
    const { numAffectedRows } = await sql`
      delete from audit_log where ctid = any(array(
        select ctid from audit_log where occurred_at < now() - ${retentionDays}::integer * interval '1 day'
        limit ${FORGOTTEN_AT_A_TIME}))
    `.execute(database);
    if (Number(numAffectedRows ?? 0) < FORGOTTEN_AT_A_TIME) return;
  }
}
