// All keys that stand in the database, in every table that has some: where each is stored, which encryption keys they need,
// sealing those that are not yet, and encrypting them anew with the current key.
import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import type { Database } from '../storage/database.ts';
import { inTransaction } from '../storage/transaction.ts';
import type { Encryption, Place, StoredKey } from './encryption.ts';

/** What the sealed form of each key is bound to, as Encryption is told it. */
export const placeOf = {
  /** With the public key: it verifies tokens, and must be the one of the private key. */
  signingKey: ({ key_id, algorithm, public_key }: SigningKeyPlace): Place => ({
    row: ['signing_keys', 'private_key', key_id, algorithm, canonicalJwk(public_key)],
    former: `signing_keys/${key_id}`,
  }),
  callbackKey: ({ callback_key_id, tenant_id, purpose }: CallbackKeyPlace): Place => ({
    row: ['callback_keys', 'key', String(callback_key_id), String(tenant_id), purpose],
    former: `callback_keys/${tenant_id}/${purpose}`,
  }),
};

export interface SigningKeyPlace {
  readonly key_id: string;
  readonly algorithm: string;
  readonly public_key: object;
}

export interface CallbackKeyPlace {
  readonly callback_key_id: number;
  readonly tenant_id: number;
  readonly purpose: string;
}

/** A database column gives the members of a JWK in another order. */
const canonicalJwk = (jwk: object): string =>
  JSON.stringify(Object.entries(jwk).sort(([one], [other]) => (one < other ? -1 : 1)));

/** Throws where the public key is not the one of the private key: then somebody has replaced it. */
export function requireOwnPublicKey({ key_id, public_key }: SigningKeyPlace, privateJwk: string): void {
  const { d: _secret, ...own } = JSON.parse(privateJwk) as Record<string, unknown>;
  if (canonicalJwk(own) !== canonicalJwk(public_key))
    throw new Error(
      `the public key of signing_keys/${key_id} is not that of its private key: somebody has changed the row`,
    );
}

interface StoredRow {
  readonly sealed_key: string | null;
  readonly encryption_key_id: string | null;
  readonly key: Buffer;
}

const storedOf = ({ sealed_key, encryption_key_id, key }: StoredRow): StoredKey => ({
  sealed: sealed_key,
  encryptionKeyId: encryption_key_id,
  bytes: key,
});

interface Table<Row extends StoredRow> {
  readonly rows: RawBuilder<Row>;
  readonly placeOf: (row: Row) => Place;
  readonly check?: (row: Row, text: string) => void;
  readonly write: (row: Row, stored: StoredKey) => RawBuilder<unknown>;
}

/** Stores the selected keys anew, under the current encryption key. Gives their names. */
type StoreAnew = (
  transaction: Transaction<Database>,
  encryption: Encryption,
  condition: RawBuilder<unknown>,
) => Promise<string[]>;

const storeAnew =
  <Row extends StoredRow>({ rows: all, placeOf, check, write }: Table<Row>): StoreAnew =>
  async (transaction, encryption, condition) => {
    const { rows } = await sql<Row>`
      select * from (${all}) as stored where ${condition} for update
    `.execute(transaction);
    for (const row of rows) {
      const text = encryption.open(storedOf(row), placeOf(row));
      check?.(row, text);
      await write(row, encryption.seal(text, placeOf(row))).execute(transaction);
    }
    return rows.map((row) => placeOf(row).former);
  };

const signingKeys = storeAnew<StoredRow & SigningKeyPlace>({
  rows: sql`select key_id, algorithm, public_key, sealed_key, encryption_key_id, private_key as key from signing_keys`,
  placeOf: placeOf.signingKey,
  check: requireOwnPublicKey,
  write: ({ key_id }, { sealed, encryptionKeyId, bytes }) => sql`
    update signing_keys set sealed_key = ${sealed}, encryption_key_id = ${encryptionKeyId}, private_key = ${bytes}
    where key_id = ${key_id}`,
});

const callbackKeys = storeAnew<StoredRow & CallbackKeyPlace>({
  rows: sql`select callback_key_id, tenant_id, purpose, sealed_key, encryption_key_id, key from callback_keys`,
  placeOf: placeOf.callbackKey,
  write: ({ callback_key_id }, { sealed, encryptionKeyId, bytes }) => sql`
    update callback_keys set sealed_key = ${sealed}, encryption_key_id = ${encryptionKeyId}, key = ${bytes}
    where callback_key_id = ${callback_key_id}`,
});

