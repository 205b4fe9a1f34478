// The keys that payloads are encrypted with: a ring, and whether it encrypts already.
import { type EncryptionKey, readKeyRing } from '../settings/key-ring.ts';

export interface PayloadKeys {
  /** Null: encrypted payloads are read, and none are written. */
  readonly encrypting: EncryptionKey | null;
  readonly byId: ReadonlyMap<string, EncryptionKey>;
}

/** In the place of the key that encrypts, while not every process has the keys yet. */
const PLAIN = /^\s*plain(?=\s|$)/;

/** @param text a ring of keys; the word `plain` before them says that nothing is encrypted yet */
export function readPayloadKeys(text: string): PayloadKeys {
  const ring = readKeyRing(text.replace(PLAIN, ''));
  return {
    encrypting: PLAIN.test(text) ? null : ring[0],
    byId: new Map(ring.map((key) => [key.id, key])),
  };
}
