// The callbacks that an unmatched callback keeps: each once, so many and so large at most, each for so long. Pure.
import type { ShipmentReport } from '../contract/flows/flow-messages.ts';
import type { KeptCallback, UnmatchedCallback } from '../contract/flows/unmatched-callback.ts';

// What is kept goes along into each new run, and must stay far below the 2 MB that Temporal takes.
const MAX_KEPT = 100;
const MAX_CHARACTERS = 400_000;

export class KeptCallbacks {
  #kept: readonly KeptCallback[];
  #settled: readonly KeptCallback[] = [];
  #givenUp: number;
  readonly #keepForMs: number;

  constructor(kept: readonly KeptCallback[], givenUp: number, keepForMs: number) {
    this.#kept = kept;
    this.#givenUp = givenUp;
    this.#keepForMs = keepForMs;
  }

  get all(): readonly KeptCallback[] {
    return this.#kept;
  }

  /** The newest of those that were delivered, claimed, dropped, or not claimed in time. */
  get settled(): readonly KeptCallback[] {
    return this.#settled;
  }

  /** How many were given up so far. */
  get givenUp(): number {
    return this.#givenUp;
  }

  /** Epoch milliseconds when the oldest is given up. */
  get until(): number {
    return Math.min(...this.#kept.map(({ since }) => Date.parse(since))) + this.#keepForMs;
  }

  /** @param times how often it came; if there are too many callbacks, the oldest are given up */
  keep(callback: UnmatchedCallback, times: number): void {
    const known = this.#kept.find((each) => isSame(each.callback, callback));
    if (known) {
      this.#kept = this.#kept.map((each) => (each === known ? { ...each, times: each.times + times } : each));
      return;
    }
    const kept = [...this.#kept, { callback, since: new Date(Date.now()).toISOString(), times }];
    const fitting = newestThatFit(kept);
    this.#givenUp += kept.length - fitting.length;
    this.#kept = fitting;
  }

  settle(callbacks: ReadonlySet<UnmatchedCallback>): void {
    this.#settleThose(({ callback }) => callbacks.has(callback));
  }

  giveUpExpired(): void {
    const before = this.#kept.length;
    const now = Date.now();
    this.#settleThose(({ since }) => Date.parse(since) + this.#keepForMs <= now);
    this.#givenUp += before - this.#kept.length;
  }

  #settleThose(isSettled: (kept: KeptCallback) => boolean): void {
    this.#settled = newestThatFit([...this.#settled, ...this.#kept.filter(isSettled)]);
    this.#kept = this.#kept.filter((each) => !isSettled(each));
  }
}

export const isReport = (callback: UnmatchedCallback): callback is ShipmentReport =>
  'shipmentUid' in callback;

function newestThatFit(kept: readonly KeptCallback[]): readonly KeptCallback[] {
  let from = Math.max(0, kept.length - MAX_KEPT);
  const sizes = kept.map(({ callback }) => JSON.stringify(callback).length);
  let size = sizes.slice(from).reduce((sum, each) => sum + each, 0);
  // The newest is kept at any size.
  for (; size > MAX_CHARACTERS && from < kept.length - 1; from += 1) size -= sizes[from] ?? 0;
  return kept.slice(from);
}

/** A repeated callback differs only in its time of arrival. */
function isSame(one: UnmatchedCallback, other: UnmatchedCallback): boolean {
  const textOf = (callback: UnmatchedCallback) => JSON.stringify({ ...callback, receivedAt: null });
  return textOf(one) === textOf(other);
}
