// Which API clients there are: their tenant and their secrets' hashes. Read from the database, kept for a few seconds.
import type { Kysely } from 'kysely';
import type { Database } from '../storage/database.ts';

// How long a revoked client may go on, on an instance that has just seen it valid.
export const REVOCATION_DELAY_MS = 5_000;

// RFC 6749 appendix A.1: printable characters only. Others, like NUL, could not even be asked for.
export const CLIENT_ID = /^[\x20-\x7e]{1,200}$/;

export interface ApiClient {
  readonly clientId: string;
  readonly tenantId: number;
  readonly tenantUid: string;
  /** The tenant's main account, the dispatcher of its shipments. */
  readonly mainUserUid: string;
  readonly secretHashes: readonly string[];
}

export class ApiClients {
  readonly #database: Kysely<Database>;
  readonly #known = new Map<string, { readonly client: ApiClient; readonly readAt: number }>();

  constructor(database: Kysely<Database>) {
    this.#database = database;
  }

  /** Undefined for a client that is unknown or revoked. Unknown ones are not kept: guesses would fill the memory. */
  async find(clientId: string): Promise<ApiClient | undefined> {
    if (!CLIENT_ID.test(clientId)) return undefined;
    const known = this.#known.get(clientId);
    if (known && performance.now() - known.readAt < REVOCATION_DELAY_MS) return known.client;
    const readAt = performance.now();
    const client = await readClient(this.#database, clientId);
    if (client) this.#known.set(clientId, { client, readAt });
    else this.#known.delete(clientId);
    return client;
  }
}

async function readClient(database: Kysely<Database>, clientId: string): Promise<ApiClient | undefined> {
  const rows = await database
    .selectFrom('api_clients as client')
    .innerJoin('tenants as tenant', 'tenant.tenant_id', 'client.tenant_id')
    .innerJoin('accounts as main', 'main.account_id', 'tenant.main_account_id')
    .leftJoin('client_secrets as secret', 'secret.client_id', 'client.client_id')
    .select(['tenant.tenant_id', 'tenant.tenant_uid', 'main.user_uid', 'secret.hash'])
    .where('client.client_id', '=', clientId)
    .where('client.revoked_at', 'is', null)
    .execute();
  const [first] = rows;
  if (!first) return undefined;
  return {
    clientId,
    tenantId: first.tenant_id,
    tenantUid: first.tenant_uid,
    mainUserUid: first.user_uid,
    secretHashes: rows.flatMap(({ hash }) => (hash === null ? [] : [hash])),
  };
}
