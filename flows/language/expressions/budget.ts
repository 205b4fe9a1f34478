// Limits the work of expressions. Every CEL expression ends, but a loop within a loop can take so long that the worker does
// nothing else. Each call, comparison and turn of a loop takes units, more for larger data. There are three bounds: of a step; of
// all that a workflow does without a pause, whatever gives it (events, items of a list, fields of a plan); and of a process over
// time, which must rest once it has done more.
import { ExpressionFailure } from './failure.ts';

/** About a tenth of a second of the slowest work. */
const UNITS_OF_A_STEP = 200_000;
/** About a third of a second, and less than one on a busy machine: as often a worker gives its other processes a turn. */
const UNITS_AT_ONCE = 700_000;
/** Forty processes that never stop take about a quarter of a processor. */
const UNITS_OF_A_MILLISECOND = 10;

export class Budget {
  readonly #units: number;
  readonly #atOnce: number;
  #left: number;
  #leftAtOnce: number;
  /** Below zero, it is a debt. */
  #leftInTime: number;
  #at = 0;

  constructor(units = UNITS_OF_A_STEP, atOnce = UNITS_AT_ONCE) {
    this.#units = units;
    this.#atOnce = atOnce;
    this.#left = units;
    this.#leftAtOnce = atOnce;
    this.#leftInTime = atOnce;
  }

  /** For the next item of a list within a step. */
  refill(): void {
    this.#left = this.#units;
  }

  /** For a step that nothing has come before. */
  beginAnew(): void {
    this.refill();
    this.#leftAtOnce = this.#atOnce;
  }

  /** For the next step of a process: at the same moment, it has what the steps before have left. */
  beginStep(at: number): void {
    this.refill();
    if (at === this.#at) return;
    this.#leftInTime = this.#inTime(at);
    this.#leftAtOnce = this.#atOnce;
    this.#at = at;
  }

  #inTime(at: number): number {
    return Math.min(this.#atOnce, this.#leftInTime + (at - this.#at) * UNITS_OF_A_MILLISECOND);
  }

  /** How long its process is to wait before the next step, in milliseconds. */
  restMs(at: number): number {
    const debt = -this.#inTime(at);
    if (debt > 0) return Math.ceil(debt / UNITS_OF_A_MILLISECOND);
    // One moment later, it has all units again.
    return at === this.#at && this.#leftAtOnce < 3 * this.#units ? 1 : 0;
  }

  /** Negative when it is spent. */
  get left(): number {
    return Math.min(this.#left, this.#leftAtOnce);
  }

  get isSpent(): boolean {
    return this.left < 0;
  }

  /** Whether an item of a list may do as much as a step may, and leave as much to the step that follows the list. */
  get isEnoughForAnItem(): boolean {
    return this.#leftAtOnce >= 2 * this.#units;
  }

  take(units: number): void {
    this.takeQuietly(units);
    if (this.isSpent) throw this.exceeded();
  }

  /** For the turns of a loop: it must not throw, because CEL's `exists` goes on after an error. */
  takeQuietly(units: number): void {
    this.#left -= units;
    this.#leftAtOnce -= units;
    this.#leftInTime -= units;
  }

  exceeded(together = this.#leftAtOnce < 0): ExpressionFailure {
    const reason = together
      ? 'the expressions of all steps that follow each other at once do more work than they may'
      : 'the expressions of one step do more work than a step may';
    return new ExpressionFailure({ code: 'TooMuchWork', path: '', reason });
  }
}
