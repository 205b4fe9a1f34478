// Encrypts the keys that stand in the database (AES-256-GCM) with a key from outside of it: who has the database or a
// backup of it, and not that key, can neither sign a callback nor make an access token.

import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { KeyRing } from '../../shared/settings/key-ring.ts';
import type { Database } from '../storage/database.ts';

// As GCM recommends. At random: one key would have to encrypt billions of keys before two nonces are the same.
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Where a text is kept: what was sealed for one place cannot be opened at another. */
export interface Place {
  /** For a key in a table: table, column, primary key, and all else in the row that must stay with the key. */
  readonly boundTo: readonly string[];
  /** In messages. */
  readonly name: string;
}

/** `<id of the encryption key>:<base64url>`. */
type Sealed = string;

export const encryptionKeyIdOf = (sealed: Sealed): string => sealed.split(':', 1)[0] ?? '';

export class Encryption {
  readonly #ring: KeyRing | undefined;

  constructor(ring: KeyRing | undefined) {
    this.#ring = ring;
  }

  /** False in a command that was started without the encryption key. */
  get isGiven(): boolean {
    return this.#ring !== undefined;
  }

  /** The id of the key that encrypts. Throws an Error that says how to make a key where there is none. */
  get currentKeyId(): string {
    return this.#required[0].id;
  }

  has(encryptionKeyId: string): boolean {
    return this.#required.some(({ id }) => id === encryptionKeyId);
  }

  seal(text: string, { boundTo }: Omit<Place, 'name'>): Sealed {
    const [{ id, key }] = this.#required;
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(authenticated(boundTo));
    const bytes = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return `${id}:${bytes.toString('base64url')}`;
  }

  /** Throws an Error that says what is wrong with what was kept, and what to do. */
  open(sealed: Sealed, { boundTo, name }: Place): string {
    if (!sealed.includes(':'))
      throw new Error(`${name} is not encrypted: the service has not stored it so; find out who has`);
    const encryptionKeyId = encryptionKeyIdOf(sealed);
    const found = this.#required.find(({ id }) => id === encryptionKeyId);
    if (!found)
      throw new Error(
        `${name} is encrypted with the key ${encryptionKeyId}, which SERVICE_ENCRYPTION_KEY lacks: put that key back`,
      );
    const bytes = Buffer.from(sealed.slice(encryptionKeyId.length + 1), 'base64url');
    try {
      const nonce = bytes.subarray(0, NONCE_BYTES);
      const decipher = createDecipheriv('aes-256-gcm', found.key, nonce, { authTagLength: TAG_BYTES });
      decipher.setAAD(authenticated(boundTo)).setAuthTag(bytes.subarray(-TAG_BYTES));
      return (
        decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
      );
    } catch (error) {
      throw new Error(
        `${name} cannot be decrypted with the key ${encryptionKeyId}: that key has another value, or the row was changed`,
        { cause: error },
      );
    }
  }

  /**
   * HMACs of a text that a person might guess: without the encryption key no guess can be tested. One by each key, the
   * current one first.
   */
  hashes(text: string): readonly Buffer[] {
    return this.#required.map(({ key }) => {
      const derived = Buffer.from(hkdfSync('sha256', key, '', 'lockerflow: hashes of texts', 32));
      return createHmac('sha256', derived).update(text).digest();
    });
  }

  get #required(): KeyRing {
    if (this.#ring) return this.#ring;
    throw new Error(
      'SERVICE_ENCRYPTION_KEY_FILE is required: the file of the key that encrypts the keys in the database. ' +
        'Make one with: npm run -s service -- encryption-key create > encryption-key',
    );
  }
}

const authenticated = (boundTo: readonly string[]): Buffer => Buffer.from(JSON.stringify(boundTo));

// All keys that stand in the database, in every table that has some: what each is bound to, which encryption keys they need, and
// encrypting them anew with the current one.

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
