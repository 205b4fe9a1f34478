// A worker as a program that can be killed: it holds runs in its cache, replays those that it does not have, and carries out
// activities. Its answers reach the server later, or never.
import { asyncLocalStorage, Context } from '@temporalio/activity';
import type { Client } from '@temporalio/client';
import { CancelledFailure } from '@temporalio/common';
import { type Program, type Simulator, Violation } from '../kernel/simulator.ts';
import type { Attempt, Scheduled } from './activity-run.ts';
import {
  type Activation,
  CachedRun,
  type Command,
  decoded,
  encoded,
  type Job,
  kindOf,
  type Payload,
  TASK_QUEUE,
  textOf,
} from './cached-run.ts';
import type { Cached, Execution } from './execution.ts';
import { failureOf, milliseconds } from './failures.ts';
import type { OpenTask, SimulatedTemporal, WorkerProgram } from './server.ts';

export type Activities = Readonly<Record<string, (argument: never) => Promise<unknown>>>;

const HEARTBEAT_THROTTLE_MS = 200;

export class Worker implements WorkerProgram {
  readonly program: Program;
  readonly #temporal: SimulatedTemporal;
  readonly #simulator: Simulator;
  readonly #activities: Activities;
  readonly #client: Client;
  readonly #cache = new Map<string, Cached>();
  /** How often a run was made anew of its history. */
  replays = 0;

  constructor(
    name: string,
    temporal: SimulatedTemporal,
    make: (worker: Program) => { activities: Activities; client: Client },
  ) {
    this.program = { name, isAlive: true };
    this.#temporal = temporal;
    this.#simulator = temporal.simulator;
    const { activities, client } = make(this.program);
    this.#activities = activities;
    this.#client = client;
  }

  evict(runId: string): void {
    this.#cache.delete(runId);
  }

