// The API clients with their tenants and the hashes of their secrets, read from the database and kept for a few seconds; and how
// a client secret is made, hashed and checked.

import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { FLOWS_AUDIENCE, TOKEN_SCOPE, WALL_SCOPE } from '../../contract/index.ts';
import type { Database } from '../storage/database.ts';

// How long an instance that has just read a client may still accept it, or one of its secrets, after it was revoked.
export const REVOCATION_DELAY_MS = 5_000;

// RFC 6749 appendix A.1: printable characters only. Postgres refuses some others, like NUL.
export const CLIENT_ID = /^[\x20-\x7e]{1,200}$/;

/** What a token that this service takes is for; its audience is the same word. */
export type TokenScope = typeof TOKEN_SCOPE | typeof WALL_SCOPE;

/** What a token is issued for. Tokens for the flows' API have scopes of their own, and this service takes none of them. */
export interface TokenGrant {
  readonly audience: TokenScope | typeof FLOWS_AUDIENCE;
  readonly scopes: readonly string[];
}

/** The pick up point that the client is the wall of. */
export interface WallPlace {
  readonly pickUpPointId: number;
  readonly pupUid: string;
}

interface ClientSecret {
  readonly secretId: string;
  readonly hash: string;
}

export interface ApiClient {
  readonly clientId: string;
  readonly tenantId: number;
  readonly tenantUid: string;
  /** The tenant's main account, the dispatcher of its shipments. */
  readonly mainUserUid: string;
  /** Null for a client that calls operations. */
  readonly wall: WallPlace | null;
  /** The scopes of the flows' API; null for a client of this service. */
  readonly flowScopes: readonly string[] | null;
  /** Those that are valid: a token is, as long as the secret that it came from is one of them. */
  readonly secrets: readonly ClientSecret[];
}

export class ApiClients {
  readonly #database: Kysely<Database>;
  readonly #known = new Map<string, { readonly client: ApiClient; readonly readAt: number }>();
  #asked = new Map<string, PromiseWithResolvers<ApiClient | undefined>>();
  #isAsking = false;
  readonly #now: () => number;

  /** @param now counts milliseconds, and never goes back */
  constructor(database: Kysely<Database>, now: () => number = () => performance.now()) {
    this.#database = database;
    this.#now = now;
  }

  /** Undefined for an unknown or revoked client. Unknown ones are not kept: guessed ids would fill the memory. */
  async find(clientId: string, maximumAgeMs = REVOCATION_DELAY_MS): Promise<ApiClient | undefined> {
    if (!CLIENT_ID.test(clientId)) return undefined;
    const known = this.remembered(clientId, maximumAgeMs);
    if (known) return known;
    const readAt = this.#now();
    const client = await this.#ask(clientId);
    if (client) this.#known.set(clientId, { client, readAt });
    else this.#known.delete(clientId);
    return client;
  }

  /** What was read of it at most so long ago. */
  remembered(clientId: string, maximumAgeMs = REVOCATION_DELAY_MS): ApiClient | undefined {
    const known = this.#known.get(clientId);
    return known && this.#now() - known.readAt < maximumAgeMs ? known.client : undefined;
  }

  /**
   * One query at a time, for all clients that were requested meanwhile: a flood of invented clients takes one
   * connection, and leaves the others to the tenants.
   */
  #ask(clientId: string): Promise<ApiClient | undefined> {
    const pending = this.#asked.get(clientId) ?? Promise.withResolvers<ApiClient | undefined>();
    this.#asked.set(clientId, pending);
    if (!this.#isAsking) void this.#askAll();
    return pending.promise;
  }

  async #askAll(): Promise<void> {
    this.#isAsking = true;
    while (this.#asked.size > 0) {
      const pending = this.#asked;
      this.#asked = new Map();
      try {
        const clients = await readClients(this.#database, [...pending.keys()]);
        for (const [clientId, { resolve }] of pending) resolve(clients.get(clientId));
      } catch (error) {
        for (const { reject } of pending.values()) reject(error);
      }
    }
    this.#isAsking = false;
  }
}

