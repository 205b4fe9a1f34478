// One run of a process as a workflow: it begins, takes what comes, continues as a new run after a long history, and ends. A
// defect fails the workflow's task only: the process waits, and continues with a repaired worker.
import {
  ActivityFailure,
  ApplicationFailure,
  allHandlersFinished,
  CancellationScope,
  CancelledFailure,
  ChildWorkflowFailure,
  condition,
  continueAsNew,
  log,
  rootCause,
  sleep,
  TemporalFailure,
  workflowInfo,
} from '@temporalio/workflow';
import type { Continued } from '../continued.ts';
import type { Closing } from '../definition/closing.ts';
import type { Definition, ProcessStart } from '../definition/definition.ts';
import { Process } from '../process.ts';
import { type ChildEnd, endOfFailure } from './family.ts';
import { Listener, setHandlers } from './handlers.ts';
import type { MovableClock } from './movable-clock.ts';
import { OperatorView } from './operator-view.ts';
import { shielded } from './scope.ts';
import { TemporalHost } from './temporal-host.ts';
import type { Updates } from './updates.ts';

/** Temporal takes 2 MB; encrypted it is a little more. */
const CARRIED_BYTES = 1_800_000;

export class Run {
  readonly #host: TemporalHost;
  readonly #listener: Listener;
  readonly #process: Process;
  readonly #clock: MovableClock | null;

  /** Computes the first snapshot before the handlers are set: their validators need it at once. */
  constructor(
    definition: Definition,
    start: ProcessStart,
    continued: Continued | undefined,
    clock: MovableClock | null,
    updates: Updates,
  ) {
    const view = new OperatorView();
    const listener = new Listener(updates, continued?.unknown);
    const host = new TemporalHost({
      view,
      clock,
      continued,
      migrated: (moved) => listener.listen(moved),
    });
    const process = new Process({ definition, start, host, continued });
    host.attach(process);
    setHandlers(process, { host, clock, listener, updates });
    clock?.whenDue(() => process.advanceClock({ ring: () => clock.passing(clock.aheadMs) }));
    CancellationScope.current().cancelRequested.catch((failure: unknown) => process.cancel(failure));
    this.#host = host;
    this.#listener = listener;
    this.#process = process;
    this.#clock = clock;
  }

  /** To its end, or to its continuation. */
  async toItsEnd(): Promise<unknown> {
    const process = this.#process;
    const { outbox, children } = this.#host;
    let restMs = orDefect(() => process.turn(() => process.begin()));
    while (process.isOpen) {
      if (restMs > 0) await this.#rest(restMs);
      else await (process.halt ? this.#until(() => process.hasWork) : this.#host.hasCome(process));
      restMs = orDefect(() => process.turn());
      if (workflowInfo().continueAsNewSuggested && process.isOpen) children.requestEnds();
      if (restMs === 0 && this.#mayContinueAsNew()) await this.#continue();
    }
    children.cancelAll();
    // Child workflows that it has cancelled undo their work before they end.
    if (process.isCalledOff) await this.#until(() => children.open.length === 0);
    // The handler of its last message has its last step still to do: a turn costs less than to be asked for it.
    if (!allHandlersFinished()) await this.#host.aTurn();
    for (process.close(); !this.#isAtRest(); process.close()) {
      await outbox.finished();
      await this.#until(() => allHandlersFinished() && children.isIdle);
      await outbox.delivered(() => !process.inbox.isEmpty);
      outbox.notifyEnd(() => this.#endForParent());
    }
    return this.#end(process.closing);
  }

  async #until(holds: () => boolean): Promise<void> {
    if (!holds()) await shielded(() => condition(holds));
  }

  async #rest(ms: number): Promise<void> {
    await shielded(() => sleep(ms, { summary: 'rests: its expressions have done much' }));
  }

  #isAtRest(): boolean {
    const { outbox, children } = this.#host;
    const isDelivered = outbox.isIdle && !outbox.parent.isOwedTheEnd && children.isIdle;
    return this.#process.inbox.isEmpty && isDelivered && allHandlersFinished();
  }