  get cached(): readonly string[] {
    return [...this.#cache.keys()];
  }

  takeTask(task: OpenTask, jobs: readonly Job[], answered: () => void): void {
    const { execution } = task;
    const cached = this.#upToDate(execution);
    // Until its answer is taken, what it holds is ahead of the history.
    this.evict(execution.runId);
    this.#activate(task, cached, jobs, answered);
  }

  #activate(task: OpenTask, cached: Cached, jobs: readonly Job[], answered: () => void): void {
    const { execution } = task;
    const activation: Activation = {
      ...{ at: this.#simulator.now, jobs, historyLength: execution.events, flags: [] },
      isContinueAsNewSuggested: execution.events >= this.#temporal.pace.suggestedAfterEvents,
    };
    let commands: readonly Command[];
    try {
      commands = cached.run.activate(activation, false);
    } catch (error) {
      throw new Violation(
        'no workflow task fails',
        `${execution.type} ${execution.workflowId}: ${String((error as Error).stack)}`,
      );
    }
    const decided = textOf(commands);
    task.activations.push({ ...activation, decided, flags: cached.run.usedFlags });
    task.commands.push(...commands);
    const local = commands.filter((command) => kindOf(command) === 'scheduleLocalActivity');
    const atOnce = cancelledAtOnce(execution, task.commands, commands);
    if (local.length > 0) return void this.#local(task, cached, local, answered);
    if (atOnce.length > 0) return void this.#activate(task, cached, atOnce, answered);
    this.#simulator.in(
      this.#temporal.latency(),
      `answer to task ${execution.workflowId}`,
      () => {
        answered();
        if (!this.#temporal.completeTask(task, this.program.name) || !execution.isOpen) return;
        cached.seen = execution.recorded.length;
        this.#cache.set(execution.runId, cached);
      },
      this.program,
    );
  }

  /** Within the task: its answer is an activation of the same task. */
  #local(task: OpenTask, cached: Cached, commands: readonly Command[], answered: () => void): void {
    const { execution } = task;
    for (const command of commands) {
      const {
        seq,
        activityType,
        activityId,
        arguments: args,
      } = command.scheduleLocalActivity as LocalActivity;
      const resolve = (result: object) =>
        this.#simulator.in(
          this.#temporal.latency(),
          `answer of ${activityType}`,
          () => {
            if (execution.task !== task.number || !execution.isOpen) return;
            const resolveActivity = { seq, isLocal: true, result };
            this.#activate(task, cached, [{ variant: 'resolveActivity', resolveActivity }], answered);
          },
          this.program,
        );
      let attempt = 0;
      const tryOnce = (): void => {
        attempt += 1;
        const scheduled = { activityType, activityId, attempt, at: this.#simulator.now };
        this.#carryOut(execution, scheduled, args, () => false).then(
          (value) => resolve({ completed: { result: encoded([value])[0] } }),
          (error: unknown) => {
            const failure = failureOf(error);
            if (failure.applicationFailureInfo?.nonRetryable) {
              const activityFailureInfo = { activityId, activityType: { name: activityType }, retryState: 2 };
              resolve({
                failed: { failure: { message: 'Activity task failed', cause: failure, activityFailureInfo } },
              });
            } else
              this.#simulator.in(Math.min(5_000, 100 * 2 ** attempt), 'local retry', tryOnce, this.program);
          },
        );
      };
      this.#simulator.in(1, `local ${activityType}`, tryOnce, this.program);
    }
  }

  takeActivity(attempt: Attempt): void {
    const { activity } = attempt;
    const {
      activityType,
      activityId,
      arguments: args,
      heartbeatTimeout,
      startToCloseTimeout,
      scheduleToCloseTimeout,
    } = activity.scheduled;
    const execution = this.#temporal.newest(activity.workflowId) as Execution;
    const controller = new AbortController();
    const beats = new Beats(this.#simulator, this.program, this.#temporal, (details) => {
      if (attempt.beat(details)) controller.abort(new CancelledFailure('CANCELLED'));
    });
    const scheduled = {
      ...{ activityType, activityId, attempt: attempt.number, at: activity.scheduledAt },
      heartbeatDetails: attempt.heartbeatDetails,
      heartbeatTimeoutMs: milliseconds(heartbeatTimeout),
      startToCloseTimeoutMs: milliseconds(startToCloseTimeout),
      scheduleToCloseTimeoutMs: milliseconds(scheduleToCloseTimeout),
    };
    this.#simulator.note(`${activity.words}: attempt ${attempt.number} on ${this.program.name}`);
    const answer = (end: Parameters<Attempt['end']>[0]) => {
      this.#simulator.in(
        this.#temporal.latency(),
        `end of ${activity.words}`,
        () => {
          beats.flush();
          attempt.end(end);
        },
        this.program,
      );
    };
    this.#simulator.within(this.program, () =>
      this.#carryOut(execution, scheduled, args, (details) => beats.beat(details), controller).then(
        (value) => answer({ result: encoded([value])[0] as Payload }),
        (error: unknown) =>
          answer(
            controller.signal.aborted &&
              (error instanceof CancelledFailure || error === controller.signal.reason)
              ? { isCancelled: true }
              : { failure: failureOf(error) },
          ),
      ),
    );
  }

  async #carryOut(
    execution: Execution,
    scheduled: ScheduledAttempt,
    args: readonly Payload[],
    heartbeat: (details: unknown) => void,
    controller = new AbortController(),
  ): Promise<unknown> {
    const { activityType, activityId, attempt, at, ...times } = scheduled;
    const call = this.#activities[activityType];
    if (!call) throw new TypeError(`no worker has the activity ${activityType}`);
    const info = {
      ...{
        activityId,
        activityType,
        attempt,
        taskQueue: TASK_QUEUE,
        isLocal: false,
        workflowNamespace: 'default',
      },
      ...{ workflowExecution: { workflowId: execution.workflowId, runId: execution.runId } },
      ...{
        workflowType: execution.type,
        scheduledTimestampMs: at,
        currentAttemptScheduledTimestampMs: this.#simulator.now,
      },
      ...{ startToCloseTimeoutMs: 0, scheduleToCloseTimeoutMs: 0, ...times },
    };
    const { signal } = controller;
    const cancelled = new Promise<never>((_, reject) =>
      signal.addEventListener('abort', () => reject(signal.reason), { once: true }),
    );
    cancelled.catch(() => undefined);
    const context = new Context(
      info as never,
      cancelled,
      signal,
      heartbeat,
      this.#client as never,
      silent as never,
      undefined as never,
      undefined as never,
    );
    const [argument] = decoded(args);
    return await asyncLocalStorage.run(context, async () => await call(argument as never));
  }

  /** Answered from the history, as the server has it now. */
  query(execution: Execution, name: string, args: readonly unknown[]): unknown {
    return this.#upToDate(execution).run.query(name, args);
  }

  /** The run in the cache, or a new one that has gone through the history: it must decide what was decided. */
  #upToDate(execution: Execution): Cached {
    const kept = this.#cache.get(execution.runId);
    if (kept && kept.seen === execution.recorded.length) return kept;
    if (execution.recorded.length > 0) this.replays += 1;
    const cached: Cached = { run: replayed(execution), seen: execution.recorded.length };
    this.#cache.set(execution.runId, cached);
    return cached;
  }
}

