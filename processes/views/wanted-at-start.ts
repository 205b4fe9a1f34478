// What a process was to book, by what it was started with: where nothing is booked, nothing else says which item it was for, and where.

import type { Client } from '@temporalio/client';
import pLimit from 'p-limit';
import { startedWith } from '../../client/started-with.ts';
import { mapOf } from '../../flows/language/flow-file.ts';
import { KeptReads } from '../kept-reads.ts';
import { textOf } from './account-names.ts';
import { itemOfRequest } from './format-item.ts';
import type { FoundFlow } from './found-flows.ts';

const MAX_ENTRIES = 5_000;
const AT_ONCE = 12;

export interface Wanted {
  readonly pupUid: string | null;
  /** Null: nobody has said. */
  readonly item: string | null;
}

export class WantedAtStart {
  readonly #client: Client;
  readonly #kept = new KeptReads<Wanted>(MAX_ENTRIES);
  readonly #limit = pLimit(AT_ONCE);

  constructor({ client }: { readonly client: Client }) {
    this.#client = client;
  }

  /** By the run of each. */
  async of(flows: readonly Pick<FoundFlow, 'workflowId' | 'runId'>[]): Promise<ReadonlyMap<string, Wanted>> {
    const once = (flow: Pick<FoundFlow, 'workflowId' | 'runId'>) =>
      this.#kept.of(flow.runId, () => this.#limit(() => this.#read(flow)));
    const all = flows.map(async (flow) => [flow.runId, await once(flow)] as const);
    return new Map(await Promise.all(all));
  }

  async #read({ workflowId, runId }: Pick<FoundFlow, 'workflowId' | 'runId'>): Promise<Wanted> {
    const { input } = await startedWith(this.#client, workflowId, runId);
    const request = mapOf(mapOf(input).request);
    return { pupUid: textOf(request.pupUid), item: itemOfRequest(request) };
  }
}
