// Limits the work of expressions. Every CEL expression ends, but a loop within a loop can take so long that the worker does
// nothing else. A machine refills the budget for every step. Each call, comparison and turn of a loop takes units from it,
// more for larger data. All steps of one activation of a workflow have a budget together: it runs them without a pause, whatever
// gives them: events, items of a list, fields of a plan.
import { ExpressionFailure } from './failure.ts';

/** About a tenth of a second of the slowest work. */
const UNITS_OF_A_STEP = 200_000;
/** About a third of a second, and less than one on a busy machine: as often a worker gives its other processes a turn. */
const UNITS_OF_AN_ACTIVATION = 700_000;

/** What it is that a budget is for: with another one, it is a new activation. */
export type Activation = () => unknown;

export class Budget {
  readonly #units: number;
  readonly #ofActivation: number;
  #left: number;
  #leftOfActivation: number;
  #activation: unknown;

  constructor(units = UNITS_OF_A_STEP, ofActivation = UNITS_OF_AN_ACTIVATION) {
    this.#units = units;
    this.#ofActivation = ofActivation;
    this.#left = units;
    this.#leftOfActivation = ofActivation;
  }

  /** For the next step, or for the next item of a list within a step. */
  refill(): void {
    this.#left = this.#units;
  }

  /** The first step of an activation has all of it, the others what is left. */
  begin(activation: unknown): void {
    this.refill();
    if (Object.is(activation, this.#activation)) return;
    this.#activation = activation;
    this.#leftOfActivation = this.#ofActivation;
  }

  /** Negative when it is spent. */
  get left(): number {
    return Math.min(this.#left, this.#leftOfActivation);
  }

  get isSpent(): boolean {
    return this.left < 0;
  }

  /** Whether an item of a list may do as much as a step may, and leave as much to the step that follows the list. */
  get isEnoughForAnItem(): boolean {
    return this.#leftOfActivation >= 2 * this.#units;
  }

  take(units: number): void {
    this.takeQuietly(units);
    if (this.isSpent) throw this.exceeded();
  }

  /** For the turns of a loop: it must not throw, because CEL's `exists` goes on after an error. */
  takeQuietly(units: number): void {
    this.#left -= units;
    this.#leftOfActivation -= units;
  }

  exceeded(together = this.#leftOfActivation < 0): ExpressionFailure {
    const reason = together
      ? 'the expressions of all steps that follow each other at once do more work than they may'
      : 'the expressions of one step do more work than a step may';
    return new ExpressionFailure({ code: 'TooMuchWork', path: '', reason });
  }
}
