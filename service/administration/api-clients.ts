// API clients and their secrets, as those who run the service make, rotate and revoke them.
import type { Transaction } from 'kysely';
import type { Database } from '../storage/database.ts';
import { hashClientSecret } from '../token/client-secret.ts';

/** Makes the client with this secret as its only one; an existing client stays as it is. */
export async function ensureApiClient(
  transaction: Transaction<Database>,
  tenantId: number,
  clientId: string,
  secret: string,
): Promise<boolean> {
  const created = await transaction
    .insertInto('api_clients')
    .values({ client_id: clientId, tenant_id: tenantId })
    .onConflict((conflict) => conflict.column('client_id').doNothing())
    .returning('client_id')
    .executeTakeFirst();
  if (!created) return false;
  await transaction
    .insertInto('client_secrets')
    .values({ client_id: clientId, slot: 1, hash: await hashClientSecret(secret) })
    .execute();
  return true;
}
