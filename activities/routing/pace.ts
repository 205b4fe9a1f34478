// Limits how often something happens: each caller waits for its turn, in the order of arrival.
import { setTimeout as pause } from 'node:timers/promises';

/** So many may go at once after a pause: under light load, the queries of one callback do not wait. */
const AT_ONCE = 2;

export class Pace {
  readonly #everyMs: number;
  #nextAt = 0;

  /** In any second there are at most this many turns, and one more. */
  constructor(perSecond: number) {
    this.#everyMs = 1_000 / perSecond;
  }

  async turn(): Promise<void> {
    const now = performance.now();
    const at = Math.max(this.#nextAt, now - (AT_ONCE - 1) * this.#everyMs);
    this.#nextAt = at + this.#everyMs;
    if (at > now) await pause(at - now);
  }
}