async function readClients(
  database: Kysely<Database>,
  clientIds: readonly string[],
): Promise<Map<string, ApiClient>> {
  const rows = await database
    .selectFrom('api_clients as client')
    .innerJoin('tenants as tenant', 'tenant.tenant_id', 'client.tenant_id')
    .innerJoin('accounts as main', 'main.account_id', 'tenant.main_account_id')
    .leftJoin('pick_up_points as pup', 'pup.pick_up_point_id', 'client.wall_pick_up_point_id')
    .leftJoin('client_secrets as secret', 'secret.client_id', 'client.client_id')
    .select(['client.client_id', 'client.flow_scopes', 'tenant.tenant_id', 'tenant.tenant_uid'])
    .select(['main.user_uid', 'secret.hash', 'pup.pick_up_point_id', 'pup.pup_uid'])
    .where('client.client_id', '=', sql<string>`any(${clientIds})`)
    .where('client.revoked_at', 'is', null)
    .execute();
  const ofClients = Map.groupBy(rows, ({ client_id }) => client_id);
  return new Map(
    [...ofClients].flatMap(([clientId, [first, ...others]]) => {
      if (!first) return [];
      const client = {
        clientId,
        tenantId: first.tenant_id,
        tenantUid: first.tenant_uid,
        mainUserUid: first.user_uid,
        wall: wallOf(first),
        flowScopes: first.flow_scopes,
        secrets: [first, ...others].flatMap(({ hash }) =>
          hash === null ? [] : [{ secretId: clientSecretId(hash), hash }],
        ),
      };
      return [[clientId, client] as const];
    }),
  );
}

const wallOf = (row: { pick_up_point_id: number | null; pup_uid: string | null }): WallPlace | null =>
  row.pick_up_point_id === null || row.pup_uid === null
    ? null
    : { pickUpPointId: row.pick_up_point_id, pupUid: row.pup_uid };

/**
 * A client has tokens of one audience: a wall's token calls no operation, no other token connects a wall, and a token for the
 * flows' API does neither.
 */
export function grantOf({ wall, flowScopes }: Pick<ApiClient, 'wall' | 'flowScopes'>): TokenGrant {
  if (wall) return { audience: WALL_SCOPE, scopes: [WALL_SCOPE] };
  if (flowScopes) return { audience: FLOWS_AUDIENCE, scopes: flowScopes };
  return { audience: TOKEN_SCOPE, scopes: [TOKEN_SCOPE] };
}

// Only a secret's hash is stored (docs/assumptions.md, The wire). The hash is fast: nobody can guess 256 random bits, at any
// speed. A slow hash would not protect such a secret better, and anybody could make the service compute one with a wrong secret.
const SECRET_BYTES = 32;
const SALT_BYTES = 16;
// 128 bits: no two secrets have the same.
const SECRET_ID_CHARACTERS = 22;

export const newClientSecret = (): string => randomBytes(SECRET_BYTES).toString('base64url');

/** In the form sha256$salt$hash. */
export function hashClientSecret(secret: string): string {
  const salt = randomBytes(SALT_BYTES);
  return ['sha256', salt.toString('base64'), saltedHash(secret, salt).toString('base64')].join('$');
}

/** Compared with the secret for a client that is not there: that takes the same time. */
const NO_SECRET = hashClientSecret(newClientSecret());

export function matchingSecret(
  clientSecret: string,
  client: ApiClient | undefined,
): ClientSecret | undefined {
  if (client?.secrets.length)
    return client.secrets.find(({ hash }) => matchesClientSecret(clientSecret, hash));
  matchesClientSecret(clientSecret, NO_SECRET);
  return undefined;
}

/** A hash of another form matches nothing. */
export function matchesClientSecret(secret: string, stored: string): boolean {
  const [algorithm, salt, expected] = stored.split('$');
  if (algorithm !== 'sha256' || salt === undefined || expected === undefined) return false;
  return timingSafeEqual(saltedHash(secret, Buffer.from(salt, 'base64')), Buffer.from(expected, 'base64'));
}

/**
 * Names a stored secret in the tokens that came from it. Made from the salted hash, so it is another one for each secret, and
 * tells nothing of it.
 */
const clientSecretId = (stored: string): string =>
  hash('sha256', stored, 'base64url').slice(0, SECRET_ID_CHARACTERS);

function saltedHash(secret: string, salt: Buffer): Buffer {
  return hash('sha256', Buffer.concat([salt, Buffer.from(secret)]), 'buffer');
}
