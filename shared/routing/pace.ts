// Limits how often something happens: each caller waits for its turn, in the order of arrival.

import { setTimeout as pause } from 'node:timers/promises';

/** So many may go at once after a pause: under light load, the queries of one callback do not wait. */
const AT_ONCE = 2;

export class Pace {
  readonly #everyMs: number;
  #nextAt = Number.NEGATIVE_INFINITY;

  /** In any second there are at most this many turns, and one more. */
  constructor(perSecond: number) {
    this.#everyMs = 1_000 / perSecond;
  }

  /** @param givenUp whoever gives up goes at once: it looks at the signal */
  async turn(givenUp?: AbortSignal): Promise<void> {
    const now = performance.now();
    const at = Math.max(this.#nextAt, now - (AT_ONCE - 1) * this.#everyMs);
    this.#nextAt = at + this.#everyMs;
    if (at <= now || givenUp?.aborted) return;
    await pause(at - now, undefined, givenUp && { signal: givenUp }).catch((error: unknown) => {
      if (!givenUp?.aborted) throw error;
    });
  }
}
