// The codec server's settings, read from the environment once. One error names every wrong one.
import { z } from 'zod';
import { readPayloadKeys } from '../../shared/codec/payload-keys.ts';
import { readBy, readSettings } from '../../shared/settings/read-settings.ts';
import { trustedProxies, wholeNumber } from '../../shared/settings/values.ts';

const isOrigin = (text: string): boolean => URL.canParse(text) && new URL(text).origin === text;

const environment = z.object({
  CODEC_SERVER_HOST: z.string().min(1).default('127.0.0.1'),
  /** 0 takes any free port. */
  CODEC_SERVER_PORT: wholeNumber(0, 65_535).default(8092),
  /** Their connections are those of many people: they have no bound of their own. */
  CODEC_SERVER_TRUSTED_PROXIES: trustedProxies,
  /** The origins of the Web UIs that may ask, separated by blanks. */
  CODEC_SERVER_ORIGINS: z
    .string()
    .default('http://127.0.0.1:8233 http://localhost:8233')
    .transform((text) => text.split(/\s+/).filter((origin) => origin !== ''))
    .pipe(
      z.array(
        z.string().refine(isOrigin, 'must be origins like https://temporal.example, separated by blanks'),
      ),
    ),
  /** A person who knows it can read every history. */
  CODEC_SERVER_SECRET: z.string().min(32, 'must have at least 32 characters (openssl rand -hex 32)'),
  /** The keys that worker and clients have. */
  LOCKERFLOW_PAYLOAD_KEYS: readBy(readPayloadKeys, 'must have the keys of worker and clients'),
});

/** Throws an Error that names every wrong setting and what was expected. */
export function readCodecServerSettings(variables: Readonly<Record<string, string | undefined>>) {
  const data = readSettings(
    'The codec server cannot start; these settings are wrong',
    environment,
    variables,
  );
  return {
    host: data.CODEC_SERVER_HOST,
    port: data.CODEC_SERVER_PORT,
    trustedProxies: data.CODEC_SERVER_TRUSTED_PROXIES,
    origins: new Set(data.CODEC_SERVER_ORIGINS),
    secret: data.CODEC_SERVER_SECRET,
    keys: data.LOCKERFLOW_PAYLOAD_KEYS,
  };
}

export type CodecServerSettings = Readonly<ReturnType<typeof readCodecServerSettings>>;
