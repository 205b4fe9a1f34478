// One process: what Temporal knows of it, and what it says of itself. A question costs no event of its history, but some work of
// a worker: it is asked only when its history has grown since. A missing worker hides only what the process would say.
import type { WorkflowExecutionDescription } from '@temporalio/client';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { FlowCancelled, FlowFailed, FlowNotFound } from '../../client/flow-errors.ts';
import { queried } from '../../client/queried.ts';
import { workerFailureBehind } from '../../client/worker-failure.ts';
import type { Actions } from '../../contract/flows/actions.ts';
import { fileFault } from '../../contract/flows/chart-progress.ts';
import type { ProcessProgress } from '../../contract/flows/flow-answers.ts';
import { internalWorkflows, isBuiltIn } from '../../contract/flows/flow-types.ts';
import { refusedCall, refusedCallIn } from '../../contract/wire/refused-call.ts';
import { actionsAndProgressOf } from '../actions.ts';
import { CommandError, commandErrorOf } from '../outcome.ts';
import { callTemporal, type TemporalContext } from '../temporal-context.ts';
import { formatWorkerFailure } from '../worker-failure.ts';
import { trying, tryingOf } from './execution.ts';
import { findFlow } from './flow-registry.ts';
import { learnTitles } from './flow-titles.ts';
import { processFields, type Status, statusNamed } from './process-fields.ts';
import { wholeBooking } from './progress.ts';

export const shownProcess = z.object({
  ...processFields,
  flow: z.string(),
  progress: z.looseObject({}).nullable().meta({
    description:
      'What it says of itself, as the query `progress` answers it; null: it was not asked, or no worker answers now',
  }),
  unanswered: z.string().nullable().meta({ description: 'Why a process that was asked has not answered' }),
  actions: z.looseObject({}).nullable().meta({
    description: 'What can be done to it now, with which fields and what follows; null once it has ended',
  }),
  trying: z.array(trying).meta({ description: 'Calls that Temporal tries now, or again' }),
  result: z.unknown().nullable().meta({ description: 'Of one that has ended with a result' }),
  failure: z
    .object({
      code: z.string(),
      message: z.string(),
      fault: fileFault.exactOptional().meta({ description: 'Where in its flow file it is, and why' }),
      ...refusedCall,
    })
    .nullable()
    .meta({ description: 'Why it has ended without a result' }),
});
export interface ShownProcess extends Readonly<Omit<z.infer<typeof shownProcess>, 'progress' | 'actions'>> {
  readonly progress: ProcessProgress | null;
  readonly actions: Actions | null;
}

type ProcessAnswers = Pick<ShownProcess, 'progress' | 'unanswered' | 'actions' | 'result' | 'failure'>;

const NOTHING: ProcessAnswers = {
  progress: null,
  unanswered: null,
  actions: null,
  result: null,
  failure: null,
};

/** The process, and what Temporal tells beside. */
export interface ProcessSnapshot {
  readonly process: ShownProcess;
  readonly described: WorkflowExecutionDescription;
}

const MAX_ENTRIES = 500;
// A worker that replays a long history first needs a moment; a caller would rather know what Temporal knows.
const ANSWER_WITHIN_MS = 5_000;

export class ProcessReader {
  readonly #parts: TemporalContext;
  readonly #kept = new LRUCache<string, ProcessAnswers>({ max: MAX_ENTRIES });

  constructor(parts: TemporalContext) {
    this.#parts = parts;
  }

  /**
   * Throws FlowNotFound, also for what is no process of a flow, and CommandError where Temporal does not answer.
   * @param asksOpen whether one that runs is asked what it says of itself: where nobody has asked for it, a worker need not work
   */
  async read(key: string, options?: { readonly asksOpen: boolean }): Promise<ShownProcess> {
    return (await this.snapshot(key, options)).process;
  }

