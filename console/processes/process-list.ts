// The list of processes of a server: read once for whoever asks, and again and again for who follows it.

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

/** From the end of one search to the next: for what begins and ends. What becomes of a process shows without it. */
export const SEARCH_EVERY_MS = 400;
/** A search of thousands takes Temporal a tenth of a second: then it is made less often. */
const PAUSES_OF_A_SEARCH = 9;
const LONGEST_PAUSE_MS = 4_000;
// A list that nobody has followed for so long is forgotten.
const FORGOTTEN_AFTER_MS = 10_000;

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

  /** Where each stands is asked anew; what is not answered in time is as it was known before. */
  async page(search: ListSearch, asksProcesses: boolean): Promise<ProcessPage> {
    return await readProcessPage(this.#found(search), asksProcesses ? this.#summaries : null);
  }

  /** At once, with what is known: whoever follows the list gets what comes later. */
  async followed(search: ListSearch): Promise<ProcessPage> {
    const now = Date.now();
    for (const [name, { at }] of this.#followed)
      if (now - at > FORGOTTEN_AFTER_MS) this.#followed.delete(name);
    const name = JSON.stringify(search);
    const before = this.#followed.get(name);
    const isFresh = before !== undefined && now < before.until;
    const page = isFresh ? before.page : await this.#found(search);
    if (!isFresh) {
      const at = Date.now();
      const pause = Math.min(LONGEST_PAUSE_MS, PAUSES_OF_A_SEARCH * (at - now));
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

/** Temporal does not know the states of charts; undefined: the search asks for none. */
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
  // Those that have ended are in no stage.
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

/** Temporal does not have them in this order: the page begins behind so many. */
const AFTER = /^after-(\d{1,6})$/;

function pageOfKnown(found: readonly FoundFlow[], { size, cursor = 'after-0' }: ListSearch): CountedPage {
  const [, from] = AFTER.exec(cursor) ?? [];
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
