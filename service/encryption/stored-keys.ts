// All keys that stand in the database, in every table that has some: what each is bound to, which encryption keys they need, and
// encrypting them anew with the current one.
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database } from '../storage/database.ts';
import type { Encryption, Place } from './encryption.ts';

export const placeOf = {
  /** With the public key: it verifies tokens, and must be the one of the private key. */
  signingKey: ({ key_id, algorithm, public_key }: SigningKeyPlace): Place => ({
    boundTo: ['signing_keys', 'sealed_key', key_id, algorithm, canonicalJwk(public_key)],
    name: `signing_keys/${key_id}`,
  }),
  callbackKey: ({ callback_key_id, tenant_id, purpose }: CallbackKeyPlace): Place => ({
    boundTo: ['callback_keys', 'sealed_key', String(callback_key_id), String(tenant_id), purpose],
    name: `callback_keys/${tenant_id}/${purpose}`,
  }),
};

interface SigningKeyPlace {
  readonly key_id: string;
  readonly algorithm: string;
  readonly public_key: object;
}

interface CallbackKeyPlace {
  readonly callback_key_id: number;
  readonly tenant_id: number;
  readonly purpose: string;
}

/** A database column gives the members of a JWK in another order. */
const canonicalJwk = (jwk: object): string =>
  JSON.stringify(Object.entries(jwk).sort(([one], [other]) => (one < other ? -1 : 1)));

/** Encrypts all keys with the current encryption key: then no other of the ring is needed. Gives how many that were. */
export async function encryptAnew(
  transaction: Transaction<Database>,
  encryption: Encryption,
): Promise<number> {
  const isOld = sql<boolean>`split_part(sealed_key, ':', 1) <> ${encryption.currentKeyId}`;
  const signingKeys = transaction.selectFrom('signing_keys').selectAll().where(isOld).forUpdate();
  const callbackKeys = transaction.selectFrom('callback_keys').selectAll().where(isOld).forUpdate();
  const old = [
    ...(await signingKeys.execute()).map((row) => ({
      table: 'signing_keys',
      isRow: sql`key_id = ${row.key_id}`,
      sealed: row.sealed_key,
      place: placeOf.signingKey(row),
    })),
    ...(await callbackKeys.execute()).map((row) => ({
      table: 'callback_keys',
      isRow: sql`callback_key_id = ${row.callback_key_id}`,
      sealed: row.sealed_key,
      place: placeOf.callbackKey(row),
    })),
  ];
  for (const { table, isRow, sealed, place } of old) {
    const anew = encryption.seal(encryption.open(sealed, place), place);
    await sql`update ${sql.table(table)} set sealed_key = ${anew} where ${isRow}`.execute(transaction);
  }
  return old.length;
}

/** Throws where a stored key cannot be read with this ring. */
export async function requireKeysInUse(database: Kysely<Database>, encryption: Encryption): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select distinct split_part(sealed_key, ':', 1) as id
    from (select sealed_key from signing_keys union all select sealed_key from callback_keys) as stored order by 1
  `.execute(database);
  const missing = rows.map(({ id }) => id).filter((id) => !encryption.has(id));
  if (missing.length > 0)
    throw new Error(
      `The database has keys that are encrypted with ${missing.join(', ')}, which SERVICE_ENCRYPTION_KEY lacks: ` +
        'put these encryption keys back, behind the current one',
    );
}
