// How often something may be done: each caller waits for its turn, in the order in which the callers came.
import { setTimeout as pause } from 'node:timers/promises';

/** So many may go at once after a rest: what a callback asks for one after the other does not wait under light load. */
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
