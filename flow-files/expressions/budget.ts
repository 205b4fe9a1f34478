// How much work expressions may do: CEL ends always, but a loop within a loop ends late, and a worker would stand still.
// A machine refills it for every event; each call, comparison and turn of a loop takes from it by the size of its data.
import { ExpressionFailure } from './failure.ts';

/** About a tenth of a second of the slowest work. */
const UNITS_OF_A_STEP = 200_000;

export class Budget {
  #left = UNITS_OF_A_STEP;

  refill(): void {
    this.#left = UNITS_OF_A_STEP;
  }

  get isSpent(): boolean {
    return this.#left < 0;
  }

  take(units: number): void {
    this.#left -= units;
    if (this.isSpent) throw this.exceeded();
  }

  /** Of the turns of a loop, which must end without an error: CEL's `exists` goes on after one. */
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