/** Throws a violation where it decides otherwise than it has. */
export function replayed(execution: Execution): CachedRun {
  const run = new CachedRun(execution);
  for (const [index, recorded] of execution.recorded.entries()) {
    const patches = patchesIn(recorded.decided);
    let decided: string;
    try {
      decided = textOf(run.activate({ ...recorded, jobs: [...patches, ...recorded.jobs] }, true));
    } catch (error) {
      throw new Violation(
        'a replay decides the same',
        `${execution.workflowId}, activation ${index}: ${String((error as Error).stack)}`,
      );
    }
    if (decided !== recorded.decided)
      throw new Violation(
        'a replay decides the same',
        `${execution.type} ${execution.workflowId}, activation ${index} (${recorded.jobs.map(({ variant }) => variant).join(', ')}): ${difference(recorded.decided, decided)}`,
      );
  }
  return run;
}

/** From where the texts differ. */
function difference(before: string, now: string): string {
  let from = 0;
  while (from < before.length && before[from] === now[from]) from += 1;
  const excerpt = (text: string) => text.slice(Math.max(0, from - 60), from + 400);
  return `decided …${excerpt(before)}, now …${excerpt(now)}`;
}

function patchesIn(decided: string): Job[] {
  if (!decided.includes('"setPatchMarker"')) return [];
  const commands = JSON.parse(decided) as { readonly setPatchMarker?: { readonly patchId: string } }[];
  return commands.flatMap(({ setPatchMarker }) =>
    setPatchMarker
      ? [{ variant: 'notifyHasPatch', notifyHasPatch: { patchId: setPatchMarker.patchId } }]
      : [],
  );
}

/** Activities whose cancellation the workflow does not wait for, and those that were never sent. */
function cancelledAtOnce(execution: Execution, all: readonly Command[], now: readonly Command[]): Job[] {
  return now.flatMap((command) => {
    const { seq } = (command.requestCancelActivity ?? {}) as { readonly seq?: number };
    if (seq === undefined) return [];
    const scheduled =
      execution.activities.get(seq)?.scheduled ??
      all
        .map(({ scheduleActivity }) => scheduleActivity as Scheduled | undefined)
        .find((each) => each?.seq === seq);
    // With one that waits, the server answers.
    if (scheduled?.cancellationType || execution.waitsForCancelled.has(seq)) return [];
    const failure = {
      ...{ message: 'Activity cancelled', cause: { message: 'Activity cancelled', canceledFailureInfo: {} } },
      activityFailureInfo: {
        ...{ activityId: scheduled?.activityId ?? String(seq), retryState: 7 },
        activityType: { name: scheduled?.activityType ?? '' },
      },
    };
    return [{ variant: 'resolveActivity', resolveActivity: { seq, result: { cancelled: { failure } } } }];
  });
}

interface LocalActivity {
  readonly seq: number;
  readonly activityType: string;
  readonly activityId: string;
  readonly arguments: readonly Payload[];
}

interface ScheduledAttempt {
  readonly activityType: string;
  readonly activityId: string;
  readonly attempt: number;
  readonly at: number;
  readonly heartbeatDetails?: unknown;
  readonly heartbeatTimeoutMs?: number;
  readonly startToCloseTimeoutMs?: number;
  readonly scheduleToCloseTimeoutMs?: number;
}

const nothing = () => undefined;
const silent = { log: nothing, trace: nothing, debug: nothing, info: nothing, warn: nothing, error: nothing };

/** The SDK sends the first heartbeat at once, and the newest one of those that come within the throttle after it. */
class Beats {
  readonly #simulator: Simulator;
  readonly #program: Program;
  readonly #temporal: SimulatedTemporal;
  readonly #send: (details: unknown) => void;
  #waiting: { readonly details: unknown } | null = null;
  #isThrottled = false;

  constructor(
    simulator: Simulator,
    program: Program,
    temporal: SimulatedTemporal,
    send: (details: unknown) => void,
  ) {
    this.#simulator = simulator;
    this.#program = program;
    this.#temporal = temporal;
    this.#send = send;
  }

  beat(details: unknown): void {
    this.#waiting = { details };
    if (!this.#isThrottled) this.#deliver();
  }

  flush(): void {
    if (this.#waiting) this.#send(this.#waiting.details);
    this.#waiting = null;
  }

  #deliver(): void {
    const sent = this.#waiting;
    if (!sent) return;
    this.#waiting = null;
    this.#isThrottled = true;
    this.#simulator.in(this.#temporal.latency(), 'heartbeat', () => this.#send(sent.details), this.#program);
    this.#simulator.in(
      HEARTBEAT_THROTTLE_MS,
      'heartbeat',
      () => {
        this.#isThrottled = false;
        this.#deliver();
      },
      this.#program,
    );
  }
}