const countWhere = async (
  database: Kysely<Database> | Transaction<Database>,
  condition: RawBuilder<unknown>,
): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count
    from (
      select sealed_key, encryption_key_id from signing_keys
      union all select sealed_key, encryption_key_id from callback_keys
    ) as stored where ${condition}
  `.execute(database);
  return rows[0]?.count ?? 0;
};

/** How many keys version 0.2.0 has stored, or somebody else. */
export const unsealedKeys = (database: Kysely<Database> | Transaction<Database>): Promise<number> =>
  countWhere(database, sql`sealed_key is null`);

const plainKeys = (database: Kysely<Database>): Promise<number> =>
  countWhere(database, sql`sealed_key is null and encryption_key_id is null`);

/**
 * Seals what version 0.2.0 has stored, if the setting says so, and gives the names of the sealed. Throws where a stored key is
 * not sealed and not accepted.
 */
export async function sealStoredKeys(
  database: Kysely<Database>,
  encryption: Encryption,
): Promise<{ readonly sealed: readonly string[]; readonly accepted: number }> {
  const [unsealed, plain] = [await unsealedKeys(database), await plainKeys(database)];
  if (plain > 0)
    throw new Error(
      `The database has ${plain} keys that are not encrypted. No version since 0.2.0 has stored them so: find out who has ` +
        'written to the database, and remove them (signing_keys, callback_keys: sealed_key and encryption_key_id are null)',
    );
  if (unsealed === 0) return { sealed: [], accepted: 0 };
  if (encryption.unsealed === 'refuse')
    throw new Error(
      `The database has ${unsealed} keys that are not sealed: version 0.2.0 has stored them, or somebody who can write to ` +
        'the database. After an upgrade from 0.2.0, start once with SERVICE_UNSEALED_KEYS=seal; while instances of 0.2.0 ' +
        'still run, with SERVICE_UNSEALED_KEYS=accept',
    );
  if (encryption.unsealed === 'accept') return { sealed: [], accepted: unsealed };
  const isUnsealed = sql`sealed_key is null`;
  const sealed = await inTransaction(database, async (transaction) => [
    ...(await signingKeys(transaction, encryption, isUnsealed)),
    ...(await callbackKeys(transaction, encryption, isUnsealed)),
  ]);
  return { sealed, accepted: 0 };
}

/** Encrypts all keys with the current encryption key: then no other of the ring is needed. Gives how many that were. */
export async function encryptAnew(
  transaction: Transaction<Database>,
  encryption: Encryption,
): Promise<number> {
  const current = encryption.currentKeyId;
  const isOld = sql`
    encryption_key_id is distinct from ${current} or split_part(sealed_key, ':', 1) is distinct from ${current}`;
  const signing = await signingKeys(transaction, encryption, isOld);
  const callbacks = await callbackKeys(transaction, encryption, isOld);
  return signing.length + callbacks.length;
}

/** How many stored keys each encryption key has encrypted; under null those that are not encrypted. */
export async function encryptionKeysInUse(
  database: Kysely<Database> | Transaction<Database>,
): Promise<Map<string | null, number>> {
  const { rows } = await sql<{ id: string | null; count: number }>`
    select needed.id, count(*) as count
    from (
      select sealed_key, encryption_key_id from signing_keys
      union all select sealed_key, encryption_key_id from callback_keys
    ) as stored
    cross join lateral (
      select split_part(sealed_key, ':', 1) as id where sealed_key is not null
      union select encryption_key_id where sealed_key is null or encryption_key_id is not null
    ) as needed
    group by 1 order by 1 nulls first
  `.execute(database);
  return new Map(rows.map(({ id, count }) => [id, count]));
}

/** Throws where a stored key cannot be read with this ring. */
export async function requireKeysInUse(database: Kysely<Database>, encryption: Encryption): Promise<void> {
  const missing = [...(await encryptionKeysInUse(database)).keys()].filter(
    (id) => id !== null && !encryption.has(id),
  );
  if (missing.length > 0)
    throw new Error(
      `The database has keys that are encrypted with ${missing.join(', ')}, which SERVICE_ENCRYPTION_KEY lacks: ` +
        'put these encryption keys back, behind the current one',
    );
}
