// Encrypts the keys that stand in the database (AES-256-GCM) with a key from outside of it: who has the database or a
// backup of it, and not that key, can neither sign a callback nor make an access token.
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import type { KeyRing } from '../../runtime/settings/key-ring.ts';

// As GCM recommends. At random: one key would have to encrypt billions of keys before two nonces are the same.
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export interface Encrypted {
  readonly encryptionKeyId: string;
  readonly bytes: Buffer;
}

/** A key as it is stored. */
export interface StoredKey {
  /** `<id of the encryption key>:<base64>`, valid in its own row only. Null: version 0.2.0 has stored it. */
  readonly sealed: string | null;
  /**
   * The same key in the form of version 0.2.0, so that an operator can go back to it: what is valid in one row is valid in
   * others too. Null: not encrypted at all; no version reads that.
   */
  readonly encryptionKeyId: string | null;
  readonly bytes: Buffer;
}

/** Where a key is stored: what was encrypted for one place cannot be decrypted at another. */
export interface Place {
  /** Table, column, primary key, and all else in the row that must stay with the key. */
  readonly row: readonly string[];
  /** What version 0.2.0 bound it to; also its name in messages. */
  readonly former: string;
}

/**
 * What to do with keys that are not sealed: version 0.2.0 has stored them, or whoever can write to the database. `accept` is
 * for the time in which instances of that version still run, `seal` for the first start after that.
 */
export const unsealedPolicies = ['refuse', 'accept', 'seal'] as const;
export type UnsealedPolicy = (typeof unsealedPolicies)[number];

export class Encryption {
  readonly unsealed: UnsealedPolicy;
  readonly #ring: KeyRing | undefined;

  constructor(ring: KeyRing | undefined, unsealed: UnsealedPolicy = 'refuse') {
    this.#ring = ring;
    this.unsealed = unsealed;
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

  seal(text: string, { row, former }: Place): StoredKey {
    const { encryptionKeyId, bytes } = this.encrypt(text, JSON.stringify(row));
    return { sealed: `${encryptionKeyId}:${bytes.toString('base64')}`, ...this.encrypt(text, former) };
  }

  /** Throws an Error that says what is wrong with the stored key, and what to do. */
  open({ sealed, encryptionKeyId, bytes }: StoredKey, { row, former }: Place): string {
    if (sealed !== null) {
      const [id = '', base64 = ''] = sealed.split(':');
      const encrypted = { encryptionKeyId: id, bytes: Buffer.from(base64, 'base64') };
      return this.decrypt(encrypted, JSON.stringify(row), former);
    }
    if (encryptionKeyId === null)
      throw new Error(`${former} is not encrypted: the service has not stored it so; find out who has`);
    if (this.unsealed === 'refuse')
      throw new Error(
        `${former} is not sealed: version 0.2.0 has stored it, or somebody who can write to the database. ` +
          'If you have just upgraded, start once with SERVICE_UNSEALED_KEYS=seal',
      );
    return this.decrypt({ encryptionKeyId, bytes }, former);
  }

  /** @param place where it is kept: what was encrypted for one place cannot be decrypted at another */
  encrypt(text: string, place: string): Encrypted {
    const [{ id, key }] = this.#required;
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(place));
    const bytes = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return { encryptionKeyId: id, bytes };
  }

  /** Throws where the key's id is not in the ring, and where the bytes are not those that were encrypted here. */
  decrypt({ encryptionKeyId, bytes }: Encrypted, place: string, name = place): string {
    const found = this.#required.find(({ id }) => id === encryptionKeyId);
    if (!found)
      throw new Error(
        `${name} is encrypted with the key ${encryptionKeyId}, which SERVICE_ENCRYPTION_KEY lacks: put that key back`,
      );
    const nonce = bytes.subarray(0, NONCE_BYTES);
    const decipher = createDecipheriv('aes-256-gcm', found.key, nonce, { authTagLength: TAG_BYTES });
    decipher.setAAD(Buffer.from(place)).setAuthTag(bytes.subarray(-TAG_BYTES));
    try {
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
