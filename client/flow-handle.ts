// One process, by its business key: callers can await, follow and cancel it, and send people's decisions.
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import {
  WorkflowFailedError,
  type WorkflowHandle,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
} from '@temporalio/client';
import { ApplicationFailure, CancelledFailure, TerminatedFailure } from '@temporalio/common';
import type { Attribution } from '../contract/flows/attribution.ts';
import type { Progress } from '../contract/flows/flow-answers.ts';
import type {
  ExtendDeadline,
  ExtendedDeadline,
  ExtendTimer,
  MovedDeadline,
  OfBooking,
  RemoveReceiver,
  Resolve,
  SetReceiver,
  UndoExtension,
} from '../contract/flows/flow-messages.ts';
import type { AddNote } from '../contract/flows/note.ts';
import type { OutreachBegun, SendMechanic, SendMessage } from '../contract/flows/outreach.ts';
import { FlowCancelled, FlowFailed, FlowNotFound, UpdateRefused } from './flow-errors.ts';
import { type GrpcFailure, grpcCodes, grpcFailureOf, isOutOfTime } from './grpc-failure.ts';
import { queried } from './queried.ts';

/** Who decides, and why; the history keeps both. */
type Decided = Attribution & { readonly why: string };

export interface FollowOptions {
  /** Milliseconds between two queries; a query costs no history event. */
  readonly everyMs?: number;
  readonly signal?: AbortSignal;
}

export class FlowHandle<Result, Shown extends { readonly activity: string } = Progress> {
  readonly workflowId: string;
  readonly #handle: WorkflowHandle;
  readonly #updateId: string | undefined;

  /** @param updateId of the one update that this handle sends: repeated with the same id, it takes effect once */
  constructor(handle: WorkflowHandle, updateId?: string) {
    this.workflowId = handle.workflowId;
    this.#handle = handle;
    this.#updateId = updateId;
  }

  /** Throws FlowFailed, FlowCancelled or FlowNotFound. */
  async result(): Promise<Result> {
    try {
      return await this.#asked(async () => (await this.#handle.result()) as Result);
    } catch (error) {
      if (!(error instanceof FlowCancelled)) throw error;
      throw await this.#withOutput(error);
    }
  }

