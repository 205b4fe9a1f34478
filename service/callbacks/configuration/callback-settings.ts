// The settings of callback delivery, read with the service's other settings: who sends, signatures, time-outs.
import { z } from 'zod';
import { wholeNumber } from '../../../shared/settings/values.ts';
import type { PrivateHosts } from './callback-address.ts';

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
  /** How long a receiver may take to answer; longer, it would take a place for nothing. */
  SERVICE_CALLBACK_TIMEOUT_SECONDS: seconds(1, 120).default(10_000),
  /** How long a delivered event stays in the delivery log and can be sent again. */
  SERVICE_CALLBACK_RETENTION_DAYS: wholeNumber(1, 36_500).default(400),
};

const isHost = (text: string): boolean => /^(?:[a-z0-9_.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/.test(text);

interface CallbackSettings {
  readonly sender: boolean;
  readonly privateHosts: PrivateHosts;
  /** A tenant's own key with fewer bytes is refused; in staging it is taken, with a warning. */
  readonly keyMinimumBytes: number;
  readonly timeoutMs: number;
  /** Callbacks at one time, to one tenant, from one process of the service. */
  readonly parallel: number;
  readonly retentionDays: number;
}

const environment = z.object({ ...callbackEnvironment, SERVICE_MODE: z.enum(['staging', 'production']) });

export function callbackSettingsOf(data: z.infer<typeof environment>): CallbackSettings {
  const production = data.SERVICE_MODE === 'production';
  return {
    sender: data.SERVICE_CALLBACK_SENDER === 'on',
    privateHosts: production ? data.SERVICE_CALLBACK_PRIVATE_HOSTS : 'any',
    keyMinimumBytes: production ? STRONG_KEY_BYTES : 0,
    timeoutMs: data.SERVICE_CALLBACK_TIMEOUT_SECONDS,
    parallel: 32,
    retentionDays: data.SERVICE_CALLBACK_RETENTION_DAYS,
  };
}
