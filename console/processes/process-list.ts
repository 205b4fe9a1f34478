// The list of processes of a server: read once for whoever asks, and again and again for who follows it.

import { askedTemporal } from '../../processes/at-temporal.ts';
import { type CountedPage, countedPage } from '../../processes/views/found-flows.ts';
import { type ProcessPage, pageOf, readProcessPage } from '../../processes/views/process-list.ts';
import { ProcessSummaries } from '../../processes/views/summaries.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { queryOf, type Search } from './search.ts';

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
    return await readProcessPage(this.#found(search), asksProcesses ? this.#summaries : null);
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
