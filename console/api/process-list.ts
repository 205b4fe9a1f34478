// A page of processes, each with where it stands. Temporal's search knows phase and shipments, and only a process knows where
// it stands: it is asked once for each length of its history, some at a time, and what is not answered in time is left out.
// So a page costs a process nothing but a query when it has changed: no event, some milliseconds of a worker.
import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import { type FoundFlow, foundPage } from '../../processes/views/found-flows.ts';
import type { ConsoleParts } from '../console-parts.ts';
import type { ProcessSummary as PageSummary } from '../processes/processes-view.ts';
import { type ShownProgress, summaryOf } from '../processes/summary-of.ts';
import { askedTemporal } from '../temporal-asked.ts';
import type { Status } from './read-process.ts';

const MOST_KEPT = 20_000;
/** For Temporal alone: how long is the history? */
const DESCRIBED_AT_ONCE = 40;
/** More only wait for the workers. */
const ASKED_AT_ONCE = 16;
/** A page does not wait longer: then a row has what its process said before, and the next page what comes later. */
const WITHIN_MS = 600;
const ANSWER_WITHIN_MS = 10_000;

/** Times are those of the process's own clock. */
type ProcessSummary = Omit<PageSummary, 'clockAheadMs'>;

interface Stands {
  readonly historyLength: string;
  readonly summary: ProcessSummary;
}

export class ProcessList {
  readonly #parts: ConsoleParts;
  readonly #kept = new LRUCache<string, Stands>({ max: MOST_KEPT });
  readonly #asking = new Map<string, Promise<ProcessSummary | null>>();
  readonly #described = pLimit(DESCRIBED_AT_ONCE);
  readonly #asked = pLimit(ASKED_AT_ONCE);

  constructor(parts: ConsoleParts) {
    this.#parts = parts;
  }

  async page(query: string, wanted: { readonly size: number; readonly from?: string | undefined }) {
    const { client } = this.#parts;
    const { flows, next } = await askedTemporal(this.#parts, () => foundPage(client, query, wanted));
    const enough = AbortSignal.timeout(WITHIN_MS);
    const over = new Promise<null>((resolve) => enough.addEventListener('abort', () => resolve(null)));
    const items = await Promise.all(
      flows.map(async (flow) => {
        const isOpen = flow.status === 'Running';
        if (!isOpen) return rowOf(flow, null);
        const stands = await Promise.race([this.#stands(flow), over]);
        return rowOf(flow, stands ?? this.#kept.get(flow.runId)?.summary ?? null);
      }),
    );
    return { items, next };
  }

  /** Two pages that show the same process wait for the same answer. */
  #stands({ workflowId, runId }: FoundFlow): Promise<ProcessSummary | null> {
    const asking = this.#asking.get(runId) ?? this.#read(workflowId, runId);
    this.#asking.set(runId, asking);
    void asking.finally(() => this.#asking.delete(runId));
    return asking;
  }

  async #read(workflowId: string, runId: string): Promise<ProcessSummary | null> {
    try {
      const historyLength = await this.#described(() => this.#lengthOf(workflowId, runId));
      const kept = this.#kept.get(runId);
      if (kept?.historyLength === historyLength) return kept.summary;
      const summary = await this.#asked(() => this.#ask(workflowId, runId));
      this.#kept.set(runId, { historyLength, summary });
      return summary;
    } catch {
      // It has ended meanwhile, or no worker answers.
      return null;
    }
  }

  async #lengthOf(workflowId: string, runId: string): Promise<string> {
    const { client } = this.#parts;
    const { workflowExecutionInfo: info } = await client.withDeadline(Date.now() + ANSWER_WITHIN_MS, () =>
      client.workflowService.describeWorkflowExecution({
        namespace: client.options.namespace,
        execution: { workflowId, runId },
      }),
    );
    return String(info?.historyLength);
  }

  async #ask(workflowId: string, runId: string): Promise<ProcessSummary> {
    const { client } = this.#parts;
    const handle = client.workflow.getHandle(workflowId, runId);
    const ask = () => handle.query<ShownProgress>('progress');
    const { clockAheadMs: _, ...summary } = summaryOf(
      await client.withDeadline(Date.now() + ANSWER_WITHIN_MS, ask),
      0,
    );
    return summary;
  }
}

const rowOf = (flow: FoundFlow, summary: ProcessSummary | null) => ({
  ...{ key: flow.workflowId, runId: flow.runId, flow: flow.flow, status: statusOf(flow) },
  phase: flow.status === 'Running' ? (flow.phase ?? 'Open') : null,
  ...{ caseNo: flow.case, pickUpPoint: flow.pickUpPoint, shipmentUids: flow.shipmentUids },
  ...{ startedAt: flow.startedAt, closedAt: flow.closedAt, summary },
});

function statusOf({ status }: FoundFlow): Status {
  if (status === 'Canceled') return 'Cancelled';
  return status === 'ContinuedAsNew' ? 'Running' : (status as Status);
}
