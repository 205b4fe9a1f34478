// Marks the database of a service in production. A service in staging does not start on it: it would add the demo
// data's API clients, with public secrets, to the real tenants.
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database } from './storage/database.ts';

export async function noteProductionUse(database: Kysely<Database>): Promise<void> {
  await sql`insert into production_use default values on conflict do nothing`.execute(database);
}

/** Throws an Error that names the command to remove the mark. */
export async function requireNoProductionUse(database: Kysely<Database>): Promise<void> {
  const use = await database.selectFrom('production_use').select('since').executeTakeFirst();
  if (!use) return;
  throw new Error(
    `The service does not start in staging: this database has served production since ${use.since.toISOString()}, and ` +
      'staging makes API clients with publicly known secrets. Give staging a database of its own (DATABASE_URL). If ' +
      'production serves from this one no more, say so: npm run -s service -- allow-staging',
  );
}

/** False if the database was not marked. */
export async function endProductionUse(transaction: Transaction<Database>): Promise<boolean> {
  const { numDeletedRows } = await transaction.deleteFrom('production_use').executeTakeFirst();
  return numDeletedRows > 0n;
}
