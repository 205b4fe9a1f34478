// The client secrets of the demo data. They are public, because they are in this repository. A service in production
// must not serve while a client has one. This happens after a start in staging on the same database.
import type { Kysely } from 'kysely';
import { demoTenants } from './demo-data.ts';
import type { Database } from './storage/database.ts';
import { matchesClientSecret } from './token/client-secret.ts';

/** Throws an Error that names each client and the command that ends its secret. */
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
