// A ring of encryption keys, as one setting: keys like `2026-11:<base64 of 32 bytes>`, separated by blanks or lines.
// The first one encrypts; each decrypts the data with its id. And a short name for a key, for logs.
import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';

const KEY_BYTES = 32;
const FORM =
  'id:base64: letters, digits, ".", "_" and "-" in the id, then 32 bytes in base64 (openssl rand -base64 32)';

export interface EncryptionKey {
  readonly id: string;
  readonly key: KeyObject;
}

/** The first key is the one that encrypts. */
export type KeyRing = readonly [EncryptionKey, ...EncryptionKey[]];

/** Throws an Error that says what is wrong, without a part of a key. */
export function readKeyRing(text: string): KeyRing {
  const lines = text
    .split(/\s+/)
    .filter((line) => line !== '')
    .map(readKey);
  const [first, ...others] = lines;
  if (!first) throw new Error(`has no key; it must have at least one, in the form ${FORM}`);
  const ids = lines.map(({ id }) => id);
  const double = ids.find((id, index) => ids.indexOf(id) !== index);
  if (double !== undefined)
    throw new Error(`has two keys with the id ${double}; give one of them another id`);
  return [first, ...others];
}

function readKey(line: string, index: number): EncryptionKey {
  const [, id, base64] = /^([\w.-]{1,64}):([A-Za-z0-9+/_-]+={0,2})$/.exec(line) ?? [];
  const key = Buffer.from(base64 ?? '', 'base64');
  if (id === undefined || key.length !== KEY_BYTES)
    throw new Error(`key ${index + 1} must have the form ${FORM}`);
  return { id, key: createSecretKey(key) };
}

/** A line for a new key, named after the time. */
export function newKeyLine(now = new Date()): string {
  const id = now.toISOString().replace(/[-:]|\.\d+/g, '');
  return `${id}:${randomBytes(KEY_BYTES).toString('base64')}`;
}
