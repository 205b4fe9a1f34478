// Creates and revokes API clients, and rotates their secrets, for operators.
import { isDeepStrictEqual } from 'node:util';
import { type Selectable, sql, type Transaction } from 'kysely';
import type { Database } from '../storage/database.ts';
import { hashClientSecret } from '../token/api-clients.ts';
import { NotFound } from './tenants.ts';

/** The purpose of a client. Without a wall or flow scopes, it calls operations. */
interface ClientUse {
  readonly wallPickUpPointId?: number | null;
  /** Scopes of the flows' API. */
  readonly flowScopes?: readonly string[] | null;
}

/** Creates the client with this one secret. Leaves an existing client of the tenant unchanged. */
export async function ensureApiClient(
  transaction: Transaction<Database>,
  tenantId: number,
  clientId: string,
  secret: string,
  { wallPickUpPointId = null, flowScopes = null }: ClientUse = {},
): Promise<'created' | 'unchanged' | 'revoked'> {
  const created = await transaction
    .insertInto('api_clients')
    .values({
      client_id: clientId,
      tenant_id: tenantId,
      wall_pick_up_point_id: wallPickUpPointId,
      flow_scopes: flowScopes && [...flowScopes],
    })
    .onConflict((conflict) => conflict.column('client_id').doNothing())
    .returning('client_id')
    .executeTakeFirst();
  if (created) {
    await insertSecret(transaction, clientId, 1, secret);
    return 'created';
  }
  const { tenant_id, revoked_at, ...before } = await lockedClient(transaction, clientId);
  if (tenant_id !== tenantId)
    throw new Error(`The client ${clientId} belongs to another tenant: choose another client_id`);
  const isSameUse =
    before.wall_pick_up_point_id === wallPickUpPointId &&
    isDeepStrictEqual(before.flow_scopes, flowScopes && [...flowScopes]);
  if (!isSameUse)
    throw new Error(`The client ${clientId} exists as ${describeUse(before)}: choose another client_id`);
  return revoked_at ? 'revoked' : 'unchanged';
}

/**
 * Adds a second secret and returns the client's tenant. Throws if the client has two already: the operator must first
 * retire one.
 */
export async function addClientSecret(
  transaction: Transaction<Database>,
  clientId: string,
  secret: string,
): Promise<number> {
  const { tenant_id, revoked_at } = await lockedClient(transaction, clientId);
  if (revoked_at)
    throw new Error(
      `The client ${clientId} was revoked, and gets no new secret: make another client (client create)`,
    );
  const secrets = await transaction
    .selectFrom('client_secrets')
    .select('slot')
    .where('client_id', '=', clientId)
    .execute();
  if (secrets.length > 1)
    throw new Error(`The client ${clientId} has two secrets: retire the older one first (client retire)`);
  await insertSecret(transaction, clientId, secrets[0]?.slot === 1 ? 2 : 1, secret);
  return tenant_id;
}

/** Does nothing if there is only one secret. */
export async function removeOlderSecret(
  transaction: Transaction<Database>,
  clientId: string,
): Promise<{ readonly tenantId: number; readonly retired: boolean }> {
  const { tenant_id: tenantId } = await lockedClient(transaction, clientId);
  const [newer, older] = await transaction
    .selectFrom('client_secrets')
    .select('slot')
    .where('client_id', '=', clientId)
    .orderBy('created_at', 'desc')
    .execute();
  if (!newer || !older) return { tenantId, retired: false };
  await transaction
    .deleteFrom('client_secrets')
    .where('client_id', '=', clientId)
    .where('slot', '=', older.slot)
    .execute();
  return { tenantId, retired: true };
}

/** Permanent: the row stays, so that the client_id is never reused. Returns the client's tenant. */
export async function revokeApiClient(transaction: Transaction<Database>, clientId: string): Promise<number> {
  const { tenant_id, revoked_at } = await lockedClient(transaction, clientId);
  if (revoked_at) return tenant_id;
  await transaction.deleteFrom('client_secrets').where('client_id', '=', clientId).execute();
  await transaction
    .updateTable('api_clients')
    .set({ revoked_at: new Date() })
    .where('client_id', '=', clientId)
    .execute();
  return tenant_id;
}

export const clientsOf = (transaction: Transaction<Database>, tenantId: number) =>
  transaction
    .selectFrom('api_clients as client')
    .leftJoin('client_secrets as secret', 'secret.client_id', 'client.client_id')
    .leftJoin('pick_up_points as pup', 'pup.pick_up_point_id', 'client.wall_pick_up_point_id')
    .where('client.tenant_id', '=', tenantId)
    .groupBy(['client.client_id', 'pup.pup_uid'])
    .orderBy('client.client_id')
    .select(({ fn }) => [
      'client.client_id as clientId',
      'client.created_at as createdAt',
      'pup.pup_uid as wallOf',
      'client.flow_scopes as scopes',
      fn.count<number>('secret.slot').as('secrets'),
      sql<boolean>`client.revoked_at is not null`.as('revoked'),
    ])
    .execute();

function describeUse({ wall_pick_up_point_id, flow_scopes }: LockedClient): string {
  if (wall_pick_up_point_id !== null) return 'the wall of a pick up point';
  if (flow_scopes !== null) return `a client with the scopes ${flow_scopes.join(' ')}`;
  return 'a client that calls operations';
}

type LockedClient = Pick<Selectable<Database['api_clients']>, 'wall_pick_up_point_id' | 'flow_scopes'>;

/** Locks the row, so that changes to one client's secrets are serialized. */
async function lockedClient(transaction: Transaction<Database>, clientId: string) {
  const client = await transaction
    .selectFrom('api_clients')
    .select(['tenant_id', 'revoked_at', 'wall_pick_up_point_id', 'flow_scopes'])
    .where('client_id', '=', clientId)
    .forUpdate()
    .executeTakeFirst();
  if (!client) throw new NotFound(`There is no client ${clientId}`);
  return client;
}

async function insertSecret(
  transaction: Transaction<Database>,
  clientId: string,
  slot: 1 | 2,
  secret: string,
): Promise<void> {
  const hash = hashClientSecret(secret);
  await transaction.insertInto('client_secrets').values({ client_id: clientId, slot, hash }).execute();
}
