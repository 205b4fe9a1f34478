// The settings of callback delivery, read with the service's other settings: who sends, signatures, time-outs.
import { z } from 'zod';
import {
  callbackHeaders,
  type HmacAlgorithm,
  type HmacEncoding,
  hmacAlgorithms,
  hmacEncodings,
} from '../../../contract/index.ts';
import { wholeNumber } from '../../../shared/settings/values.ts';
import type { PrivateHosts } from './address-reach.ts';

/** What Standard Webhooks recommends at least. A shorter text may be one that a person can guess. */
export const STRONG_KEY_BYTES = 24;

const seconds = (least: number, most: number) => wholeNumber(least, most).transform((value) => value * 1_000);

export const callbackEnvironment = {
  /** off: another process of the service, with the same database, sends. */
  SERVICE_CALLBACK_SENDER: z.enum(['on', 'off']).default('on'),
  /** The hosts that may have loopback and private addresses in production; in staging all may (assumptions: Callbacks). */
  SERVICE_CALLBACK_PRIVATE_HOSTS: z
    .string()
    .transform((text) => text.split(',').map((host) => host.trim().toLowerCase()))
    .refine(
      (hosts) => hosts.every(isHost),
      'must be hosts, each with a port or without, like receiver:8090,10.1.2.3',
    )
    .default([]),
  SERVICE_CALLBACK_HMAC_HEADER: z
    .string()
    .regex(/^[\w-]+$/, 'must be the name of a header')
    .default(callbackHeaders.hmac),
  SERVICE_CALLBACK_HMAC_ALGORITHM: z.enum(hmacAlgorithms).default('sha256'),
  SERVICE_CALLBACK_HMAC_ENCODING: z.enum(hmacEncodings).default('base64'),
  /** A tenant's own key with fewer bytes is refused. Not set: 24 in production; in staging it is taken, with a warning. */
  SERVICE_CALLBACK_KEY_MINIMUM_BYTES: wholeNumber(0, 1_000).optional(),
  /** How long, after a change of key, callbacks are signed with the former key too. */
  SERVICE_CALLBACK_KEY_OVERLAP_SECONDS: seconds(0, 2_592_000).default(86_400_000),
  /** How long a receiver may take to answer; longer, it would take a place for nothing. */
  SERVICE_CALLBACK_TIMEOUT_SECONDS: seconds(1, 120).default(10_000),
  /** Callbacks at one time, to one tenant, from one process of the service. */
  SERVICE_CALLBACK_PARALLEL: wholeNumber(1, 1_000).default(32),
  /** How long a delivered event stays in the delivery log and can be sent again. */
  SERVICE_CALLBACK_RETENTION_DAYS: wholeNumber(1, 36_500).default(400),
};

const isHost = (text: string): boolean => /^(?:[a-z0-9_.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/.test(text);

interface CallbackSettings {
  readonly sender: boolean;
  readonly privateHosts: PrivateHosts;
  readonly hmac: HmacSettings;
  readonly keyMinimumBytes: number;
  readonly keyOverlapMs: number;
  readonly timeoutMs: number;
  readonly parallel: number;
  readonly retentionDays: number;
}

export interface HmacSettings {
  readonly header: string;
  readonly algorithm: HmacAlgorithm;
  readonly encoding: HmacEncoding;
}

const environment = z.object({ ...callbackEnvironment, SERVICE_MODE: z.enum(['staging', 'production']) });

export function callbackSettingsOf(data: z.infer<typeof environment>): CallbackSettings {
  const production = data.SERVICE_MODE === 'production';
  return {
    sender: data.SERVICE_CALLBACK_SENDER === 'on',
    privateHosts: production ? data.SERVICE_CALLBACK_PRIVATE_HOSTS : 'any',
    hmac: {
      header: data.SERVICE_CALLBACK_HMAC_HEADER.toLowerCase(),
      algorithm: data.SERVICE_CALLBACK_HMAC_ALGORITHM,
      encoding: data.SERVICE_CALLBACK_HMAC_ENCODING,
    },
    keyMinimumBytes: data.SERVICE_CALLBACK_KEY_MINIMUM_BYTES ?? (production ? STRONG_KEY_BYTES : 0),
    keyOverlapMs: data.SERVICE_CALLBACK_KEY_OVERLAP_SECONDS,
    timeoutMs: data.SERVICE_CALLBACK_TIMEOUT_SECONDS,
    parallel: data.SERVICE_CALLBACK_PARALLEL,
    retentionDays: data.SERVICE_CALLBACK_RETENTION_DAYS,
  };
}
