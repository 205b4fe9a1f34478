// All keys that stand in the database, in every table that has some: which encryption keys they need, and encrypting
// them anew with the current one.
import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import type { Database } from '../storage/database.ts';
import { inTransaction } from '../storage/transaction.ts';
import type { Encryption, StoredKey } from './encryption.ts';

/** The place of a key, as Encryption is told it. */
export const placeOf = {
  signingKey: (keyId: string) => `signing_keys/${keyId}`,
  callbackKey: (tenantId: number, purpose: string) => `callback_keys/${tenantId}/${purpose}`,
};

interface Row {
  readonly id: string;
  readonly place: string;
  readonly encryption_key_id: string | null;
  readonly key: Buffer;
}

interface Table {
  readonly rows: RawBuilder<Row>;
  readonly write: (row: Row, { encryptionKeyId, bytes }: StoredKey) => RawBuilder<unknown>;
}

const tables: readonly Table[] = [
  {
    rows: sql`select key_id as id, 'signing_keys/' || key_id as place, encryption_key_id, private_key as key
      from signing_keys`,
    write: ({ id }, { encryptionKeyId, bytes }) => sql`
      update signing_keys set encryption_key_id = ${encryptionKeyId}, private_key = ${bytes} where key_id = ${id}`,
  },
  {
    rows: sql`select callback_key_id::text as id, 'callback_keys/' || tenant_id || '/' || purpose as place,
        encryption_key_id, key
      from callback_keys`,
    write: ({ id }, { encryptionKeyId, bytes }) => sql`
      update callback_keys set encryption_key_id = ${encryptionKeyId}, key = ${bytes}
      where callback_key_id = ${id}::bigint`,
  },
];

/** Encrypts what an earlier version has stored as it is. Gives how many keys that were. */
export const encryptPlainKeys = (database: Kysely<Database>, encryption: Encryption): Promise<number> =>
  inTransaction(database, (transaction) =>
    encryptWhere(transaction, encryption, sql`encryption_key_id is null`),
  );

/** Encrypts all keys with the current encryption key: then no other of the ring is needed. Gives how many that were. */
export const encryptAnew = (transaction: Transaction<Database>, encryption: Encryption): Promise<number> =>
  encryptWhere(transaction, encryption, sql`encryption_key_id is distinct from ${encryption.currentKeyId}`);

async function encryptWhere(
  transaction: Transaction<Database>,
  encryption: Encryption,
  condition: RawBuilder<unknown>,
): Promise<number> {
  let count = 0;
  for (const { rows: selected, write } of tables) {
    const { rows } = await sql<Row>`${selected} where ${condition} for update`.execute(transaction);
    for (const row of rows) {
      const text = encryption.decrypt({ encryptionKeyId: row.encryption_key_id, bytes: row.key }, row.place);
      await write(row, encryption.encrypt(text, row.place)).execute(transaction);
    }
    count += rows.length;
  }
  return count;
}

/** How many stored keys each encryption key has encrypted; under null those that are not encrypted. */
export async function encryptionKeysInUse(
  database: Kysely<Database> | Transaction<Database>,
): Promise<Map<string | null, number>> {
  const { rows } = await sql<{ id: string | null; count: number }>`
    select encryption_key_id as id, count(*) as count
    from (select encryption_key_id from signing_keys union all select encryption_key_id from callback_keys) as stored
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
