// The keys that sign and verify access tokens. Each instance reads them from the database and keeps them for a short time. A new
// one is published before it signs, an old one verifies until its last token is gone.

import { randomUUID } from 'node:crypto';
import { type CryptoKey, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';
import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import type { Encryption } from '../encryption/encryption.ts';
import { placeOf } from '../encryption/stored-keys.ts';
import type { Database } from '../storage/database.ts';
import { inTransaction } from '../storage/transaction.ts';

// How long this instance may not see a change by another instance or by an operator. For so long it may still accept a
// key that was refused at once.
export const KEY_REFRESH_MS = 15_000;
// A token with an unknown key makes the service look for new keys, but not for every invented token.
export const UNKNOWN_KEY_REFRESH_MS = 1_000;

interface SigningKey {
  readonly keyId: string;
  readonly publicKey: CryptoKey;
  readonly publicJwk: JWK;
  readonly privateKey: CryptoKey;
  readonly signsFrom: Date;
}

export class SigningKeys {
  readonly #database: Kysely<Database>;
  readonly #encryption: Encryption;
  readonly #onUnreadable: (error: unknown) => void;
  #keys: Promise<SigningKey[]> | undefined;
  #readAt = 0;
  readonly #now: () => number;

  /** `onUnreadable` is told of a key that cannot be opened: it signs and verifies nothing, and the others go on. */
  constructor(
    database: Kysely<Database>,
    encryption: Encryption,
    onUnreadable: (error: unknown) => void = () => undefined,
    now: () => number = () => performance.now(),
  ) {
    this.#database = database;
    this.#encryption = encryption;
    this.#onUnreadable = onUnreadable;
    this.#now = now;
  }

  /** The key that signs now: the newest one that may sign. */
  async current(): Promise<SigningKey> {
    const keys = await this.#all(KEY_REFRESH_MS);
    // If none may sign yet, the oldest: the very first key, made by an instance whose clock is ahead.
    const signing = keys.find(({ signsFrom }) => signsFrom.getTime() <= Date.now()) ?? keys.at(-1);
    if (!signing)
      throw new Error(
        'No signing key can be used: the lines before this one say why; signing-key rotate --at-once makes a new one',
      );
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
    if (this.#keys && this.#now() - this.#readAt < maximumAgeMs) return this.#keys;
    this.#readAt = this.#now();
    const reading = this.#read();
    this.#keys = reading;
    // A failed read is not kept: the next request tries again.
    reading.catch(() => {
      if (this.#keys === reading) this.#keys = undefined;
    });
    return reading;
  }

  /** The accepted keys, newest first; makes the next one when it is time. */
  async #read(): Promise<SigningKey[]> {
    let rows = await acceptedRows(this.#database);
    const [newest] = rows;
    if (!newest || isOld(newest.signs_from)) {
      await ensureSigningKey(this.#database, this.#encryption);
      rows = await acceptedRows(this.#database);
    }
    const keys = await Promise.all(
      rows.map((row) => readKey(row, this.#encryption).catch((error) => this.#onUnreadable(error))),
    );
    return keys.filter((key) => key !== undefined);
  }
}

const acceptedRows = (database: Kysely<Database>) =>
  database
    .selectFrom('signing_keys')
    .selectAll()
    .where((where) => where.or([where('refused_from', 'is', null), where('refused_from', '>', new Date())]))
    .orderBy('signs_from', 'desc')
    .execute();

async function readKey(
  row: Selectable<Database['signing_keys']>,
  encryption: Encryption,
): Promise<SigningKey> {
  const text = encryption.open(row.sealed_key, placeOf.signingKey(row));
  return {
    keyId: row.key_id,
    publicKey: await imported(row.public_key, row.algorithm),
    publicJwk: { ...row.public_key, kid: row.key_id, alg: row.algorithm, use: 'sig' },
    privateKey: await imported(JSON.parse(text), row.algorithm),
    signsFrom: row.signs_from,
  };
}

async function imported(jwk: JWK, algorithm: string): Promise<CryptoKey> {
  const key = await importJWK(jwk, algorithm);
  if (key instanceof Uint8Array) throw new Error('A stored signing key is symmetric: expected a key pair');
  return key;
}

export const SIGNING_ALGORITHM = 'ES256';

// The age at which the next key takes over.
const KEY_AGE_MS = 90 * 24 * 3_600_000;
// Longer than an instance keeps its keys, and longer than others may keep the JWKS (JWKS_MAXIMUM_AGE_SECONDS).
const PUBLISHED_BEFORE_SIGNING_MS = 10 * 60_000;
// Longer than the life of any token (SERVICE_TOKEN_LIFETIME_SECONDS is at most a day) plus the difference of clocks.
const VERIFIES_AFTER_SIGNING_MS = 25 * 3_600_000;

/** Whether the key is so old that the next one must take over. */
const isOld = (signsFrom: Date): boolean => signsFrom.getTime() + KEY_AGE_MS < Date.now();

/** Makes the next key if there is none, or if the newest is old. Several instances may call it at once. */
async function ensureSigningKey(database: Kysely<Database>, encryption: Encryption): Promise<void> {
  await inTransaction(database, async (transaction) => {
    const newest = await lockedNewest(transaction);
    if (!newest) await addKey(transaction, encryption, new Date());
    else if (isOld(newest)) await takeOver(transaction, encryption, soon());
  });
}

/**
 * Makes a new key. It takes over when it has been published for long enough. `at once` also refuses every token of an
 * older key: use it if a key has leaked.
 */
export async function rotateSigningKey(
  transaction: Transaction<Database>,
  encryption: Encryption,
  atOnce: boolean,
): Promise<string> {
  await lockedNewest(transaction);
  if (!atOnce) return takeOver(transaction, encryption, soon());
  const now = new Date();
  await transaction.updateTable('signing_keys').set({ refused_from: now }).execute();
  return addKey(transaction, encryption, now);
}

const soon = () => new Date(Date.now() + PUBLISHED_BEFORE_SIGNING_MS);

async function takeOver(
  transaction: Transaction<Database>,
  encryption: Encryption,
  signsFrom: Date,
): Promise<string> {
  const refusedFrom = new Date(signsFrom.getTime() + VERIFIES_AFTER_SIGNING_MS);
  await transaction
    .updateTable('signing_keys')
    .set({ refused_from: refusedFrom })
    .where('refused_from', 'is', null)
    .execute();
  return addKey(transaction, encryption, signsFrom);
}

async function lockedNewest(transaction: Transaction<Database>): Promise<Date | undefined> {
  // Locks the table: an empty table has no row to lock.
  await sql`lock table signing_keys in share row exclusive mode`.execute(transaction);
  const newest = await transaction
    .selectFrom('signing_keys')
    .select('signs_from')
    .orderBy('signs_from', 'desc')
    .limit(1)
    .executeTakeFirst();
  return newest?.signs_from;
}

async function addKey(
  transaction: Transaction<Database>,
  encryption: Encryption,
  signsFrom: Date,
): Promise<string> {
  const { publicKey, privateKey } = await generateKeyPair(SIGNING_ALGORITHM, { extractable: true });
  const keyId = randomUUID();
  const privateJwk = JSON.stringify(await exportJWK(privateKey));
  const publicJwk = await exportJWK(publicKey);
  const place = placeOf.signingKey({ key_id: keyId, algorithm: SIGNING_ALGORITHM, public_key: publicJwk });
  const key = {
    key_id: keyId,
    algorithm: SIGNING_ALGORITHM,
    public_key: JSON.stringify(publicJwk),
    sealed_key: encryption.seal(privateJwk, place),
    signs_from: signsFrom,
  };
  await transaction.insertInto('signing_keys').values(key).execute();
  return keyId;
}
