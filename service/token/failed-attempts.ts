// Slows a caller that fails again and again: after some failures in a row the next one has to wait, twice as long each
// time. Each instance counts failures for itself, by a shared property like the network.

import { LRUCache } from 'lru-cache';
import { backoffMs } from '../../runtime/limits/backoff.ts';
import { tooManyRequests } from '../refusal.ts';

const WAIT = { firstMs: 1_000, lastMs: 60_000, jitter: 0 };
// Failures are forgotten this long after the last one.
const MEMORY_MS = 15 * 60_000;
// Some 2 MB. An attacker with many addresses pushes out the oldest entries and does not fill the memory.
const MAXIMUM_ENTRIES = 10_000;

interface Failures {
  readonly count: number;
  readonly lastAt: number;
}

export class FailedAttempts {
  readonly #free: number;
  readonly #now: () => number;
  readonly #failures = new LRUCache<string, Failures>({ max: MAXIMUM_ENTRIES });

  /** @param free failures that cost no wait; the clock counts milliseconds */
  constructor(free: number, now: () => number = () => performance.now()) {
    this.#free = free;
    this.#now = now;
  }

  /** Throws RateLimitExceeded while the next failure has to wait. */
  requirePatience(key: string): void {
    const failures = this.#recent(key);
    if (!failures || failures.count < this.#free) return;
    const wait = backoffMs(failures.count - this.#free + 1, WAIT);
    const left = failures.lastAt + wait - this.#now();
    if (left > 0) throw tooManyRequests(left / 1_000);
  }

  /** How many there are now. */
  failed(key: string): number {
    const count = (this.#recent(key)?.count ?? 0) + 1;
    this.#failures.set(key, { count, lastAt: this.#now() });
    return count;
  }

  succeeded(key: string): void {
    this.#failures.delete(key);
  }

  #recent(key: string): Failures | undefined {
    const failures = this.#failures.get(key);
    return failures && this.#now() - failures.lastAt < MEMORY_MS ? failures : undefined;
  }
}
