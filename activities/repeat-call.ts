// Repeats a call that may be repeated, within an activity, as long as waiting may help.
import { setTimeout as sleep } from 'node:timers/promises';
import { backoffMs } from '../shared/limits/backoff.ts';
import { LockerApiError } from '../shared/locker-api/index.ts';

const backoff = { firstMs: 300, lastMs: 5_000 };

export interface Persistence {
  /** Epoch milliseconds after which it is not tried again. */
  readonly until: number;
  /** Told of each failure after which it is tried again. */
  readonly onFailure?: (error: LockerApiError) => void;
}

/** Throws the last LockerApiError. Each wait is twice the one before, or as long as Retry-After asks for. */
export async function persistently<Value>(
  attempt: () => Promise<Value>,
  { until, onFailure }: Persistence,
): Promise<Value> {
  for (let failures = 1; ; failures++) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof LockerApiError)) throw error;
      const pauseMs = Math.max(backoffMs(failures, backoff), error.retryAfterMs ?? 0);
      const mayHelp = error.retryable || error.mayHaveReachedService === 'unknown';
      if (!mayHelp || Date.now() + pauseMs > until) throw error;
      onFailure?.(error);
      // Not the activity's own sleep: what has an effect is not left half done by a cancellation.
      await sleep(pauseMs);
    }
  }
}
