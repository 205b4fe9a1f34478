// One process as the API shows it: what Temporal knows of it, and what it says of itself. A question costs no event of its
// history, but some work of a worker: it is asked only when its history has grown since.
import type { WorkflowExecutionDescription } from '@temporalio/client';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { FlowCancelled, FlowFailed, FlowNotFound } from '../../client/flow-errors.ts';
import { publishedFlow } from '../../client/flow-files/published-flows.ts';
import { internalWorkflows } from '../../contract/flows/flow-types.ts';
import { actionsOf } from '../../processes/actions.ts';
import { isBuiltIn } from '../../processes/commands/start.ts';
import { Refusal, refusalOf } from '../../processes/outcome.ts';
import type { FoundFlow } from '../../processes/views/found-flows.ts';
import type { ConsoleParts } from '../console-parts.ts';
import type { ShownProcess } from '../process/process-view.ts';
import type { Status } from '../processes/processes-view.ts';
import { askedTemporal } from '../temporal-asked.ts';

export const statuses = ['Running', 'Completed', 'Failed', 'Cancelled', 'Terminated', 'TimedOut'] as const;

/** For a process that Temporal's search has found. */
export function statusOf({ status }: Pick<FoundFlow, 'status'>): Status {
  if (status === 'Canceled') return 'Cancelled';
  return status === 'ContinuedAsNew' ? 'Running' : (status as Status);
}

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

export type { ShownProcess };

interface Said extends Pick<ShownProcess, 'progress' | 'actions' | 'result' | 'failure'> {
  /** Why the process has not said where it stands. */
  readonly unanswered: string | null;
}

const NOTHING: Said = { progress: null, actions: null, result: null, failure: null, unanswered: null };

/** The process, and what Temporal tells beside. */
export interface LookedAt {
  readonly process: ShownProcess;
  readonly described: WorkflowExecutionDescription;
  readonly unanswered: string | null;
}

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
  async read(key: string, options?: { readonly asksOpen: boolean }): Promise<ShownProcess> {
    return (await this.look(key, options)).process;
  }

  /** Throws as `read`. */
  async look(key: string, { asksOpen = true } = {}): Promise<LookedAt> {
    const described = await this.#described(key);
    const { runId, type, startTime, closeTime, raw } = described;
    const status = statusNames[described.status.name] ?? 'Running';
    const at = `${runId} ${raw.workflowExecutionInfo?.historyLength} ${status}`;
    const before = this.#kept.get(at);
    const isAsked = asksOpen || status !== 'Running';
    const said = before ?? (isAsked ? await this.#ask(key, status, runId) : NOTHING);
    if (said.progress !== null) this.#kept.set(at, said);
    const { unanswered, ...shown } = said;
    const process = {
      ...{ key, runId, flow: type, status },
      ...{ startedAt: startTime.toISOString(), closedAt: closeTime?.toISOString() ?? null },
      ...shown,
    };
    return { process, described, unanswered };
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
    const [asked, actions, ended] = await Promise.all([
      this.#progressOf(key, runId),
      status === 'Running' ? actionsOf(this.#parts, key).catch(() => null) : null,
      status === 'Running' ? { result: null, failure: null } : this.#endOf(key, status),
    ]);
    return { ...asked, actions, ...ended };
  }

  /** No worker answers, or the process does not know the query: why. */
  async #progressOf(key: string, runId: string): Promise<Pick<Said, 'progress' | 'unanswered'>> {
    try {
      const { client } = this.#parts;
      const handle = client.workflow.getHandle(key, runId);
      const within = Date.now() + ANSWER_WITHIN_MS;
      const progress = await client.withDeadline(within, () => handle.query<unknown>('progress'));
      return { progress, unanswered: null };
    } catch (error) {
      const words = refusalOf(error)?.message ?? (error instanceof Error ? error.message : String(error));
      return { progress: null, unanswered: words };
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
