// What cancels the timers and calls that begin in it: as Temporal's CancellationScope, which makes eight promises for each, where
// Temporal keeps a stack for each promise.
import { CancellationScope, CancelledFailure } from '@temporalio/workflow';

/** All that Temporal asks of a scope. A cancellation of the workflow reaches none: the chart gets it as an event. */
export class Scope {
  readonly cancellable: boolean;
  readonly #cancelled: ((failure: CancelledFailure) => void)[] = [];
  #failure: CancelledFailure | null = null;

  constructor({ cancellable = true } = {}) {
    this.cancellable = cancellable;
  }

  readonly cancelRequested = {
    catch: (cancelled: (failure: CancelledFailure) => void): void => {
      if (this.#failure) cancelled(this.#failure);
      else this.#cancelled.push(cancelled);
    },
  };

  get consideredCancelled(): boolean {
    return this.#failure !== null;
  }

  /** What `work` begins is in this scope, also after an await. */
  run<Result>(work: () => Promise<Result>): Promise<Result> {
    const { run }: { run(this: unknown, work: () => Promise<Result>): Promise<Result> } =
      CancellationScope.prototype;
    return run.call(this, work);
  }

  /** Called by Temporal's `run`. */
  protected runInContext<Result>(work: () => Promise<Result>): Promise<Result> {
    return work();
  }

  /** They hear of it a turn later, as by Temporal's: so their commands keep their place in histories. */
  cancel(): void {
    this.#failure ??= new CancelledFailure('Cancellation scope cancelled');
    const failure = this.#failure;
    void Promise.resolve().then(() => {
      for (const cancelled of this.#cancelled.splice(0)) cancelled(failure);
    });
  }
}

/** Nobody cancels what `work` begins. */
export const shielded = <Result>(work: () => Promise<Result>): Promise<Result> =>
  new Scope({ cancellable: false }).run(work);
