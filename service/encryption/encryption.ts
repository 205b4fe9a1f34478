// Encrypts the keys that stand in the database (AES-256-GCM) with a key from outside of it: who has the database or a
// backup of it, and not that key, can neither sign a callback nor make an access token.
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import type { KeyRing } from '../../shared/settings/key-ring.ts';

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
