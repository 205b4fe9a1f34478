// Reads pages of the process list: once for a single request, and from a short-lived cache for clients that follow the list.
import { askedTemporal } from '../../processes/at-temporal.ts';
import { type CountedPage, countedPage, type FoundFlow } from '../../processes/views/found-flows.ts';
import type { FlowPositions } from '../../processes/views/overview/flow-positions.ts';
import {
  byDeadline,
  isDueBefore,
  type OpenNow,
  type OpenProcesses,
} from '../../processes/views/overview/open-processes.ts';
import { type ProcessPage, pageOf, readProcessPage } from '../../processes/views/process-list.ts';
import type { ProcessSummaries } from '../../processes/views/summaries.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { ConsoleRefusal } from '../refusal.ts';
import { isByDeadline, isFound, type ListSearch, queryOf } from './search.ts';

/** Pause between two searches, which find started and ended processes. Changes of a process are shown without a search. */
export const SEARCH_EVERY_MS = 400;
/** A search over thousands takes Temporal a tenth of a second: pause for this multiple of its duration. */
const PAUSE_FACTOR = 9;
const MAX_PAUSE_MS = 4_000;
// A list that nobody follows leaves the cache.
const EVICTED_AFTER_MS = 10_000;

interface ListSources {
  readonly open: Pick<OpenProcesses, 'now'>;
  readonly positions: Pick<FlowPositions, 'of'>;
}

export class ProcessList {
  readonly #parts: ConsoleParts;
  readonly #sources: ListSources;
  readonly #summaries: ProcessSummaries;
  readonly #followed = new Map<
    string,
    { readonly at: number; readonly until: number; readonly page: CountedPage }
  >();

  constructor(parts: ConsoleParts, sources: ListSources, summaries: ProcessSummaries) {
    this.#parts = parts;
    this.#sources = sources;
    this.#summaries = summaries;
  }

  /** Queries each process for its state; one that does not answer in time keeps its last known state. */
  async page(search: ListSearch, asksProcesses: boolean): Promise<ProcessPage> {
    return await readProcessPage(this.#found(search), asksProcesses ? this.#summaries : null);
  }

  /** Answers immediately with known states: a client that follows the list gets updates later. */
  async followed(search: ListSearch): Promise<ProcessPage> {
    const now = Date.now();
    for (const [name, { at }] of this.#followed) if (now - at > EVICTED_AFTER_MS) this.#followed.delete(name);
    const name = JSON.stringify(search);
    const before = this.#followed.get(name);
    const isFresh = before !== undefined && now < before.until;
    const page = isFresh ? before.page : await this.#found(search);
    if (!isFresh) {
      const at = Date.now();
      const pause = Math.min(MAX_PAUSE_MS, PAUSE_FACTOR * (at - now));
      this.#followed.set(name, { at, until: at + Math.max(SEARCH_EVERY_MS, pause), page });
    }
    return pageOf(page, ({ workflowId: key, runId }) => this.#summaries.of({ key, runId }));
  }

  stop(): void {
    this.#summaries.stop();
  }

  async #found(search: ListSearch): Promise<CountedPage> {
    const { open, positions } = this.#sources;
    const inStage = await inStageOf(positions, search);
    if (isByDeadline(search)) {
      const now = await open.now();
      const runs = inStage && new Set(inStage.map(({ runId }) => runId));
      const processes = now.processes.filter(({ runId }) => runs?.has(runId) ?? true);
      return dueFirst({ ...now, processes }, search);
    }
    if (inStage) return pageOfKnown(inStage.filter(isFound(search)), search);
    const { client } = this.#parts;
    const { size, cursor: from } = search;
    return await askedTemporal(this.#parts, () => countedPage(client, queryOf(search), { size, from }));
  }
}

/** The processes in a state of their chart, which Temporal cannot search for; undefined: no state is searched for. */
async function inStageOf(
  positions: ListSources['positions'],
  { stage, flow, state }: ListSearch,
): Promise<FoundFlow[] | undefined> {
  if (stage === undefined) return undefined;
  if (flow === undefined)
    throw new ConsoleRefusal(
      400,
      'InvalidRequest',
      'Wrong request: stage needs flow, the flow to which it belongs.',
    );
  // Processes that have ended are in no stage.
  if (state !== 'open' && state !== 'all') return [];
  const { processes } = await positions.of(flow);
  return processes.filter(({ active }) => active?.includes(stage));
}

export function dueFirst({ processes }: OpenNow, search: ListSearch): CountedPage {
  const { dueBefore } = search;
  const found = processes
    .filter(isFound(search))
    .filter(dueBefore === undefined ? () => true : isDueBefore(Date.parse(dueBefore)));
  return pageOfKnown(found.toSorted(byDeadline), search);
}

/** Cursor of lists that Temporal cannot sort or filter: the number of processes on earlier pages. */
const OFFSET_CURSOR = /^after-(\d{1,6})$/;

function pageOfKnown(found: readonly FoundFlow[], { size, cursor = 'after-0' }: ListSearch): CountedPage {
  const [, from] = OFFSET_CURSOR.exec(cursor) ?? [];
  if (from === undefined)
    throw new ConsoleRefusal(
      400,
      'InvalidRequest',
      'Wrong request: cursor must be the next of the page before.',
    );
  const end = Number(from) + size;
  return {
    flows: found.slice(Number(from), end),
    next: end < found.length ? `after-${end}` : null,
    count: found.length,
  };
}
