// The keys of a tenant's callbacks: one signs every callback, and with authType ApiKey another one is sent in a header.
// They are never the same: a person who sees the header must not be able to sign a callback.
import { randomBytes } from 'node:crypto';
import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import { keyFingerprint } from '../../../shared/settings/key-fingerprint.ts';
import { ApiError } from '../../api-error.ts';
import type { Encryption } from '../../encryption/encryption.ts';
import { placeOf } from '../../encryption/stored-keys.ts';
import type { Database } from '../../storage/database.ts';
import type { CallbackKeyPurpose } from '../../storage/tables.ts';

// As Standard Webhooks recommends: 24 to 64 bytes.
const KEY_BYTES = 32;
// Each makes the header webhook-signature 48 bytes longer. Only a tenant that changes its key all the time has more.
const MAXIMUM_FORMER_KEYS = 8;

// So long, after a change of key, callbacks are signed with the former key too.
const OVERLAP_MS = 24 * 3_600_000;

const newKey = {
  Signing: () => `whsec_${randomBytes(KEY_BYTES).toString('base64')}`,
  ApiKey: () => randomBytes(KEY_BYTES).toString('base64url'),
} satisfies Record<CallbackKeyPurpose, () => string>;

/** A key that callbacks are sent with now, without the key itself. */
export interface CallbackKeyInUse {
  readonly purpose: CallbackKeyPurpose;
  /** As the receiver's log names its keys. Anybody can compute it from a guess of the key, so it is stored nowhere. */
  readonly fingerprint: string;
  /** Null: the current key. */
  readonly validUntil: Date | null;
}

export async function callbackKeysInUse(
  database: Kysely<Database> | Transaction<Database>,
  tenantId: number,
  encryption: Encryption,
): Promise<CallbackKeyInUse[]> {
  const rows = await database
    .selectFrom('callback_keys')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where(sql<boolean>`coalesce(valid_until > now() + clock_ahead(tenant_id), true)`)
    .orderBy('callback_key_id', 'desc')
    .execute();
  return rows.map((row) => ({
    purpose: row.purpose,
    fingerprint: keyFingerprint(openedKey(row, encryption)),
    validUntil: row.valid_until,
  }));
}

const openedKey = (row: Selectable<Database['callback_keys']>, encryption: Encryption): string =>
  encryption.open(row.sealed_key, placeOf.callbackKey(row));

/** The tenant's configuration must be locked, so that two changes take turns. */
interface KeyChange {
  readonly transaction: Transaction<Database>;
  readonly tenantId: number;
  readonly encryption: Encryption;
  readonly purpose: CallbackKeyPurpose;
  /** The one that the tenant chose. */
  readonly given?: string | undefined;
  /** A new one is made even if there is one. */
  readonly reset?: boolean;
}

/** The key for this purpose from now on: the one that the tenant chose, else the one that there is, else a new one. */
export async function setCallbackKey({
  transaction,
  tenantId,
  encryption,
  purpose,
  given,
  reset = false,
}: KeyChange): Promise<{ readonly changed: boolean; readonly made: string | null }> {
  const rows = await transaction
    .selectFrom('callback_keys')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .execute();
  const keys = rows.map((row) => ({ ...row, key: openedKey(row, encryption) }));
  const before = keys.find((each) => each.purpose === purpose && each.valid_until === null)?.key;
  const made = reset || (given === undefined && before === undefined) ? newKey[purpose]() : null;
  const key = made ?? given ?? before;
  if (key === undefined || key === before) return { changed: false, made: null };
  // Also a former one: whoever has seen the header of a callback must not be able to sign one.
  if (keys.some((each) => each.purpose !== purpose && each.key === key)) throw usedOtherwise(purpose);
  await retire(transaction, tenantId, purpose);
  // Taken before the insert: the key is sealed for its row.
  const { rows: drawn } = await sql<{ id: number }>`
    select nextval(pg_get_serial_sequence('callback_keys', 'callback_key_id')) as id
  `.execute(transaction);
  const [{ id } = { id: 0 }] = drawn;
  const place = placeOf.callbackKey({ callback_key_id: id, tenant_id: tenantId, purpose });
  await sql`
    insert into callback_keys (callback_key_id, tenant_id, purpose, sealed_key)
    overriding system value
    values (${id}, ${tenantId}, ${purpose}, ${encryption.seal(key, place)})
  `.execute(transaction);
  return { changed: true, made };
}

const usedOtherwise = (purpose: CallbackKeyPurpose): ApiError =>
  new ApiError(
    'InvalidRequest',
    purpose === 'ApiKey'
      ? 'authKey: is the key that signs the callbacks, which is never sent; choose another one, or leave it out to get a new one'
      : 'authKey: was sent as an API key, so others may know it; choose another one to sign with, or set resetKey to get a new one',
  );

/** A former signing key signs for some more time. The header of an API key has room for the new one only. */
async function retire(
  transaction: Transaction<Database>,
  tenantId: number,
  purpose: CallbackKeyPurpose,
): Promise<void> {
  await sql`
    update callback_keys set valid_until = now() + clock_ahead(${tenantId}) + ${OVERLAP_MS}::float8 * interval '1 millisecond'
    where tenant_id = ${tenantId} and purpose = ${purpose} and valid_until is null
  `.execute(transaction);
  await sql`
    delete from callback_keys
    where tenant_id = ${tenantId} and purpose = ${purpose} and (
      valid_until <= now() + clock_ahead(${tenantId}) or purpose = 'ApiKey' or callback_key_id not in (
        select callback_key_id from callback_keys where tenant_id = ${tenantId} and purpose = ${purpose}
        order by callback_key_id desc limit ${MAXIMUM_FORMER_KEYS}))
  `.execute(transaction);
}
