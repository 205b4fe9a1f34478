// By which operation the processes of a flow book, where each is one booking and nothing more: the built-in flows, and the copies that
// users make of them. So a copy is listed as the flow that it was copied from. Each flow is read once for a while, not once a row.
import type { Client } from '@temporalio/client';
import pLimit from 'p-limit';
import { publishedFlow } from '../../client/flow-files/published-flows.ts';
import { isBuiltIn } from '../../contract/flows/flow-types.ts';
import { declarations } from '../../flows/built-in/flows.ts';
import { invokesIn } from '../../flows/language/flow-file.ts';
import { operationOfWhole } from '../../flows/language/whole-process.ts';
import { KeptReads } from '../kept-reads.ts';

const MAX_ENTRIES = 1_000;
const READS_AT_ONCE = 12;
/** A file that is published anew may book otherwise. */
const KEPT_MS = 60_000;

type Operation = string | undefined;

export class WholeOperations {
  readonly #client: Client;
  readonly #kept = new KeptReads<Operation>(MAX_ENTRIES);
  readonly #reads = pLimit(READS_AT_ONCE);

  constructor({ client }: { readonly client: Client }) {
    this.#client = client;
  }

  /** The one of the flow as it is now; undefined: its processes are more than one booking, or book nothing. */
  async of(flow: string): Promise<Operation> {
    if (isBuiltIn(flow)) return declarations.find(({ name }) => name === flow)?.operation;
    return await this.#kept.of(flow, () => this.#read(flow), KEPT_MS);
  }

  async #read(flow: string): Promise<Operation> {
    const published = await this.#reads(() => publishedFlow(this.#client, flow));
    // One that also asks, calls or starts something is more than its booking.
    const isBookingAlone = published !== undefined && invokesIn(published.file).length === 1;
    return isBookingAlone ? operationOfWhole(published.file) : undefined;
  }
}
