// Bounds the work of a process of a flow file: of each step, of each question about it, and of all its steps together, which
// makes it rest. It also keeps the first failure of a step, which xstate would reduce to its message.
import type { Pace } from '../../../engine/definition/definition.ts';
import { Budget } from '../expressions/cost.ts';
import type { Scope } from '../expressions/expression.ts';
import { ExpressionFailure, expressionFailureIn } from '../expressions/failure.ts';
import type { Template } from '../expressions/template.ts';
import { bounds, type Json } from '../flow-file.ts';

export class Work implements Pace {
  /**
   * For what is asked outside of a turn: a query, or whether an update may be. A replay does not ask it, so it costs the process
   * nothing.
   */
  readonly #asking = new Budget();
  readonly #ofProcess = new Budget();
  readonly #now: () => number;
  #budget = this.#asking;
  #mode: 'turn' | 'question' | undefined;
  /** The first failure of the step: of an error that a guard throws, xstate keeps only the message. */
  #failure: ExpressionFailure | undefined;
  #depth = 0;
  /** The path of the state in which the step begins. */
  #place = '';

  /** @param now the time of the workflow in milliseconds, which stands still while it runs: the same in a replay */
  constructor(now: () => number = () => 0) {
    this.#now = now;
  }

  /** That of the step that runs. */
  get budget(): Budget {
    return this.#budget;
  }

  get restMs(): number {
    return this.#mode === 'turn' ? this.#ofProcess.restMs(this.#now()) : 0;
  }

  turn<Result>(run: () => Result): Result {
    return this.#in('turn', run);
  }

  question<Result>(run: () => Result): Result {
    this.#asking.beginAnew();
    return this.#in('question', run);
  }

  #in<Result>(mode: 'turn' | 'question', run: () => Result): Result {
    this.#mode = mode;
    try {
      return run();
    } finally {
      this.#mode = undefined;
    }
  }

  evaluate(run: Template, scope: Scope): Json {
    try {
      return run(scope, this.#budget);
    } catch (error) {
      throw error instanceof ExpressionFailure ? this.failed(error) : error;
    }
  }

  failed(failure: ExpressionFailure): ExpressionFailure {
    this.#failure ??= failure;
    return failure;
  }

  /** A step of an actor of the process, or what else it computes. */
  beside<Result>(run: () => Result): Result {
    if (this.#depth === 0) this.#beginStep();
    this.#depth++;
    try {
      return run();
    } finally {
      this.#depth--;
    }
  }

  /** Runs a step, or asks a guard outside of one. */
  within<Result>(run: () => Result, place = this.#place): Result {
    if (this.#depth === 0) this.#place = place;
    try {
      return this.beside(run);
    } catch (error) {
      throw this.asFailure(error);
    }
  }

  #beginStep(): void {
    this.#failure = undefined;
    this.#budget = this.#mode === 'turn' ? this.#ofProcess : this.#asking;
    if (this.#mode === 'turn') this.#budget.beginStep(this.#now());
    else if (this.#mode === 'question') this.#budget.refill();
    else this.#budget.beginAnew();
  }

  asFailure(error: unknown): unknown {
    const known = expressionFailureIn(error) ?? this.#failure;
    if (known) return known;
    if (!(error instanceof Error)) return error;
    const path = this.#place;
    // In xstate's words: its errors have no code.
    const [, invoke] = /^Unable to send event to actor '(.*)' from machine/.exec(error.message) ?? [];
    if (invoke !== undefined)
      return new ExpressionFailure({
        code: 'InvokeNotRunning',
        path,
        reason: `nothing runs as ${invoke}, so it cannot be cancelled, and gets no event`,
      });
    if (!/infinite loop/i.test(error.message)) return error;
    return new ExpressionFailure({
      code: 'TooManySteps',
      path,
      reason: `one event leads to more than ${bounds.microsteps} steps`,
    });
  }
}
