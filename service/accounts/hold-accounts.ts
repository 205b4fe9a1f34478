// Keeps accounts from being removed while a shipment comes to be for them. Whoever removes an account calls
// lockAccountForRemoval first and looks for its active shipments after that.
import { type Kysely, sql } from 'kysely';
import { Refusal } from '../refusal.ts';
import type { Database } from '../storage/database.ts';

/** Until the end of the transaction. Throws InvalidUserUid; any existing account will do (assumptions: Lockers and codes). */
export async function holdAccounts(
  transaction: Kysely<Database>,
  userUids: readonly string[],
): Promise<void> {
  const { rows } = await sql<{
    missing: string | null;
  }>`select hold_accounts(${userUids}) as missing`.execute(transaction);
  const missing = rows[0]?.missing;
  if (missing != null) throw new Refusal('InvalidUserUid', `There is no account ${missing}`);
}

export async function lockAccountForRemoval(transaction: Kysely<Database>, userUid: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(account_lock(${userUid}))`.execute(transaction);
}
