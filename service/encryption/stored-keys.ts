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
  const anew = (sealed: string, place: Place) => encryption.seal(encryption.open(sealed, place), place);
  const signingKeys = await transaction
    .selectFrom('signing_keys')
    .selectAll()
    .where(isOld)
    .forUpdate()
    .execute();
  for (const row of signingKeys)
    await transaction
      .updateTable('signing_keys')
      .set({ sealed_key: anew(row.sealed_key, placeOf.signingKey(row)) })
      .where('key_id', '=', row.key_id)
      .execute();
  const callbackKeys = await transaction
    .selectFrom('callback_keys')
    .selectAll()
    .where(isOld)
    .forUpdate()
    .execute();
  for (const row of callbackKeys)
    await transaction
      .updateTable('callback_keys')
      .set({ sealed_key: anew(row.sealed_key, placeOf.callbackKey(row)) })
      .where('callback_key_id', '=', row.callback_key_id)
      .execute();
  return signingKeys.length + callbackKeys.length;
}

/** How many stored keys each encryption key has encrypted. */
export async function encryptionKeysInUse(
  database: Kysely<Database> | Transaction<Database>,
): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: string; count: number }>`
    select split_part(sealed_key, ':', 1) as id, count(*) as count
    from (select sealed_key from signing_keys union all select sealed_key from callback_keys) as stored
    group by 1 order by 1
  `.execute(database);
  return new Map(rows.map(({ id, count }) => [id, count]));
}

/** Throws where a stored key cannot be read with this ring. */
export async function requireKeysInUse(database: Kysely<Database>, encryption: Encryption): Promise<void> {
  const missing = [...(await encryptionKeysInUse(database)).keys()].filter((id) => !encryption.has(id));
  if (missing.length > 0)
    throw new Error(
      `The database has keys that are encrypted with ${missing.join(', ')}, which SERVICE_ENCRYPTION_KEY lacks: ` +
        'put these encryption keys back, behind the current one',
    );
}