  /** Throws as `read`. */
  async snapshot(key: string, { asksOpen = true } = {}): Promise<ProcessSnapshot> {
    const described = await this.#described(key);
    const { runId, type, startTime, closeTime, raw } = described;
    const status = statusNamed(described.status.name);
    const at = `${runId} ${raw.workflowExecutionInfo?.historyLength} ${status}`;
    const before = this.#kept.get(at);
    const isAsked = asksOpen || status !== 'Running';
    const [said, tried] = await Promise.all([
      before ?? (isAsked ? this.#ask(key, status, runId) : NOTHING),
      tryingOf(this.#parts.client, described),
      learnTitles(this.#parts.client, [type]),
    ]);
    if (said.progress !== null) this.#kept.set(at, said);
    const process = {
      key,
      runId,
      flow: type,
      status,
      startedAt: startTime.toISOString(),
      closedAt: closeTime?.toISOString() ?? null,
      ...said,
      trying: tried,
    };
    return { process, described };
  }

  /** Its flow, without asking a worker. Throws as `read`. */
  async flowOf(key: string): Promise<string> {
    return (await this.found(key)).flow;
  }

  /** What Temporal knows of its newest run. Throws as `read`. */
  async found(key: string): Promise<Pick<ShownProcess, 'flow' | 'runId' | 'status'>> {
    const { type: flow, runId, status } = await this.#described(key);
    return { flow, runId, status: statusNamed(status.name) };
  }

  /** The files of built-in flows ask nothing and take no events: refused without asking a worker. */
  async requireFlowFile(key: string): Promise<void> {
    const flow = await this.flowOf(key);
    if (isBuiltIn(flow))
      throw new CommandError(
        'refused',
        'NotAFlowFile',
        `${key} is a process of ${flow}, which is built in: it asks nothing and takes no events; only flow files do`,
      );
  }

  async #described(key: string): Promise<WorkflowExecutionDescription> {
    const { client } = this.#parts;
    try {
      const described = await callTemporal(this.#parts, () => client.workflow.getHandle(key).describe());
      if (await this.#isOfFlow(described)) return described;
    } catch (cause) {
      throw commandErrorOf(cause)?.kind === 'notFound' ? new FlowNotFound(key, { cause }) : cause;
    }
    throw new FlowNotFound(key);
  }

  async #ask(key: string, status: Status, runId: string): Promise<ProcessAnswers> {
    if (status === 'Running') return await this.#saysOpen(key, runId);
    const [asked, ended] = await Promise.all([this.#progressOf(key, runId), this.#endOf(key, status, runId)]);
    // One that was cancelled, or has failed, may answer with what it waited for then.
    const progress = status === 'Completed' ? asked.progress : withoutFuture(asked.progress);
    return { ...asked, progress, actions: null, ...ended };
  }

  /** Both in one question. It never fails. */
  async #saysOpen(key: string, runId: string): Promise<ProcessAnswers> {
    try {
      const { progress, ...actions } = await actionsAndProgressOf(this.#parts, key, ANSWER_WITHIN_MS);
      // Without it, the process has just begun.
      const said =
        progress === undefined
          ? await this.#progressOf(key, runId)
          : { progress: progress as ProcessProgress };
      return { ...NOTHING, ...said, actions };
    } catch (error) {
      const reason = await workerFailureBehind(error, this.#parts.client, key, runId);
      if (reason !== null) return { ...NOTHING, unanswered: formatWorkerFailure(reason) };
      const refusal = commandErrorOf(error);
      // Where no worker answers, a second question would only be waited for, too.
      if (refusal?.kind === 'unreachable') return { ...NOTHING, unanswered: refusal.message };
      return { ...NOTHING, ...(await this.#progressOf(key, runId)) };
    }
  }

  /** No worker answers, or the process does not know the query: why. */
  async #progressOf(key: string, runId: string): Promise<Pick<ProcessAnswers, 'progress' | 'unanswered'>> {
    try {
      const { client } = this.#parts;
      const handle = client.workflow.getHandle(key, runId);
      const ask = () => handle.query<ProcessProgress>('progress');
      return { progress: await queried({ client }, ask, ANSWER_WITHIN_MS), unanswered: null };
    } catch (error) {
      const words =
        commandErrorOf(error)?.message ?? (error instanceof Error ? error.message : String(error));
      return { progress: null, unanswered: words };
    }
  }

  /** How this run ended: another one that has begun meanwhile would be waited for. */
  async #endOf(
    key: string,
    status: Status,
    runId: string,
  ): Promise<Pick<ProcessAnswers, 'result' | 'failure'>> {
    // Reading the result would cost a second query, for an output that is not shown.
    if (status === 'Cancelled')
      return { result: null, failure: { code: status, message: new FlowCancelled(key).message } };
    try {
      return { result: await this.#parts.flows.handle(key, runId).result(), failure: null };
    } catch (error) {
      if (error instanceof FlowFailed) return { result: null, failure: failureOf(error) };
      if (error instanceof FlowCancelled)
        return { result: null, failure: { code: status, message: error.message } };
      throw error;
    }
  }

  /** Other workflows of the namespace are nobody's business here. */
  async #isOfFlow({ type, taskQueue, searchAttributes }: WorkflowExecutionDescription): Promise<boolean> {
    if (internalWorkflows.includes(type)) return false;
    // As lists find them: where another SDK has started it, a process of a flow file has a phase once a worker has begun it.
    if (searchAttributes.LockerPhase !== undefined || taskQueue === this.#parts.taskQueue) return true;
    return (await findFlow(this.#parts.client, type)) !== undefined;
  }
}

function failureOf({ code, message, details: [first] }: FlowFailed): ShownProcess['failure'] {
  const { data: fault } = fileFault.safeParse(first);
  return { code, message, ...(fault && { fault }), ...refusedCallIn(code, first) };
}

/** A process in one of these could not say that it has ended: when asked, it answers with its last state. */
const cutShort: Readonly<Partial<Record<Status, true>>> = { Terminated: true, TimedOut: true };

/** Undefined for one that goes on, or has ended by itself. */
export const isCutShort = ({ status }: Pick<ShownProcess, 'status'>): boolean => status in cutShort;

/** What an open process still expects, and an open booking. */
const EXPECTED = {
  phase: null,
  waitingFor: [],
  events: [],
  childEvents: [],
  questions: [],
  children: [],
  halted: null,
};
const EXPECTED_OF_BOOKING = { outcome: null, deadlines: [], activity: 'Ended' } as const;

/** It waits for nothing and does nothing any more: what it answers is how it stood. */
function withoutFuture(progress: ProcessProgress | null): ProcessProgress | null {
  if (!progress) return null;
  const { bookings } = progress;
  return {
    ...progress,
    ...EXPECTED,
    ...(wholeBooking(progress) && EXPECTED_OF_BOOKING),
    activity: 'Ended',
    bookings: bookings.map((booking) => ({ ...booking, ...EXPECTED_OF_BOOKING })),
  };
}
