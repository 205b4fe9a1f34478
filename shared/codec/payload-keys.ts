// The keys that encrypt payloads, and whether encryption is on.
import { type EncryptionKey, readKeyRing } from '../settings/key-ring.ts';

export interface PayloadKeys {
  /** Null: encrypted payloads are read, and none are written. */
  readonly encrypting: EncryptionKey | null;
  readonly byId: ReadonlyMap<string, EncryptionKey>;
}

/** Instead of the first key, while not every process has the keys yet. */
const PLAIN = /^\s*plain(?=\s|$)/;

/** @param text a ring of keys; the word `plain` before them switches encryption off */
export function readPayloadKeys(text: string): PayloadKeys {
  const ring = readKeyRing(text.replace(PLAIN, ''));
  return {
    encrypting: PLAIN.test(text) ? null : ring[0],
    byId: new Map(ring.map((key) => [key.id, key])),
  };
}
