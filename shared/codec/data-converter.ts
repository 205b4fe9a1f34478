// How a process encodes its data for Temporal, from its settings: every client and every worker uses this.
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DataConverter } from '@temporalio/common';
import { EncryptingCodec } from './encrypting-codec.ts';
import { type PayloadKeys, readPayloadKeys } from './payload-keys.ts';
import { writeWholeTexts } from './whole-texts.ts';

/** Empty, or absent: nothing is encrypted. */
const PAYLOAD_KEYS = 'LOCKERFLOW_PAYLOAD_KEYS';

export type Variables = Readonly<Record<string, string | undefined>>;

/** Null if no keys are set. Throws an Error that names the setting. */
export function payloadKeys(variables: Variables): PayloadKeys | null {
  const text = variables[PAYLOAD_KEYS];
  if (!text) return null;
  try {
    return readPayloadKeys(text);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`${PAYLOAD_KEYS}: ${reason}`, { cause });
  }
}

/** For the options of a Client, a Worker or a replay. */
export function dataConverter(keys: PayloadKeys | null): DataConverter {
  writeWholeTexts();
  if (keys === null) return {};
  return {
    payloadCodecs: [new EncryptingCodec(keys)],
    ...(keys.encrypting && { failureConverterPath: fileOf('encoding-failure-converter') }),
  };
}

/** For the bundle of the workflows. */
export const workflowFailureConverterPath = fileOf('failure-converter');

/** The code of the bundle. If the keys encrypt, its workflows encode their failures. Each line keeps its number. */
export const withEncodedFailures = (code: string, keys: PayloadKeys | null): string =>
  keys?.encrypting ? `globalThis.lockerflowEncodesFailures = true;${code}` : code;

/** As source or as built. */
function fileOf(name: string): string {
  return fileURLToPath(new URL(`./${name}${extname(import.meta.url)}`, import.meta.url));
}
