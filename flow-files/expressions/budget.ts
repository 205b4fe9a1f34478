// Limits the work of expressions. Every CEL expression ends, but a loop within a loop can take so long that the worker does
// nothing else. A machine refills the budget for every event. Each call, comparison and turn of a loop takes units from it,
// more for larger data.
import { ExpressionFailure } from './failure.ts';

/** About a tenth of a second of the slowest work. */
const UNITS_OF_A_STEP = 200_000;

export class Budget {
  readonly #units: number;
  #left: number;

  constructor(units = UNITS_OF_A_STEP) {
    this.#units = units;
    this.#left = units;
  }

  refill(): void {
    this.#left = this.#units;
  }

  /** Negative when it is spent. */
  get left(): number {
    return this.#left;
  }

  get isSpent(): boolean {
    return this.#left < 0;
  }

  take(units: number): void {
    this.#left -= units;
    if (this.isSpent) throw this.exceeded();
  }

  /** For the turns of a loop: it must not throw, because CEL's `exists` goes on after an error. */
  takeQuietly(units: number): void {
    this.#left -= units;
  }

  exceeded(): ExpressionFailure {
    return new ExpressionFailure({
      code: 'TooMuchWork',
      path: '',
      reason: 'the expressions of one step do more work than a step may',
    });
  }
}
