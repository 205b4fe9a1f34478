// A page of the list of processes.
import type { z } from 'zod';
import { askedTemporal } from '../../processes/at-temporal.ts';
import { countedPage } from '../../processes/views/found-flows.ts';
import { type ProcessPage, readProcessPage } from '../../processes/views/process-list.ts';
import { ProcessSummaries } from '../../processes/views/summaries.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { queryOf, type search } from './search.ts';

export class ProcessList {
  readonly #parts: ConsoleParts;
  readonly #summaries: ProcessSummaries;

  constructor(parts: ConsoleParts) {
    this.#parts = parts;
    this.#summaries = new ProcessSummaries(parts);
  }

  /** Queries each process for its state; one that does not answer in time keeps its last known state. */
  async page(searched: z.output<typeof search>, asksProcesses = true): Promise<ProcessPage> {
    const { client } = this.#parts;
    const { size, cursor: from } = searched;
    const found = askedTemporal(this.#parts, () => countedPage(client, queryOf(searched), { size, from }));
    return await readProcessPage(found, asksProcesses ? this.#summaries : null);
  }
}
