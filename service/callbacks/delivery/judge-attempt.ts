// Decides after one attempt: whether the callback is done, when to try again, and whether the receiver is down.
import { type Backoff, backoffMs } from '../../../shared/limits/backoff.ts';
import type { ClaimedCallback } from '../queue/claim-callbacks.ts';
import type { Outcome } from '../queue/record-outcomes.ts';
import type { AttemptResult } from './attempt-callback.ts';

// The longest pause that a receiver can ask for: assumptions: Callbacks has attempts at most 10 min apart.
const LONGEST_PAUSE_MS = 600_000;

export function outcomeOf(
  callback: ClaimedCallback,
  result: AttemptResult,
  patience: Backoff,
  acceptedLately: boolean,
): Outcome {
  const attempt = callback.attempts + 1;
  const { milliseconds, status } = result;
  const common = { ...noOutcome(callback), attempt, milliseconds, answer_status: status };
  if (result.accepted) return { ...common, accepted: true, receiver: 'up' };
  const pauseMs = Math.min(result.retryAfterMs ?? 0, LONGEST_PAUSE_MS);
  return {
    ...common,
    accepted: false,
    error: result.error,
    delay_ms: Math.max(backoffMs(attempt, patience), pauseMs),
    receiver: receiverAfter(result, callback.is_probe, acceptedLately),
    pause_ms: pauseMs,
  };
}

/** For a claim that had nothing to send. */
export const noOutcome = (callback: ClaimedCallback): Outcome => ({
  shipment_id: callback.shipment_id,
  tenant_id: callback.tenant_id,
  lease_id: callback.lease_id,
  event_id: callback.event_id,
  is_probe: callback.is_probe,
  attempt: callback.attempts,
  accepted: null,
  answer_status: null,
  error: null,
  milliseconds: null,
  delay_ms: null,
  receiver: null,
  pause_ms: null,
});

type Failure = Extract<AttemptResult, { accepted: false }>;

/**
 * A receiver is down if an attempt cannot reach it and it has accepted nothing lately, or if it asks for a pause. If it
 * refuses one callback, it is not down; the callbacks of other shipments are not delayed.
 */
function receiverAfter(result: Failure, isProbe: boolean, acceptedLately: boolean): Outcome['receiver'] {
  const answeredToTheCallback = result.status !== null && !result.ofReceiver;
  if (answeredToTheCallback) return 'up';
  // After a probe that was cut, it is still unknown whether the receiver is back.
  if (isProbe) return 'down';
  const asksForPause = result.ofReceiver && result.retryAfterMs !== null;
  return asksForPause || (result.ofReceiver && !acceptedLately) ? 'down' : null;
}

/** The receivers that have accepted a callback lately. Such a receiver is not down, even if other callbacks fail. */
export function recentAcceptances(latelyMs: number) {
  const acceptedAt = new Map<number, number>();
  return {
    note: (tenantId: number) => void acceptedAt.set(tenantId, performance.now()),
    /**
     * Called at the start of an attempt. The result says, at its end, whether the receiver has accepted a callback
     * during it or shortly before.
     */
    lately(tenantId: number): () => boolean {
      const start = performance.now();
      return () => {
        const at = acceptedAt.get(tenantId);
        return at !== undefined && at >= Math.min(start, performance.now() - latelyMs);
      };
    },
  };
}
export type RecentAcceptances = ReturnType<typeof recentAcceptances>;