  /** Temporal keeps no result of a cancelled workflow; its process still tells it, if a worker answers. */
  async #withOutput(cancelled: FlowCancelled): Promise<FlowCancelled> {
    const progress = await this.progress().catch(() => undefined);
    const { output } = (progress ?? {}) as { readonly output?: unknown };
    return output === undefined ? cancelled : Object.assign(cancelled, { output });
  }

  /** Answered by a worker, also for closed processes. A lost query is repeated. */
  async progress(withinMs?: number): Promise<Shown> {
    return this.#asked(() => queried(this.#handle, () => this.#handle.query<Shown>('progress'), withinMs));
  }

  /** The progress now and after each change, to the end of the process. Waits while no worker answers. */
  async *follow({ everyMs = 1_000, signal }: FollowOptions = {}): AsyncGenerator<Shown, void, void> {
    let before: Shown | null = null;
    let isClosed = false;
    for (let idle = 0; ; idle++) {
      signal?.throwIfAborted();
      const now = await this.#progressIfAnswered();
      if (now && !isDeepStrictEqual(now, before)) {
        yield now;
        idle = 0;
      }
      before = now ?? before;
      if (before?.activity === 'Ended' || isClosed) return;
      // Not every process says by itself that it has ended: one that was terminated answers for ever as it stood.
      isClosed = idle % LOOK_EVERY === 1 && (await this.#isClosed());
      if (!isClosed) await pause(everyMs, undefined, signal ? { signal } : {});
    }
  }

  /** Asks for the cancellation; the process undoes its bookings, and `result` and `progress` show it. */
  async cancel(): Promise<void> {
    await this.#asked(() => this.#handle.cancel());
  }

  setReceiver(update: SetReceiver & OfBooking): Promise<void> {
    return this.update('setReceiver', update);
  }

  removeReceiver(update: RemoveReceiver & OfBooking): Promise<void> {
    return this.update('removeReceiver', update);
  }

  /** Gives the new end. Throws UpdateRefused where the timer does not run, or the stage takes no deadline. */
  extendDeadline(update: (ExtendDeadline & OfBooking) | ExtendTimer): Promise<ExtendedDeadline>;
  /** Takes an extension back, also to an end that has passed. Throws UpdateRefused if the end has been moved again. */
  extendDeadline(update: UndoExtension): Promise<MovedDeadline>;
  extendDeadline(update: object): Promise<MovedDeadline> {
    return this.update('extendDeadline', update);
  }

  resolve(update: Resolve & OfBooking): Promise<void> {
    return this.update('resolve', update);
  }

  /** For a halted process: drops the event that it cannot take. */
  dropEvent(decided: Decided): Promise<void> {
    return this.update('dropEvent', decided);
  }

  /** For a halted process: cancels what it has started, and fails. */
  giveUp(decided: Decided): Promise<void> {
    return this.update('giveUp', decided);
  }

  /** For whoever looks at the process next; it changes nothing. */
  note(note: AddNote): Promise<void> {
    return this.update('note', note);
  }

  /** To the person whom the process is for, by the connector of the workers for messages. Sent once for each updateId. */
  message(message: SendMessage): Promise<OutreachBegun> {
    return this.update('message', message);
  }

  /** By the connector of the workers for mechanics. */
  sendMechanic(request: SendMechanic): Promise<OutreachBegun> {
    return this.update('sendMechanic', request);
  }

  /** Throws UpdateRefused if the process does not take it now, FlowNotFound if there is no such process. */
  protected async update<Answer = void>(name: string, update: unknown): Promise<Answer> {
    // With its id, a repeated request is the same update.
    const options = { args: [update] as [unknown], updateId: this.#updateId ?? randomUUID() };
    try {
      return await this.#asked(() =>
        unlessInterrupted(() => this.#handle.executeUpdate<Answer, [unknown]>(name, options)),
      );
    } catch (error) {
      if (!(error instanceof FlowNotFound && (await this.#exists()))) throw error;
      throw new UpdateRefused('FlowEnded', `${this.workflowId} has ended; expected a running flow`, {
        cause: error,
      });
    }
  }

  /** If a process has ended, Temporal answers an update with "not found". */
  async #exists(): Promise<boolean> {
    try {
      await this.#handle.describe();
      return true;
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return false;
      throw error;
    }
  }

  async #isClosed(): Promise<boolean> {
    try {
      const { status } = await this.#handle.describe();
      return status.name !== 'RUNNING';
    } catch (error) {
      // Temporal may be away for a moment; the next look tells.
      if (isNoWorkerNow(grpcFailureOf(error))) return false;
      throw error;
    }
  }

  async #progressIfAnswered(): Promise<Shown | null> {
    try {
      return await this.progress();
    } catch (error) {
      if (isNoWorkerNow(grpcFailureOf(error))) return null;
      throw error;
    }
  }

  async #asked<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    try {
      return await ask();
    } catch (error) {
      throw explained(this.workflowId, error);
    }
  }
}

// Questions without news between two looks at whether the process was ended from outside.
const LOOK_EVERY = 10;

// Callbacks come one by one; a step that fails more often has a defect, and the caller gets the error.
const UPDATE_TRIES = 5;
const UPDATE_PAUSE_MS = 100;

/** If a callback arrives at the moment of the answer, Temporal undoes the step and refuses the update. */
async function unlessInterrupted<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  for (let tries = 1; ; tries++)
    try {
      return await ask();
    } catch (error) {
      if (grpcFailureOf(error)?.code !== grpcCodes.failedPrecondition || tries === UPDATE_TRIES) throw error;
      await pause(tries * UPDATE_PAUSE_MS);
    }
}

// A failed precondition means that no worker polled lately, or that a worker was replaced: one may be back soon.
const AWAY: ReadonlySet<number> = new Set([grpcCodes.failedPrecondition, grpcCodes.unavailable]);

function isNoWorkerNow(failure: GrpcFailure | null): boolean {
  return failure !== null && (isOutOfTime(failure) || AWAY.has(failure.code));
}

function explained(workflowId: string, error: unknown): unknown {
  if (error instanceof WorkflowNotFoundError) return new FlowNotFound(workflowId, { cause: error });
  if (error instanceof WorkflowUpdateFailedError && error.cause instanceof ApplicationFailure)
    return new UpdateRefused(error.cause.type ?? 'UpdateFailed', error.cause.message, { cause: error });
  if (!(error instanceof WorkflowFailedError)) return error;
  const { cause } = error;
  if (cause instanceof CancelledFailure) return new FlowCancelled(workflowId, { cause: error });
  if (cause instanceof TerminatedFailure)
    return new FlowCancelled(workflowId, { cause: error }, 'was terminated, and has undone nothing');
  const code = cause instanceof ApplicationFailure ? (cause.type ?? 'Failed') : (cause?.name ?? 'Failed');
  const details = cause instanceof ApplicationFailure ? (cause.details ?? []) : [];
  return new FlowFailed(workflowId, code, cause?.message ?? error.message, { cause: error, details });
}
