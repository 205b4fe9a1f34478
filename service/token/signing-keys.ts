// The keys that sign and verify access tokens. Each instance reads them from the database and keeps them for a short
// time.
import { type CryptoKey, importJWK, type JWK } from 'jose';
import type { Kysely, Selectable } from 'kysely';
import type { Encryption } from '../encryption/encryption.ts';
import { placeOf } from '../encryption/stored-keys.ts';
import type { Database } from '../storage/database.ts';
import type { SigningKeyTable } from '../storage/tables.ts';
import { ensureSigningKey, isOld } from './signing-key-rotation.ts';

// How long this instance may not see a change by another instance or by an operator. For so long it may still accept a
// key that was refused at once.
export const KEY_REFRESH_MS = 15_000;
// A token with an unknown key makes the service look for new keys, but not for every invented token.
const UNKNOWN_KEY_REFRESH_MS = 1_000;

export interface SigningKey {
  readonly keyId: string;
  readonly publicKey: CryptoKey;
  readonly publicJwk: JWK;
  readonly privateKey: CryptoKey;
  readonly signsFrom: Date;
}

export class SigningKeys {
  readonly #database: Kysely<Database>;
  readonly #encryption: Encryption;
  #keys: Promise<SigningKey[]> | undefined;
  #readAt = 0;

  constructor(database: Kysely<Database>, encryption: Encryption) {
    this.#database = database;
    this.#encryption = encryption;
  }

  /** The key that signs now: the newest one that may sign. */
  async current(): Promise<SigningKey> {
    const keys = await this.#all(KEY_REFRESH_MS);
    // If none may sign yet, the oldest: the very first key, made by an instance whose clock is ahead.
    const signing = keys.find(({ signsFrom }) => signsFrom.getTime() <= Date.now()) ?? keys.at(-1);
    if (!signing) throw new Error('There is no signing key, although the service has just made one');
    return signing;
  }

  /** Undefined for an unknown key, and for a key whose tokens are refused. */
  async find(keyId: string): Promise<SigningKey | undefined> {
    const named = (key: SigningKey) => key.keyId === keyId;
    return (
      (await this.#all(KEY_REFRESH_MS)).find(named) ?? (await this.#all(UNKNOWN_KEY_REFRESH_MS)).find(named)
    );
  }

  async publicJwks(): Promise<JWK[]> {
    return (await this.#all(KEY_REFRESH_MS)).map(({ publicJwk }) => publicJwk);
  }

  #all(maximumAgeMs: number): Promise<SigningKey[]> {
    if (this.#keys && performance.now() - this.#readAt < maximumAgeMs) return this.#keys;
    this.#readAt = performance.now();
    const reading = readKeys(this.#database, this.#encryption);
    this.#keys = reading;
    // A failed read is not kept: the next request tries again.
    reading.catch(() => {
      if (this.#keys === reading) this.#keys = undefined;
    });
    return reading;
  }
}

/** The accepted keys, newest first; makes the next one when it is time. */
async function readKeys(database: Kysely<Database>, encryption: Encryption): Promise<SigningKey[]> {
  const keyOf = (row: Selectable<SigningKeyTable>) => readKey(row, encryption);
  const rows = await acceptedRows(database);
  const [newest] = rows;
  if (newest && !isOld(newest.signs_from)) return Promise.all(rows.map(keyOf));
  await ensureSigningKey(database, encryption);
  return Promise.all((await acceptedRows(database)).map(keyOf));
}

const acceptedRows = (database: Kysely<Database>) =>
  database
    .selectFrom('signing_keys')
    .selectAll()
    .where((where) => where.or([where('refused_from', 'is', null), where('refused_from', '>', new Date())]))
    .orderBy('signs_from', 'desc')
    .execute();

async function readKey(row: Selectable<SigningKeyTable>, encryption: Encryption): Promise<SigningKey> {
  const stored = { encryptionKeyId: row.encryption_key_id, bytes: row.private_key };
  const privateJwk = JSON.parse(encryption.decrypt(stored, placeOf.signingKey(row.key_id)));
  return {
    keyId: row.key_id,
    publicKey: await imported(row.public_key, row.algorithm),
    publicJwk: { ...row.public_key, kid: row.key_id, alg: row.algorithm, use: 'sig' },
    privateKey: await imported(privateJwk, row.algorithm),
    signsFrom: row.signs_from,
  };
}

async function imported(jwk: JWK, algorithm: string): Promise<CryptoKey> {
  const key = await importJWK(jwk, algorithm);
  if (key instanceof Uint8Array) throw new Error('A stored signing key is symmetric: expected a key pair');
  return key;
}
