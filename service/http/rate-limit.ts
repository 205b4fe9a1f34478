// How much one API client may ask of one instance of the service: a bucket of requests that fills up steadily. Each
// instance counts for itself, so three instances let through three times the limit.
import { tooManyRequests } from '../api-error.ts';
import type { Settings } from '../settings.ts';

interface RateLimit {
  /** Requests that a full bucket holds: the largest burst. */
  readonly burst: number;
  readonly perSecond: number;
}

/** Twice the rate at one moment: a client's own workers start their requests together. */
export const requestLimit = ({ requestsPerSecond }: Settings): RateLimit => ({
  burst: 2 * requestsPerSecond,
  perSecond: requestsPerSecond,
});

/** A minute's worth at one moment: all processes of a client may start together. */
export const tokenLimit = ({ tokensPerMinute }: Settings): RateLimit => ({
  burst: tokensPerMinute,
  perSecond: tokensPerMinute / 60,
});

interface Bucket {
  left: number;
  filledAt: number;
}

export class RateLimiter {
  readonly #limit: RateLimit;
  readonly #now: () => number;
  // Keyed by authenticated client ids only, so there are never more buckets than clients.
  readonly #buckets = new Map<string, Bucket>();

  /** A limit of 0 per second is no limit. The clock counts milliseconds. */
  constructor(limit: RateLimit, now: () => number = () => performance.now()) {
    this.#limit = limit;
    this.#now = now;
  }

  /** Counts one request of the client, or throws RateLimitExceeded with the time after which one is free again. */
  take(clientId: string): void {
    const { burst, perSecond } = this.#limit;
    if (perSecond === 0) return;
    const now = this.#now();
    const bucket = this.#buckets.get(clientId) ?? { left: burst, filledAt: now };
    bucket.left = Math.min(burst, bucket.left + ((now - bucket.filledAt) / 1_000) * perSecond);
    bucket.filledAt = now;
    this.#buckets.set(clientId, bucket);
    if (bucket.left < 1) throw tooManyRequests((1 - bucket.left) / perSecond);
    bucket.left -= 1;
  }
}
