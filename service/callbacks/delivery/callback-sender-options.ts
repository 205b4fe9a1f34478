// The options of a callback sender: settings of the service, and times and numbers that are not settings.

import type { Backoff } from '../../../runtime/limits/backoff.ts';
import type { Encryption } from '../../encryption/encryption.ts';
import type { Settings } from '../../settings.ts';
import type { PrivateHosts } from '../configuration/address-reach.ts';
import type { HmacSettings } from '../configuration/callback-settings.ts';

export interface CallbackSenderOptions {
  readonly databaseUrl: string;
  readonly hmac: HmacSettings;
  readonly encryption: Encryption;
  readonly privateHosts: PrivateHosts;
  readonly timeoutMs: number;
  /** How long a sender has a shipment. Longer than the time-out, because another sender may take it after that. */
  readonly leaseMs: number;
  /** At one time to one tenant: all attempts, and the repeated ones among them. */
  readonly parallel: number;
  readonly parallelRepeated: number;
  /** At one time to all tenants: limited by the sockets and memory of this process. */
  readonly parallelTotal: number;
  readonly patience: Backoff;
  readonly probePatience: Backoff;
  /** A receiver that has accepted a callback within this time is not down. */
  readonly downAfterMs: number;
  /** Between two polls if nothing wakes the sender: while it can listen to the database, and while it cannot. */
  readonly pollMs: number;
  readonly pollDeafMs: number;
  readonly stopGraceMs: number;
}

// A living sender has recorded its attempt by then. The callbacks of a dead sender wait so much longer.
const LEASE_MARGIN_MS = 10_000;

/** Tests may change the times, so that they do not have to wait. */
export function callbackSenderOptions(
  { databaseUrl, encryption, callbacks, stopGraceSeconds }: Settings,
  changes: Partial<CallbackSenderOptions> = {},
): CallbackSenderOptions {
  return {
    databaseUrl,
    hmac: callbacks.hmac,
    encryption,
    privateHosts: callbacks.privateHosts,
    timeoutMs: callbacks.timeoutMs,
    leaseMs: callbacks.timeoutMs + LEASE_MARGIN_MS,
    parallel: callbacks.parallel,
    // A quarter: stuck callbacks take few places from new ones, but still get some.
    parallelRepeated: Math.ceil(callbacks.parallel / 4),
    parallelTotal: 1_000,
    // assumptions: Callbacks: from about 1 s, doubled, at most 10 min.
    patience: { firstMs: 1_000, lastMs: 600_000 },
    // A receiver that is back should get callbacks soon; one request a minute is a small load for it.
    probePatience: { firstMs: 1_000, lastMs: 60_000 },
    downAfterMs: 1_000,
    pollMs: 5_000,
    pollDeafMs: 1_000,
    stopGraceMs: stopGraceSeconds * 1_000,
    ...changes,
  };
}
