// How much one caller may hold at a time, and how much an answer.

import type { Caller } from '../access/rights.ts';
import { tooManyRequests } from '../refusal.ts';

export const limits = {
  /** For one caller. */
  waits: 100,
  /** Seconds. */
  longestWait: 60,
  rows: 200,
} as const;

const RETRY_AFTER_MS = 5_000;

export class ConcurrencyLimit {
  readonly #what: string;
  readonly #most: number;
  readonly #counts = new Map<string, number>();

  constructor(what: string, most: number) {
    this.#what = what;
    this.#most = most;
  }

  /** Gives what ends it; it is called once. Throws ConsoleRefusal (429). */
  begin({ id }: Pick<Caller, 'id'>): () => void {
    const count = this.#counts.get(id) ?? 0;
    if (count >= this.#most)
      throw tooManyRequests(
        `At most ${this.#most} ${this.#what} of one caller at a time. End one first.`,
        RETRY_AFTER_MS,
      );
    this.#counts.set(id, count + 1);
    return () => {
      const left = (this.#counts.get(id) ?? 1) - 1;
      if (left === 0) this.#counts.delete(id);
      else this.#counts.set(id, left);
    };
  }
}
