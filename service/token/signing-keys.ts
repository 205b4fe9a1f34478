// The keys that sign access tokens, kept in the database so that every instance signs and verifies alike.
import { randomUUID } from 'node:crypto';
import { type CryptoKey, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';
import type { Kysely } from 'kysely';
import type { Database } from '../storage/database.ts';
import { inTransaction } from '../storage/transaction.ts';

export const SIGNING_ALGORITHM = 'ES256';

// Another instance may have made a new key: how long this one goes on without seeing it.
const REFRESH_AFTER_MS = 30_000;

export interface SigningKey {
  readonly keyId: string;
  readonly publicKey: CryptoKey;
  readonly publicJwk: JWK;
  readonly privateKey: CryptoKey;
  readonly signsFrom: Date;
}

export class SigningKeys {
  readonly #database: Kysely<Database>;
  #keys: Promise<SigningKey[]> | undefined;
  #loadedAt = 0;

  constructor(database: Kysely<Database>) {
    this.#database = database;
  }

  /** The key that signs now: the newest of those that may. Makes the very first one. */
  async current(): Promise<SigningKey> {
    const keys = await this.#all();
    const [newest] = keys.filter(({ signsFrom }) => signsFrom.getTime() <= Date.now());
    if (newest) return newest;
    await createFirstKey(this.#database);
    this.#keys = undefined;
    const [first] = await this.#all();
    if (!first) throw new Error('There is no signing key although one was just made');
    return first;
  }

  /** Undefined for a key that nobody has heard of, or whose tokens are refused by now. */
  async find(keyId: string): Promise<SigningKey | undefined> {
    return (await this.#all()).find((key) => key.keyId === keyId);
  }

  async publicJwks(): Promise<JWK[]> {
    return (await this.#all()).map(({ publicJwk }) => publicJwk);
  }

  #all(): Promise<SigningKey[]> {
    if (!this.#keys || Date.now() - this.#loadedAt > REFRESH_AFTER_MS) {
      this.#loadedAt = Date.now();
      const loading = loadKeys(this.#database);
      // A failed load must not be kept: the next request tries again.
      loading.catch(() => {
        if (this.#keys === loading) this.#keys = undefined;
      });
      this.#keys = loading;
    }
    return this.#keys;
  }
}

async function loadKeys(database: Kysely<Database>): Promise<SigningKey[]> {
  const rows = await database
    .selectFrom('signing_keys')
    .selectAll()
    .where((where) => where.or([where('refused_from', 'is', null), where('refused_from', '>', new Date())]))
    .orderBy('signs_from', 'desc')
    .execute();
  return Promise.all(
    rows.map(async ({ key_id, algorithm, public_key, private_key, signs_from }) => ({
      keyId: key_id,
      publicKey: await imported(public_key, algorithm),
      publicJwk: { ...public_key, kid: key_id, alg: algorithm, use: 'sig' },
      privateKey: await imported(private_key, algorithm),
      signsFrom: signs_from,
    })),
  );
}

async function imported(jwk: JWK, algorithm: string): Promise<CryptoKey> {
  const key = await importJWK(jwk, algorithm);
  if (key instanceof Uint8Array) throw new Error('A stored signing key is symmetric: expected a key pair');
  return key;
}

/** Makes a key pair and stores it, unless another instance was faster. */
async function createFirstKey(database: Kysely<Database>): Promise<void> {
  const row = await newKeyRow(new Date());
  await inTransaction(database, async (transaction) => {
    // Serializes instances that start at once on an empty table, where there is no row to lock.
    await transaction.selectFrom('migrations').select('name').orderBy('name').limit(1).forUpdate().execute();
    const existing = await transaction.selectFrom('signing_keys').select('key_id').limit(1).execute();
    if (existing.length === 0) await transaction.insertInto('signing_keys').values(row).execute();
  });
}

async function newKeyRow(signsFrom: Date) {
  const { publicKey, privateKey } = await generateKeyPair(SIGNING_ALGORITHM, { extractable: true });
  return {
    key_id: randomUUID(),
    algorithm: SIGNING_ALGORITHM,
    public_key: JSON.stringify(await exportJWK(publicKey)),
    private_key: JSON.stringify(await exportJWK(privateKey)),
    signs_from: signsFrom,
  };
}
