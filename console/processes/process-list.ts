// Pages of the list of processes, each row with where its process stands: read once for whoever asks, and again and again for
// who follows the list. Temporal's search knows phase and shipments; the rest the processes say themselves (summaries.ts).
import { type CountedPage, countedPage, type FoundFlow } from '../../processes/views/found-flows.ts';
import { statusOf } from '../api/read-process.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { askedTemporal } from '../temporal-asked.ts';
import type { ProcessPage, ProcessRow, ProcessSummary } from './processes-view.ts';
import { queryOf, type Search } from './search.ts';
import { ProcessSummaries } from './summaries.ts';

/** From the end of one search to the next: for what begins and ends. What becomes of a process shows without it. */
export const SEARCH_EVERY_MS = 400;
// A list that nobody has followed for so long is forgotten.
const FORGOTTEN_AFTER_MS = 10_000;

export class ProcessList {
  readonly #parts: ConsoleParts;
  readonly #summaries: ProcessSummaries;
  readonly #followed = new Map<string, { readonly at: number; readonly page: CountedPage }>();

  constructor(parts: ConsoleParts) {
    this.#parts = parts;
    this.#summaries = new ProcessSummaries(parts, () => parts.live.changed('/v1/processes'));
  }

  /** Where each stands is asked anew; what is not answered in time is as it was known before. */
  async page(search: Search, asksProcesses: boolean): Promise<ProcessPage> {
    const begun = performance.now();
    const page = await this.#found(search);
    const spentMs = performance.now() - begun;
    const open = asksProcesses ? page.flows.filter(({ status }) => status === 'Running') : [];
    const summaries = await this.#summaries.current(
      open.map(({ workflowId: key, runId }) => ({ key, runId })),
      spentMs,
    );
    return pageOf(page, ({ runId }) => ({ summary: summaries.get(runId) ?? null, hasEnded: false }));
  }

  /** At once, with what is known: whoever follows the list gets what comes later. */
  async followed(search: Search): Promise<ProcessPage> {
    const now = Date.now();
    for (const [name, { at }] of this.#followed)
      if (now - at > FORGOTTEN_AFTER_MS) this.#followed.delete(name);
    const name = JSON.stringify(search);
    const before = this.#followed.get(name);
    const isFresh = before !== undefined && now - before.at < SEARCH_EVERY_MS;
    const page = isFresh ? before.page : await this.#found(search);
    if (!isFresh) this.#followed.set(name, { at: Date.now(), page });
    return pageOf(page, ({ workflowId: key, runId }) => this.#summaries.of({ key, runId }));
  }

  stop(): void {
    this.#summaries.stop();
  }

  #found(search: Search): Promise<CountedPage> {
    const { client } = this.#parts;
    const { size, cursor: from } = search;
    return askedTemporal(this.#parts, () => countedPage(client, queryOf(search), { size, from }));
  }
}

interface Known {
  readonly summary: ProcessSummary | null;
  readonly hasEnded: boolean;
}

const pageOf = ({ flows, next, count }: CountedPage, known: (flow: FoundFlow) => Known): ProcessPage => ({
  items: flows.map((flow) =>
    rowOf(flow, flow.status === 'Running' ? known(flow) : { summary: null, hasEnded: true }),
  ),
  ...{ next, count },
});

/** The search lags behind the process: an end is known before it shows there. */
const rowOf = (flow: FoundFlow, { summary, hasEnded }: Known): ProcessRow => ({
  ...{ key: flow.workflowId, runId: flow.runId, flow: flow.flow, status: statusOf(flow) },
  phase: hasEnded ? null : (flow.phase ?? 'Open'),
  ...{ caseNo: flow.case, pickUpPoint: flow.pickUpPoint, shipmentUids: flow.shipmentUids },
  ...{ startedAt: flow.startedAt, closedAt: flow.closedAt, summary },
});
