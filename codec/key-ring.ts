// The keys that payloads are encrypted with: the first one encrypts, each of them decrypts. No error shows any part of a key.

export interface PayloadKey {
  readonly id: string;
  /** 32 bytes. */
  readonly bytes: Uint8Array;
}

export interface KeyRing {
  /** Null: encrypted payloads are read, and none are written. */
  readonly encrypting: PayloadKey | null;
  readonly byId: ReadonlyMap<string, PayloadKey>;
}

const KEY_BYTES = 32;
const FORM =
  'expected id:key, the id of letters, digits, ".", "_" and "-", the key 32 bytes in base64 (openssl rand -base64 32)';

/** In the place of the key that encrypts, while not every process has the keys yet. */
const PLAIN = 'plain';

/**
 * @param text `id:key`, the key that encrypts first, separated by blanks or lines. The word `plain` before them says that
 * nothing is encrypted yet. Throws TypeError for anything else, and where there is no key.
 */
export function readKeyRing(text: string): KeyRing {
  const words = text.split(/\s+/).filter((word) => word !== '');
  const isPlain = words[0] === PLAIN;
  const keys = (isPlain ? words.slice(1) : words).map(readKey);
  const [first] = keys;
  if (!first) throw new TypeError(`no key is given; ${FORM}`);
  const byId = new Map(keys.map((key) => [key.id, key]));
  if (byId.size < keys.length)
    throw new TypeError('two keys have the same id; each key has an id of its own');
  return { encrypting: isPlain ? null : first, byId };
}

function readKey(word: string, index: number): PayloadKey {
  const [, id, encoded = ''] = /^([\w.-]{1,64}):([A-Za-z0-9+/_-]+=?)$/.exec(word) ?? [];
  const bytes = Buffer.from(encoded, 'base64');
  if (id === undefined || bytes.length !== KEY_BYTES)
    throw new TypeError(`key ${index + 1} is wrong; ${FORM}`);
  return { id, bytes };
}
