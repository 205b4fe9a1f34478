// A sender with the service's settings. How patient it is beside them is decided here.
import type { Settings } from '../settings.ts';
import { CallbackSender, type SenderDependencies, type SenderOptions } from './sender.ts';

// A sender that is alive has noted its attempt by then, or given it up; one that is dead is done without so much later.
const LEASE_MARGIN_MS = 10_000;

export function startCallbackSender(
  { databaseUrl, callbacks, stopGraceSeconds }: Settings,
  dependencies: SenderDependencies,
  changes: Partial<SenderOptions> = {},
): CallbackSender {
  const sender = new CallbackSender(
    {
      databaseUrl,
      hmac: callbacks.hmac,
      privateTargets: callbacks.privateTargets,
      timeoutMs: callbacks.timeoutMs,
      leaseMs: callbacks.timeoutMs + LEASE_MARGIN_MS,
      parallel: callbacks.parallel,
      // A quarter: what is stuck takes little from what is new, and still none of it is forgotten.
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
    },
    dependencies,
  );
  sender.start();
  return sender;
}
