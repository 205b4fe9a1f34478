// Temporal's server as workers and clients see it: executions with ordered histories, workflow tasks, activities, timers,
// children, signals, updates and visibility. It never loses what it has taken; tasks and answers of workers may be lost.
import {
  decodeSearchAttributes,
  encodeUnifiedSearchAttributes,
} from '@temporalio/common/lib/converter/payload-search-attributes.js';
import type { Random } from '../kernel/random.ts';
import type { Program, Simulator } from '../kernel/simulator.ts';
import { ActivityRun, type Attempt, type Scheduled } from './activity-run.ts';
import { type Command, decoded, encoded, type Job, kindOf, type Payload, textOf } from './cached-run.ts';
import { type End, Execution, type Recorded, type Waiting } from './execution.ts';
import { type Failure, milliseconds, notFound } from './failures.ts';
import { matcher, type Shown } from './visibility.ts';

/** How slow the parts of Temporal are in this run, in milliseconds, and when it suggests to continue as new. */
export interface Pace {
  readonly latencyMs: readonly [number, number];
  readonly visibilityLagMs: readonly [number, number];
  readonly suggestedAfterEvents: number;
}

export interface Start {
  readonly workflowId: string;
  readonly type: string;
  readonly args: readonly unknown[];
  readonly memo?: Readonly<Record<string, unknown>>;
  /** As the client takes them. */
  readonly searchAttributes?: Readonly<Record<string, unknown>>;
  readonly typedSearchAttributes?: unknown;
  readonly lastResult?: Payload;
}

const TASK_TIMEOUT_MS = 10_000;
const FIRST_TASK_PAUSE_MS = 1_000;

/** A workflow task under way: what the worker was given, and what it has decided so far. */
export interface OpenTask {
  readonly execution: Execution;
  readonly number: number;
  /** How many of the pending jobs it has taken. */
  readonly taken: number;
  readonly activations: Recorded[];
  readonly commands: Command[];
}

/** A worker, as the server sees it. */
export interface WorkerProgram {
  readonly program: Program;
  readonly replays: number;
  /** The ids of the runs in its cache. */
  readonly cached: readonly string[];
  evict(runId: string): void;
  /** @param answered the worker has answered, whatever the server makes of it */
  takeTask(task: OpenTask, jobs: readonly Job[], answered: () => void): void;
  takeActivity(attempt: Attempt): void;
  query(execution: Execution, name: string, args: readonly unknown[]): unknown;
}

export class SimulatedTemporal {
  readonly simulator: Simulator;
  readonly pace: Pace;
  readonly workers: WorkerProgram[] = [];
  /** The newest run of each id is the last. */
  readonly byId = new Map<string, Execution[]>();
  readonly executions: Execution[] = [];
  readonly #random: Random;
  readonly #shown = new Map<string, Shown & { readonly version: number }>();
  readonly #waitingTasks: Execution[] = [];
  readonly #waitingActivities: ActivityRun[] = [];
  #onBegin: (execution: Execution) => void = () => undefined;
  #runs = 0;
  /** Workflow tasks that were completed, and all of their activations. */
  completedTasks = 0;

  constructor(simulator: Simulator, pace: Pace) {
    this.simulator = simulator;
    this.pace = pace;
    this.#random = simulator.random.stream('temporal');
  }

  latency(): number {
    return this.#random.spread(...this.pace.latencyMs);
  }

  /** The newest run; undefined where there is none. */
  newest(workflowId: string): Execution | undefined {
    return this.byId.get(workflowId)?.at(-1);
  }

  open(workflowId: string, runId?: string): Execution | undefined {
    const newest = this.newest(workflowId);
    return newest?.isOpen && (!runId || newest.runId === runId) ? newest : undefined;
  }

  /** Called with each new run. */
  onBegin(call: (execution: Execution) => void): void {
    this.#onBegin = call;
  }

