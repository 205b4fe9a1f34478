// Encrypts the keys that stand in the database (AES-256-GCM) with a key from outside of it: who has the database or a
// backup of it, and not that key, can neither sign a callback nor make an access token.
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import type { KeyRing } from '../../settings/key-ring.ts';

// As GCM recommends. At random: one key would have to encrypt billions of keys before two nonces are the same.
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** A key as it is stored. Without an encryption key's id it is not encrypted: an earlier version has stored it. */
export interface StoredKey {
  readonly encryptionKeyId: string | null;
  readonly bytes: Buffer;
}

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

  /** @param place where it is stored: what was encrypted for one place cannot be decrypted at another */
  encrypt(text: string, place: string): StoredKey {
    const [{ id, key }] = this.#required;
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(place));
    const bytes = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return { encryptionKeyId: id, bytes };
  }

  /** Throws where the key's id is not in the ring, and where the bytes are not those that were encrypted here. */
  decrypt({ encryptionKeyId, bytes }: StoredKey, place: string): string {
    if (encryptionKeyId === null) return bytes.toString('utf8');
    const found = this.#required.find(({ id }) => id === encryptionKeyId);
    if (!found)
      throw new Error(
        `${place} is encrypted with the key ${encryptionKeyId}, which SERVICE_ENCRYPTION_KEY lacks: put that key back`,
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
        `${place} cannot be decrypted with the key ${encryptionKeyId}: that key has another value, or the bytes were changed`,
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
