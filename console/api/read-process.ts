// One process as the API shows it: what Temporal knows of it, and what it says of itself. A question costs no event of its
// history, but some work of a worker: it is asked only when its history has grown since.
import type { WorkflowExecutionDescription } from '@temporalio/client';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { FlowCancelled, FlowFailed, FlowNotFound } from '../../client/flow-errors.ts';
import { publishedFlow } from '../../client/flow-files/published-flows.ts';
import type { Actions } from '../../contract/flows/actions.ts';
import { internalWorkflows } from '../../contract/flows/flow-types.ts';
import { isBuiltIn } from '../../processes/commands/start.ts';
import { Refusal } from '../../processes/outcome.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { askedTemporal } from '../temporal-asked.ts';

export const statuses = ['Running', 'Completed', 'Failed', 'Cancelled', 'Terminated', 'TimedOut'] as const;
export type Status = (typeof statuses)[number];

/** By Temporal's names. */
const statusNames: Readonly<Record<string, Status>> = {
  RUNNING: 'Running',
  // Between two runs of one process.
  CONTINUED_AS_NEW: 'Running',
  COMPLETED: 'Completed',
  FAILED: 'Failed',
  CANCELLED: 'Cancelled',
  TERMINATED: 'Terminated',
  TIMED_OUT: 'TimedOut',
};

export const processFields = {
  key: z.string().meta({ description: 'Its business key', examples: ['order-1042'] }),
  runId: z.string().meta({ description: 'A process that is started anew after a failure has a new one' }),
  status: z.enum(statuses),
  startedAt: z.string().nullable().meta({ description: 'ISO 8601 in UTC' }),
  closedAt: z.string().nullable().meta({ description: 'ISO 8601 in UTC; null while it runs' }),
};

export interface ShownProcess {
  readonly key: string;
  readonly runId: string;
  readonly flow: string;
  readonly status: Status;
  readonly startedAt: string | null;
  readonly closedAt: string | null;
  /** Null: no worker answers now. */
  readonly progress: unknown;
  /** What can be done to it; null once it has ended, and where no worker answers. */
  readonly actions: Actions | null;
  /** Null unless the process has ended well. */
  readonly result: unknown;
  /** Why it has none. */
  readonly failure: { readonly code: string; readonly message: string } | null;
}

type Said = Pick<ShownProcess, 'progress' | 'actions' | 'result' | 'failure'>;

const NOTHING: Said = { progress: null, actions: null, result: null, failure: null };

const MOST_KEPT = 500;
// A worker that replays a long history first needs a moment; a caller would rather know what Temporal knows.
const ANSWER_WITHIN_MS = 5_000;

export class ShownProcesses {
  readonly #parts: ConsoleParts;
  readonly #kept = new LRUCache<string, Said>({ max: MOST_KEPT });

  constructor(parts: ConsoleParts) {
    this.#parts = parts;
  }

  /**
   * Throws FlowNotFound, also for what is no process of a flow, and ConsoleRefusal where Temporal does not answer.
   * @param asksOpen whether one that runs is asked what it says of itself: where nobody has asked for it, a worker need not work
   */
  async read(key: string, { asksOpen = true } = {}): Promise<ShownProcess> {
    const described = await this.#described(key);
    const { runId, type, startTime, closeTime, raw } = described;
    const status = statusNames[described.status.name] ?? 'Running';
    const at = `${runId} ${raw.workflowExecutionInfo?.historyLength} ${status}`;
    const before = this.#kept.get(at);
    const isAsked = asksOpen || status !== 'Running';
    const said = before ?? (isAsked ? await this.#ask(key, status, runId) : NOTHING);
    if (said.progress !== null) this.#kept.set(at, said);
    return {
      ...{ key, runId, flow: type, status },
      ...{ startedAt: startTime.toISOString(), closedAt: closeTime?.toISOString() ?? null },
      ...said,
    };
  }

  /** Its flow, without asking a worker. Throws as `read`. */
  async flowOf(key: string): Promise<string> {
    return (await this.#described(key)).type;
  }

  /** Also of a built-in flow: those have neither questions nor events. */
  async requireFlowFile(key: string): Promise<void> {
    const flow = await this.flowOf(key);
    if (isBuiltIn(flow))
      throw new Refusal(
        'refused',
        'NotAFlowFile',
        `${key} is a process of ${flow}, which is built in: it asks nothing and takes no events; only flow files do`,
      );
  }

  async #described(key: string): Promise<WorkflowExecutionDescription> {
    const { client } = this.#parts;
    const described = await askedTemporal(this.#parts, () => client.workflow.getHandle(key).describe());
    if (!(await this.#isOfFlow(described))) throw new FlowNotFound(key);
    return described;
  }

  async #ask(key: string, status: Status, runId: string): Promise<Said> {
    const [progress, actions, ended] = await Promise.all([
      this.#query(key, runId, 'progress'),
      status === 'Running' ? this.#query(key, runId, 'actions') : null,
      status === 'Running' ? { result: null, failure: null } : this.#endOf(key, status),
    ]);
    return { progress, actions: actions as Actions | null, ...ended };
  }

  async #query(key: string, runId: string, name: string): Promise<unknown> {
    const { client } = this.#parts;
    const handle = client.workflow.getHandle(key, runId);
    try {
      return await client.withDeadline(Date.now() + ANSWER_WITHIN_MS, () => handle.query(name));
    } catch {
      // No worker answers, or the process does not know the query.
      return null;
    }
  }

  async #endOf(key: string, status: Status): Promise<Pick<Said, 'result' | 'failure'>> {
    try {
      return { result: await this.#parts.flows.handle(key).result(), failure: null };
    } catch (error) {
      if (error instanceof FlowFailed)
        return { result: null, failure: { code: error.code, message: error.message } };
      if (error instanceof FlowCancelled)
        return { result: null, failure: { code: status, message: error.message } };
      throw error;
    }
  }

  /** Other workflows of the namespace are nobody's business here. */
  async #isOfFlow({ type, searchAttributes }: WorkflowExecutionDescription): Promise<boolean> {
    if (isBuiltIn(type)) return true;
    if (internalWorkflows.includes(type)) return false;
    // A process of a flow file has a phase once a worker has begun it.
    if (searchAttributes.LockerPhase !== undefined) return true;
    return (await publishedFlow(this.#parts.client, type)) !== undefined;
  }
}
