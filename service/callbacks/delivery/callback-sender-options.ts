// What a callback sender goes by: the service's settings, and the times and numbers that are no settings.

import type { Backoff } from '../../../limits/backoff.ts';
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
  /** How long a sender has a shipment; longer than the time-out, since another may take it after that. */
  readonly leaseMs: number;
  /** At one time to one tenant: in all, and repeated tries among them. */
  readonly parallel: number;
  readonly parallelRepeated: number;
  /** At one time to all tenants: what this process has sockets and memory for. */
  readonly parallelTotal: number;
  readonly patience: Backoff;
  readonly probePatience: Backoff;
  /** A receiver that has accepted a callback that recently is not down. */
  readonly downAfterMs: number;
  /** Between two looks when nothing wakes the sender: while it can listen to the database, and while it cannot. */
  readonly pollMs: number;
  readonly pollDeafMs: number;
  readonly stopGraceMs: number;
}

// A sender that is alive has recorded its attempt by then. The callbacks of one that died wait so much longer.
const LEASE_MARGIN_MS = 10_000;

/** A test may change what it would otherwise have to wait for. */
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
    // A quarter: stuck callbacks take little from new ones, and still none of them is forgotten.
    parallelRepeated: Math.ceil(callbacks.parallel / 4),
    parallelTotal: 1_000,
    // assumptions: Callbacks: from about 1 s, doubled, at most 10 min.
    patience: { firstMs: 1_000, lastMs: 600_000 },
    // A receiver that is back should not have to wait long; one request a minute is no burden to it.
    probePatience: { firstMs: 1_000, lastMs: 60_000 },
    downAfterMs: 1_000,
    pollMs: 5_000,
    pollDeafMs: 1_000,
    stopGraceMs: stopGraceSeconds * 1_000,
    ...changes,
  };
}
