// How signing keys come and go: a new one is published before it signs, an old one verifies until its last token is gone.
import { randomUUID } from 'node:crypto';
import { exportJWK, generateKeyPair } from 'jose';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Encryption } from '../encryption/encryption.ts';
import { placeOf } from '../encryption/stored-keys.ts';
import type { Database } from '../storage/database.ts';
import { inTransaction } from '../storage/transaction.ts';

export const SIGNING_ALGORITHM = 'ES256';

// The age at which the next key takes over.
const KEY_AGE_MS = 90 * 24 * 3_600_000;
// Longer than an instance keeps its keys, and longer than others may keep the JWKS (JWKS_MAXIMUM_AGE_SECONDS).
const PUBLISHED_BEFORE_SIGNING_MS = 10 * 60_000;
// Longer than the life of any token (SERVICE_TOKEN_LIFETIME_SECONDS is at most a day) plus the difference of clocks.
const VERIFIES_AFTER_SIGNING_MS = 25 * 3_600_000;

/** Whether the key is so old that the next one must take over. */
export const isOld = (signsFrom: Date): boolean => signsFrom.getTime() + KEY_AGE_MS < Date.now();

/** Makes the next key if there is none, or if the newest is old. Several instances may call it at once. */
export async function ensureSigningKey(database: Kysely<Database>, encryption: Encryption): Promise<void> {
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
