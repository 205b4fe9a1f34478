// Encrypts inputs, results, signals, failures and details for Temporal: AES-256-GCM, with a new nonce for each payload.
// A payload names its key. An unencrypted payload is read unchanged.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Payload, PayloadCodec } from '@temporalio/common';
import proto from '@temporalio/proto';
import type { EncryptionKey } from '../settings/key-ring.ts';
import type { PayloadKeys } from './payload-keys.ts';

// The names and the form of the codecs in Temporal's samples, so that the codecs of other SDKs can read these payloads.
const ENCODING = 'binary/encrypted';
const KEY_ID = 'encryption-key-id';
const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

const { Payload: payloadMessage } = proto.temporal.api.common.v1;

/** The payload needs a key that is missing, or it was changed after its encryption. */
export class UndecipherablePayload extends Error {
  override readonly name = 'UndecipherablePayload';
}

export class EncryptingCodec implements PayloadCodec {
  readonly #keys: PayloadKeys;

  constructor(keys: PayloadKeys) {
    this.#keys = keys;
  }

  async encode(payloads: Payload[]): Promise<Payload[]> {
    const { encrypting } = this.#keys;
    return encrypting ? payloads.map((payload) => encrypted(payload, encrypting)) : payloads;
  }

  async decode(payloads: Payload[]): Promise<Payload[]> {
    return payloads.map((payload) => (isEncrypted(payload) ? this.#decrypted(payload) : payload));
  }

  #decrypted(payload: Payload): Payload {
    const id = textOf(payload.metadata?.[KEY_ID]);
    const key = this.#keys.byId.get(id);
    if (!key)
      throw new UndecipherablePayload(
        `a payload is encrypted with the key "${id}", which is not given; add it to LOCKERFLOW_PAYLOAD_KEYS`,
      );
    return decrypted(payload.data ?? new Uint8Array(), key);
  }
}

function encrypted(payload: Payload, { id, key }: EncryptionKey): Payload {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, nonce);
  const data = Buffer.concat([
    nonce,
    cipher.update(payloadMessage.encode(payload).finish()),
    cipher.final(),
    cipher.getAuthTag(),
  ]);
  return { metadata: { encoding: Buffer.from(ENCODING), [KEY_ID]: Buffer.from(id) }, data };
}

function decrypted(data: Uint8Array, { id, key }: EncryptionKey): Payload {
  try {
    const decipher = createDecipheriv(ALGORITHM, key, data.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAuthTag(data.subarray(-TAG_BYTES));
    const sealed = data.subarray(NONCE_BYTES, -TAG_BYTES);
    return payloadMessage.decode(Buffer.concat([decipher.update(sealed), decipher.final()]));
  } catch (cause) {
    const message = `a payload cannot be decrypted with the key "${id}": it has changed, or another key has that id`;
    throw new UndecipherablePayload(message, { cause });
  }
}

const isEncrypted = ({ metadata }: Payload): boolean => textOf(metadata?.encoding) === ENCODING;

const textOf = (bytes: Uint8Array | null | undefined): string => Buffer.from(bytes ?? []).toString();
