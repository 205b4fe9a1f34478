// Marks the database of a service in production. A service in staging does not start on it: it would add the demo
// data's API clients, with public secrets, to the real tenants. And what staging must not leave to production.
import { type Kysely, sql, type Transaction } from 'kysely';
import { demoTenants } from './demo-data.ts';
import type { Database } from './storage/database.ts';
import { matchesClientSecret } from './token/api-clients.ts';

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

/** What happens to a tenant's shipments would go on having a time of years ahead. Throws an Error that names the tenants. */
export async function requireNoMovedClocks(database: Kysely<Database>): Promise<void> {
  const { rows: moved } = await sql<{ tenant_uid: string }>`
    select tenant_uid from sandbox_clocks join tenants using (tenant_id) where ahead_ms > 0 order by tenant_uid
  `.execute(database);
  if (moved.length === 0) return;
  throw new Error(
    'The service does not start in production: in staging the clock of these tenants was moved ahead, and stays there: ' +
      `${moved.map(({ tenant_uid }) => tenant_uid).join(', ')}. Give production a database of its own (DATABASE_URL), or ` +
      'let each of them call POST /sandbox/reset in staging first, which deletes its shipments and sets its clock',
  );
}

/** False if the database was not marked. */
export async function endProductionUse(transaction: Transaction<Database>): Promise<boolean> {
  const { numDeletedRows } = await transaction.deleteFrom('production_use').executeTakeFirst();
  return numDeletedRows > 0n;
}

/**
 * The client secrets of the demo data are public: they are in this repository. Clients have them after a start in staging on the
 * same database. Throws an Error that names each client and the command that ends its secret.
 */
export async function requireNoPublicSecrets(database: Kysely<Database>): Promise<void> {
  const clientIds = await clientsWithPublicSecrets(database);
  if (clientIds.length === 0) return;
  const commands = clientIds.map((clientId) => `  npm run -s service -- client revoke ${clientId}\n`);
  throw new Error(
    `The service does not start in production while clients have publicly known secrets: ${clientIds.join(', ')}. ` +
      `End these clients first (in a container: node service/main.ts in place of npm run -s service --):\n${commands.join('')}` +
      'To keep such a client, give it a secret of its own: client rotate, then client retire.',
  );
}

async function clientsWithPublicSecrets(database: Kysely<Database>): Promise<string[]> {
  const stored = await database
    .selectFrom('client_secrets')
    .select(['client_id', 'hash'])
    .orderBy('client_id')
    .execute();
  const isPublic = (hash: string) =>
    demoTenants
      .flatMap(({ clientSecret, flowsClientSecret = [] }) => [clientSecret, flowsClientSecret].flat())
      .some((secret) => matchesClientSecret(secret, hash));
  return [...new Set(stored.filter(({ hash }) => isPublic(hash)).map(({ client_id }) => client_id))];
}