  #endForParent(): ChildEnd {
    try {
      return { result: this.#end(this.#process.closing) };
    } catch (error) {
      return endOfFailure(error);
    }
  }

  async #continue(): Promise<void> {
    const { outbox } = this.#host;
    // A handler that has pushed its message still has its last step to do.
    await this.#until(allHandlersFinished);
    // A child that sends its parent an event of every step is never idle at once.
    await outbox.parentFinished();
    if (!this.#mayContinueAsNew()) return;
    await outbox.pause();
    if (this.#mayContinueAsNew() && outbox.isParentNotified) await this.#continueWith(this.#carried());
    outbox.resume();
  }

  /** Temporal refuses the task of a run that carries too much: again and again, and the process would take nothing any more. */
  async #continueWith(carried: Continued): Promise<void> {
    const { input } = this.#process.start;
    const bytes = new TextEncoder().encode(JSON.stringify([input, carried])).length;
    if (bytes <= CARRIED_BYTES) await continueAsNew(input, carried);
    log.warn('it stays in its long run: it has more to carry than a next run may have', { bytes });
    this.#host.isLastRun = true;
  }

  /** An activity does not survive it, and a requested cancellation would be lost. */
  #mayContinueAsNew(): boolean {
    const process = this.#process;
    return (
      workflowInfo().continueAsNewSuggested &&
      !this.#host.isLastRun &&
      process.isOpen &&
      !process.halt &&
      process.calls.mayContinueAsNew &&
      this.#host.children.mayContinueAsNew &&
      !process.replies.areOpen &&
      this.#host.outbox.mayContinueAsNew &&
      process.inbox.isEmpty &&
      process.cancellation === undefined
    );
  }

  #carried(): Continued {
    const { outbox, children } = this.#host;
    const unknown = this.#listener.carried();
    return {
      ...this.#process.carried,
      ...(unknown.length > 0 && { unknown }),
      ...(this.#clock && { aheadMs: this.#clock.aheadMs }),
      ...(outbox.carried && { outbox: outbox.carried }),
      ...(outbox.parent.carried && { parent: outbox.parent.carried }),
      ...(children.carried && { children: children.carried }),
    };
  }

  #end(closing: Closing): unknown {
    switch (closing.kind) {
      case 'result':
        return closing.result;
      case 'cancelled':
        throw this.#process.cancellation ?? new CancelledFailure(`${this.#process.start.flow} was cancelled`);
      case 'failed':
        throw failure(closing);
      case 'unhandled':
        throw unhandled(closing.error);
    }
  }
}

/** An error of any class that a machine throws is a defect: as one of Temporal's failures it would end the process. */
function orDefect<Result>(step: () => Result): Result {
  try {
    return step();
  } catch (error) {
    if (!(error instanceof TemporalFailure)) throw error;
    throw new Error(`the machine cannot take its step: ${error.message}`, { cause: error });
  }
}

/** The workflow fails with the code of the refusal, not with "activity failed" around it. */
function unhandled(error: unknown): ApplicationFailure {
  const isWrapped = error instanceof ActivityFailure || error instanceof ChildWorkflowFailure;
  const cause = isWrapped ? error.cause : error;
  // A procedure may fail with a code of its own.
  const { code: own } = (error ?? {}) as { readonly code?: unknown };
  const fallback = error instanceof ChildWorkflowFailure ? 'ChildWorkflowFailed' : 'ActivityFailed';
  return failure({
    code: cause instanceof ApplicationFailure && cause.type ? cause.type : String(own ?? fallback),
    message: rootCause(error) ?? 'an activity failed',
    details: cause instanceof ApplicationFailure ? (cause.details ?? []) : [],
    ...(error instanceof Error ? { cause: error } : {}),
  });
}

/** Not of category BENIGN, unlike its activity's failure: operators count refused processes with that metric. */
function failure({
  code,
  message,
  details = [],
  cause,
}: Omit<Extract<Closing, { kind: 'failed' }>, 'kind'> & { readonly cause?: Error }): ApplicationFailure {
  return ApplicationFailure.create({
    type: code,
    message,
    details: [...details],
    nonRetryable: true,
    ...(cause && { cause }),
  });
}