  start({ workflowId, type, args, memo = {}, lastResult, ...attributes }: Start): Execution {
    return this.#begin({
      ...{ workflowId, type, args: encoded(args) },
      memo: Object.fromEntries(
        Object.entries(memo).map(([key, value]) => [key, encoded([value])[0] as Payload]),
      ),
      searchAttributes: encodeUnifiedSearchAttributes(
        attributes.searchAttributes as never,
        attributes.typedSearchAttributes as never,
      ) as never,
      ...(lastResult && { lastResult }),
    });
  }

  #begin(given: {
    readonly workflowId: string;
    readonly type: string;
    readonly args: readonly Payload[];
    readonly memo: Readonly<Record<string, Payload>>;
    readonly searchAttributes: Readonly<Record<string, unknown>>;
    readonly parent?: Execution['parentExecution'];
    readonly onParentClose?: number;
    readonly continues?: Execution;
    readonly lastResult?: Payload;
  }): Execution {
    const { workflowId, type, args, memo, searchAttributes, continues } = given;
    this.#runs += 1;
    const runId = `run-${this.#runs}-${this.#random.next().toString(16)}`;
    const execution = new Execution({
      ...{ workflowId, runId, type, args, memo, searchAttributes },
      firstRunId: continues?.firstRunId ?? runId,
      startedAt: this.simulator.now,
      parent: given.parent ?? continues?.parentExecution ?? null,
      continuedFrom: continues?.runId ?? null,
      onParentClose: given.onParentClose ?? continues?.onParentClose ?? ABANDON,
    });
    this.executions.push(execution);
    this.byId.set(workflowId, [...(this.byId.get(workflowId) ?? []), execution]);
    this.simulator.note(`${workflowId}: ${type} ${continues ? 'continues as a new run' : 'begins'}`);
    this.#changed(execution);
    this.#onBegin(execution);
    this.happened(execution, {
      variant: 'initializeWorkflow',
      initializeWorkflow: {
        ...{ arguments: args, headers: {}, workflowId, workflowType: type },
        memo: { fields: memo },
        searchAttributes: { indexedFields: searchAttributes },
        ...(given.lastResult && { lastCompletionResult: { payloads: [given.lastResult] } }),
      },
    });
    return execution;
  }

  /** An event of its history: the workflow is to hear of it. */
  happened(execution: Execution, job: Job): void {
    if (!execution.isOpen) return;
    execution.events += 1;
    execution.pending.push(job);
    this.#wake(execution);
  }

  signal(execution: Execution, signalName: string, args: readonly Payload[]): void {
    this.simulator.note(`${execution.workflowId}: signal ${signalName}${reportIn(args)}`);
    this.happened(execution, {
      variant: 'signalWorkflow',
      signalWorkflow: { signalName, input: args, headers: {}, identity: 'client' },
    });
  }

  requestCancel(execution: Execution): void {
    if (!execution.isOpen || execution.isCancelRequested) return;
    execution.isCancelRequested = true;
    this.simulator.note(`${execution.workflowId}: cancellation requested`);
    this.happened(execution, { variant: 'cancelWorkflow', cancelWorkflow: { reason: '' } });
  }

  terminate(execution: Execution): void {
    if (!execution.isOpen) return;
    this.#close(execution, {
      status: 'TERMINATED',
      failure: { message: 'terminated', terminatedFailureInfo: {} },
    });
  }

  update(
    execution: Execution,
    name: string,
    args: readonly unknown[],
    updateId: string,
    waiting: Waiting,
  ): void {
    this.simulator.note(`${execution.workflowId}: update ${name} ${JSON.stringify(args)}`);
    execution.updates.set(updateId, waiting);
    execution.pending.push({
      variant: 'doUpdate',
      doUpdate: {
        ...{ id: updateId, protocolInstanceId: updateId, name, input: encoded(args), headers: {} },
        ...{ meta: { updateId, identity: 'client' }, runValidator: true },
      },
    });
    this.#wake(execution);
  }

  list(query: string): Shown[] {
    const matches = matcher(query);
    return [...this.#shown.values()].filter(matches);
  }

  /** As it is now. */
  describe(execution: Execution): Shown {
    return {
      ...{ workflowId: execution.workflowId, runId: execution.runId, type: execution.type },
      ...{ status: execution.status, startedAt: execution.startedAt, closedAt: execution.endedAt },
      attributes: decodeSearchAttributes(execution.searchAttributes as never) as never,
      memo: Object.fromEntries(
        Object.entries(execution.memo).map(([key, payload]) => [key, decoded([payload])[0]]),
      ),
    };
  }

  #changed(execution: Execution): void {
    execution.version += 1;
    const shown = { ...this.describe(execution), version: execution.version };
    const lag = this.#random.spread(...this.pace.visibilityLagMs);
    this.simulator.in(lag, `visibility ${execution.workflowId}`, () => {
      const before = this.#shown.get(execution.runId);
      if (!before || before.version < shown.version) this.#shown.set(execution.runId, shown);
    });
  }

  // Tasks of workflows

  #wake(execution: Execution): void {
    if (execution.isTaskOpen || !execution.isOpen || execution.pending.length === 0) return;
    execution.isTaskOpen = true;
    execution.task += 1;
    const { task } = execution;
    const pause = execution.taskAttempts === 0 ? 0 : FIRST_TASK_PAUSE_MS;
    this.simulator.in(this.latency() + pause, `task ${execution.workflowId}`, () => {
      if (execution.task === task && execution.isOpen) this.#giveTask(execution);
    });
  }

  #giveTask(execution: Execution): void {
    const worker = this.workerFor(execution);
    if (!worker) {
      this.#waitingTasks.push(execution);
      return;
    }
    const number = execution.task;
    const { pending } = execution;
    // It is lost when its worker is killed: then another one gets it.
    const timeout = this.simulator.in(TASK_TIMEOUT_MS, `task time-out ${execution.workflowId}`, () =>
      this.failTask(execution, number, 'timed out'),
    );
    const task: OpenTask = { execution, number, taken: pending.length, activations: [], commands: [] };
    worker.takeTask(task, inOrder(pending), () => this.simulator.drop(timeout));
  }

  /** Sticky to the worker that has it in its cache, while that lives. */
  workerFor({ stickyTo }: Execution): WorkerProgram | undefined {
    const alive = this.workers.filter(({ program }) => program.isAlive);
    return (
      alive.find(({ program }) => program.name === stickyTo) ??
      (alive.length > 0 ? this.#random.pick(alive) : undefined)
    );
  }

  /** A worker has come up: it takes what waits. */
  workerBegun(): void {
    for (const execution of this.#waitingTasks.splice(0)) if (execution.isOpen) this.#giveTask(execution);
    for (const activity of this.#waitingActivities.splice(0)) this.#dispatch(activity);
  }

  failTask(execution: Execution, number: number, why: string): void {
    if (execution.task !== number || !execution.isTaskOpen) return;
    this.simulator.note(`${execution.workflowId}: its workflow task ${why}`);
    execution.isTaskOpen = false;
    execution.stickyTo = null;
    execution.taskAttempts += 1;
    this.#wake(execution);
  }

  /** False: it was too late, or came with an end although something has happened meanwhile; the worker's copy is void then. */
  completeTask({ execution, number, taken, activations, commands }: OpenTask, worker: string): boolean {
    if (execution.task !== number || !execution.isTaskOpen || !execution.isOpen) return false;
    const isEnd = commands.some((command) => ends.has(kindOf(command)));
    if (isEnd && execution.pending.length > taken) {
      this.failTask(execution, number, 'was refused: something has happened meanwhile');
      return false;
    }
    execution.isTaskOpen = false;
    execution.taskAttempts = 0;
    execution.stickyTo = worker;
    execution.pending = execution.pending.slice(taken);
    const refused = refusedUpdates(commands);
    for (const { jobs, decided, ...activation } of activations) {
      const kept = jobs.flatMap((job): Job[] => {
        if (job.variant !== 'doUpdate') return [job];
        const update = job.doUpdate as { readonly id: string };
        return refused.has(update.id) ? [] : [{ ...job, doUpdate: { ...update, runValidator: false } }];
      });
      const lasting = refused.size === 0 ? decided : withoutAnswers(decided, refused);
      // A refused update leaves nothing in the history.
      if (kept.length > 0 || lasting !== '[]')
        execution.recorded.push({ ...activation, jobs: kept, decided: lasting });
    }
    execution.events += 3 + commands.length;
    this.completedTasks += 1;
    for (const command of commands) this.#carryOut(execution, command);
    this.#wake(execution);
    return true;
  }

  // Commands

  #carryOut(execution: Execution, command: Command): void {
    const kind = kindOf(command);
    const given = command[kind] as never;
    const carryOut = this.#commands[kind];
    if (!carryOut) throw new TypeError(`the simulated Temporal does not know the command ${kind}`);
    carryOut(execution, given);
  }

  readonly #commands: Readonly<Record<string, (execution: Execution, given: never) => void>> = {
    startTimer: (execution, { seq, startToFireTimeout }: { seq: number; startToFireTimeout: unknown }) => {
      const due = this.simulator.in(milliseconds(startToFireTimeout), `timer ${execution.workflowId}`, () => {
        execution.timers.delete(seq);
        this.simulator.note(`${execution.workflowId}: timer ${seq} fires`);
        this.happened(execution, { variant: 'fireTimer', fireTimer: { seq } });
      });
      execution.timers.set(seq, due);
    },
    cancelTimer: (execution, { seq }: { seq: number }) => {
      const due = execution.timers.get(seq);
      if (due) this.simulator.drop(due);
      execution.timers.delete(seq);
      // It may have fired while the task was under way: the server drops that event with the cancellation.
      execution.pending = execution.pending.filter(
        (job) => job.variant !== 'fireTimer' || (job.fireTimer as { readonly seq: number }).seq !== seq,
      );
    },
    scheduleActivity: (execution, scheduled: Scheduled) => {
      const { seq, cancellationType = 0 } = scheduled;
      if (cancellationType !== 0) execution.waitsForCancelled.add(seq);
      const activity = new ActivityRun(this.simulator, scheduled, execution, {
        dispatch: (each) => this.#dispatch(each),
        over: (result) => {
          if (execution.activities.get(seq) !== activity) return;
          execution.activities.delete(seq);
          this.happened(execution, { variant: 'resolveActivity', resolveActivity: { seq, result } });
        },
      });
      execution.activities.set(seq, activity);
    },
    requestCancelActivity: (execution, { seq }: { seq: number }) => {
      const activity = execution.activities.get(seq);
      // Without a wait the worker has resolved it within the task: what the server says of it is not shown any more.
      if (!execution.waitsForCancelled.has(seq)) {
        execution.activities.delete(seq);
        execution.pending = execution.pending.filter(
          (job) =>
            job.variant !== 'resolveActivity' ||
            (job.resolveActivity as { readonly seq: number }).seq !== seq,
        );
      }
      activity?.requestCancel();
    },
    setPatchMarker: () => undefined,
    // Their worker has carried them out within the task.
    scheduleLocalActivity: () => undefined,
    requestCancelLocalActivity: () => undefined,
    upsertWorkflowSearchAttributes: (
      execution,
      { searchAttributes }: { searchAttributes: { readonly indexedFields: object } },
    ) => {
      execution.searchAttributes = { ...execution.searchAttributes, ...searchAttributes.indexedFields };
      this.#changed(execution);
    },
    modifyWorkflowProperties: (
      execution,
      { upsertedMemo }: { upsertedMemo: { readonly fields: Readonly<Record<string, Payload>> } },
    ) => {
      execution.memo = { ...execution.memo, ...upsertedMemo.fields };
      this.#changed(execution);
    },
    updateResponse: (execution, given: UpdateResponse) => this.#answerUpdate(execution, given),
    startChildWorkflowExecution: (execution, given: StartChild) => this.#startChild(execution, given),
    cancelChildWorkflowExecution: (execution, { childWorkflowSeq }: { childWorkflowSeq: number }) => {
      const child = execution.children.get(childWorkflowSeq);
      if (child) this.#later(() => this.requestCancel(this.open(child.workflowId) ?? child));
    },
    signalExternalWorkflowExecution: (execution, given: SignalExternal) => {
      const { seq, signalName, args, workflowExecution, childWorkflowId } = given;
      const workflowId = workflowExecution?.workflowId ?? childWorkflowId ?? '';
      this.#later(() => {
        const target = this.open(workflowId, workflowExecution?.runId || undefined);
        if (target) this.signal(target, signalName, args ?? []);
        this.happened(execution, {
          variant: 'resolveSignalExternalWorkflow',
          resolveSignalExternalWorkflow: { seq, ...(!target && { failure: notFound }) },
        });
      });
    },
    cancelSignalWorkflow: () => undefined,
    requestCancelExternalWorkflowExecution: (
      execution,
      { seq, workflowExecution }: { seq: number; workflowExecution: { workflowId: string; runId?: string } },
    ) => {
      this.#later(() => {
        const target = this.open(workflowExecution.workflowId, workflowExecution.runId || undefined);
        if (target) this.requestCancel(target);
        this.happened(execution, {
          variant: 'resolveRequestCancelExternalWorkflow',
          resolveRequestCancelExternalWorkflow: { seq, ...(!target && { failure: notFound }) },
        });
      });
    },
    completeWorkflowExecution: (execution, { result = {} }: { result?: Payload }) =>
      this.#close(execution, { status: 'COMPLETED', result }),
    failWorkflowExecution: (execution, { failure }: { failure: Failure }) =>
      this.#close(execution, { status: 'FAILED', failure }),
    cancelWorkflowExecution: (execution) =>
      this.#close(execution, {
        status: 'CANCELLED',
        failure: { message: 'Workflow execution cancelled', canceledFailureInfo: {} },
      }),
    continueAsNewWorkflowExecution: (
      execution,
      given: {
        readonly workflowType?: string;
        readonly arguments?: readonly Payload[];
        readonly memo?: Readonly<Record<string, Payload>>;
      },
    ) => {
      // Its id must be free before the next run takes it.
      const next = () =>
        this.#begin({
          ...{ workflowId: execution.workflowId, type: given.workflowType || execution.type },
          ...{ args: given.arguments ?? [], continues: execution },
          memo: Object.keys(given.memo ?? {}).length > 0 ? (given.memo ?? {}) : execution.memo,
          searchAttributes: execution.searchAttributes,
        });
      this.#close(execution, next);
    },
  };

  #later(run: () => void): void {
    this.simulator.in(this.latency(), 'between workflows', run);
  }

  #answerUpdate(execution: Execution, { protocolInstanceId, rejected, completed }: UpdateResponse): void {
    const waiting = execution.updates.get(protocolInstanceId);
    if (rejected) waiting?.failed(rejected);
    else if (completed) waiting?.done(decoded([completed])[0]);
    else return void waiting?.accepted?.();
    execution.updates.delete(protocolInstanceId);
  }

  #startChild(execution: Execution, given: StartChild): void {
    const { seq, workflowId, workflowType, input = [], memo = {}, parentClosePolicy = TERMINATE } = given;
    this.#later(() => {
      if (!execution.isOpen && parentClosePolicy !== ABANDON) return;
      if (this.open(workflowId)) {
        this.happened(execution, {
          variant: 'resolveChildWorkflowExecutionStart',
          resolveChildWorkflowExecutionStart: { seq, failed: { workflowId, workflowType, cause: 1 } },
        });
        return;
      }
      const child = this.#begin({
        ...{ workflowId, type: workflowType, args: input, memo },
        searchAttributes: given.searchAttributes?.indexedFields ?? {},
        parent: { execution, seq },
        onParentClose: parentClosePolicy,
      });
      execution.children.set(seq, child);
      this.happened(execution, {
        variant: 'resolveChildWorkflowExecutionStart',
        resolveChildWorkflowExecutionStart: { seq, succeeded: { runId: child.runId } },
      });
    });
  }

  #close(execution: Execution, given: End | (() => Execution)): void {
    for (const due of execution.timers.values()) this.simulator.drop(due);
    for (const activity of execution.activities.values()) activity.abandon();
    execution.endedAt = this.simulator.now;
    const waiting = [...execution.updates.values()];
    execution.updates.clear();
    if (typeof given === 'function') execution.end = { status: 'CONTINUED_AS_NEW', next: given() };
    else execution.end = given;
    this.#changed(execution);
    const { end } = execution;
    if (end.status !== 'CONTINUED_AS_NEW') {
      this.simulator.note(`${execution.workflowId}: ${execution.type} ends ${end.status}`);
      this.#tellParent(execution, end);
      for (const child of execution.children.values()) this.#parentClosed(child);
    }
    for (const each of waiting) each.failed('gone');
  }

  #parentClosed(child: Execution): void {
    const open = this.open(child.workflowId);
    if (!open || child.onParentClose === ABANDON) return;
    if (child.onParentClose === REQUEST_CANCEL) this.#later(() => this.requestCancel(open));
    else this.terminate(open);
  }

  #tellParent(child: Execution, end: Exclude<End, { status: 'CONTINUED_AS_NEW' }>): void {
    if (!child.parentExecution) return;
    const { execution, seq } = child.parentExecution;
    const cause = 'failure' in end ? end.failure : null;
    const wrapped = cause && {
      message: 'Child Workflow execution failed',
      cause,
      childWorkflowExecutionFailureInfo: {
        ...{ namespace: 'default', workflowType: { name: child.type }, retryState: 5 },
        workflowExecution: { workflowId: child.workflowId, runId: child.runId },
      },
    };
    const results = {
      COMPLETED: () => ({ completed: { result: 'result' in end ? end.result : {} } }),
      FAILED: () => ({ failed: { failure: wrapped } }),
      TERMINATED: () => ({ failed: { failure: wrapped } }),
      CANCELLED: () => ({ cancelled: { failure: wrapped } }),
    };
    const result = results[end.status]();
    this.#later(() =>
      this.happened(execution, {
        variant: 'resolveChildWorkflowExecution',
        resolveChildWorkflowExecution: { seq, result },
      }),
    );
  }

  // Activities

  #dispatch(activity: ActivityRun): void {
    this.simulator.in(this.latency(), `activity ${activity.words}`, () => {
      if (activity.isOver) return;
      const alive = this.workers.filter(({ program }) => program.isAlive);
      if (alive.length === 0) {
        this.#waitingActivities.push(activity);
        return;
      }
      this.#random.pick(alive).takeActivity(activity.start());
    });
  }
}

