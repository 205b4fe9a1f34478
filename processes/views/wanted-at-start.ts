// What a process was to book, by what it was started with: where nothing is booked, nothing else says which item it was for, and where.
import type { Client } from '@temporalio/client';
import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import { startedWith } from '../../client/started-with.ts';
import { mapOf, textOf } from './account-names.ts';
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
  readonly #kept = new LRUCache<string, Promise<Wanted>>({ max: MAX_ENTRIES });
  readonly #limit = pLimit(AT_ONCE);

  constructor({ client }: { readonly client: Client }) {
    this.#client = client;
  }

  /** By the run of each. */
  async of(flows: readonly Pick<FoundFlow, 'workflowId' | 'runId'>[]): Promise<ReadonlyMap<string, Wanted>> {
    const all = flows.map(async (flow) => [flow.runId, await this.#once(flow)] as const);
    return new Map(await Promise.all(all));
  }

  /** A failure is not kept. */
  #once(flow: Pick<FoundFlow, 'workflowId' | 'runId'>): Promise<Wanted> {
    const { runId } = flow;
    const before = this.#kept.get(runId);
    if (before) return before;
    const reading = this.#limit(() => this.#read(flow));
    this.#kept.set(runId, reading);
    reading.catch(() => this.#kept.delete(runId));
    return reading;
  }

  async #read({ workflowId, runId }: Pick<FoundFlow, 'workflowId' | 'runId'>): Promise<Wanted> {
    const { input } = await startedWith(this.#client, workflowId, runId);
    const request = mapOf(mapOf(input).request);
    return { pupUid: textOf(request.pupUid), item: itemOfRequest(request) };
  }
}