// Temporal's numbers for what becomes of a child when its parent closes.
const TERMINATE = 1;
const ABANDON = 2;
const REQUEST_CANCEL = 3;

const ends: ReadonlySet<string> = new Set([
  'completeWorkflowExecution',
  'failWorkflowExecution',
  'cancelWorkflowExecution',
  'continueAsNewWorkflowExecution',
]);

interface UpdateResponse {
  readonly protocolInstanceId: string;
  readonly accepted?: object;
  readonly rejected?: Failure;
  readonly completed?: Payload;
}

interface StartChild {
  readonly seq: number;
  readonly workflowId: string;
  readonly workflowType: string;
  readonly input?: readonly Payload[];
  readonly memo?: Readonly<Record<string, Payload>>;
  readonly searchAttributes?: { readonly indexedFields: Readonly<Record<string, unknown>> };
  readonly parentClosePolicy?: number;
}

interface SignalExternal {
  readonly seq: number;
  readonly signalName: string;
  readonly args?: readonly Payload[];
  readonly workflowExecution?: { readonly workflowId: string; readonly runId?: string };
  readonly childWorkflowId?: string;
}

/** Those whose validator has refused them; one that was taken may still fail, and stays in the history. */
function refusedUpdates(commands: readonly Command[]): ReadonlySet<string> {
  const answers = commands.flatMap(
    ({ updateResponse }) => (updateResponse as UpdateResponse | undefined) ?? [],
  );
  const accepted = new Set(answers.flatMap((each) => (each.accepted ? [each.protocolInstanceId] : [])));
  const rejected = answers.flatMap((each) => (each.rejected ? [each.protocolInstanceId] : []));
  return new Set(rejected.filter((id) => !accepted.has(id)));
}

function withoutAnswers(decided: string, refused: ReadonlySet<string>): string {
  const commands = JSON.parse(decided) as { readonly updateResponse?: UpdateResponse }[];
  const isLasting = ({ updateResponse }: (typeof commands)[number]) =>
    !(updateResponse && refused.has(updateResponse.protocolInstanceId));
  return JSON.stringify(commands.filter(isLasting));
}

/** As the SDK's core orders what one task shows: the start, then messages, then answers, each in the order of the history. */
function inOrder(jobs: readonly Job[]): Job[] {
  const rank = ({ variant }: Job): number => {
    if (variant === 'initializeWorkflow') return 0;
    return variant === 'signalWorkflow' || variant === 'doUpdate' ? 1 : 2;
  };
  return [...jobs].sort((one, other) => rank(one) - rank(other));
}

/** For the trace. */
function reportIn(args: readonly Payload[]): string {
  const [first] = decoded(args) as [{ shipmentUid?: string; stateCode?: string } | undefined];
  return first?.shipmentUid ? ` ${first.shipmentUid} ${first.stateCode ?? ''}` : '';
}

export { textOf };
