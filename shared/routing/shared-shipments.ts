// The shipments that may have more than one running owner: prior shipments that one flow has booked and another
// continues with (issued stock, an intake with stock swapped after it). Only these need a query for other owners. Ended
// ones may still be in here; they cost a needless query, and nothing else.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Client } from '@temporalio/client';
import { flowRules } from '../../contract/flows/flow-rules.ts';
import { requestFields } from '../../contract/operations/operations.ts';
import { listed, type Pace, uidsOf } from './owners.ts';

const priorField = 'priorShipmentUid';

/** The workflow types of the flows that continue with a prior shipment. */
export const typesWithPrior: ReadonlySet<string> = new Set(
  Object.entries(flowRules)
    .filter(([, { operation }]) => requestFields(operation).includes(priorField))
    .map(([type]) => type),
);

// Milliseconds. Visibility itself lags by 0.2 to 2 s behind the start of a flow.
const FRESH_MS = 500;
// Milliseconds. The next query starts this early, so that callbacks need not wait for it: waiting took a fifth of the
// time.
const AHEAD_MS = 200;
// A full query: ended ones leave, and missed ones come in.
const ALL_EVERY_MS = 60_000;
// One that began this much before the newest that is known may be seen only after it: of flows started at the same time the
// last was found within 2 s, after 10 s at worst (measured). All that began within it are in every answer, so no longer.
const SEEN_WITHIN_MS = 10_000;

const types = [...typesWithPrior].map((type) => `'${type}'`).join(', ');
const running = `WorkflowType IN (${types}) AND ExecutionStatus = 'Running'`;

// A client's calls end with their activity. This query serves many, so it must not end with the first.
const inNobodysContext = AsyncLocalStorage.snapshot();

export class SharedShipments {
  readonly #client: Client;
  readonly #pace: Pace;
  #uids = new Set<string>();
  /** When the last finished query had begun, and the last full one. */
  #lookedAt = Number.NEGATIVE_INFINITY;
  #lookedAtAllAt = Number.NEGATIVE_INFINITY;
  #look: Promise<void> | null = null;
  /** Epoch milliseconds by Temporal's clock; ours may differ. */
  #newestStart = 0;
  /** A flow that was started without the search attribute has it only after its booking, which may take long. */
  #oldestUnknownStart = Number.POSITIVE_INFINITY;

  constructor(client: Client, pace: Pace) {
    this.#client = client;
    this.#pace = pace;
  }

  /** A fraction of a second old. Throws if Temporal does not answer. */
  async has(shipmentUid: string): Promise<boolean> {
    const now = performance.now();
    const enough = now - FRESH_MS;
    // A callback that waits for this query reports the failure.
    if (this.#lookedAt < now - AHEAD_MS) this.#newLook().catch(() => undefined);
    while (this.#lookedAt < enough) await this.#newLook();
    return this.#uids.has(shipmentUid);
  }

  /** One query for all that wait for it. */
  #newLook(): Promise<void> {
    this.#look ??= inNobodysContext(() => this.#lookNow()).finally(() => {
      this.#look = null;
    });
    return this.#look;
  }

  async #lookNow(): Promise<void> {
    await this.#pace.turn();
    const at = performance.now();
    const isAll = this.#newestStart === 0 || at - this.#lookedAtAllAt > ALL_EVERY_MS;
    const from = Math.min(this.#newestStart - SEEN_WITHIN_MS, this.#oldestUnknownStart);
    const query = isAll ? running : `${running} AND StartTime >= '${new Date(from).toISOString()}'`;
    const uids = isAll ? new Set<string>() : this.#uids;
    let newestStart = this.#newestStart;
    let oldestUnknownStart = Number.POSITIVE_INFINITY;
    for await (const flow of listed(this.#client, query, this.#pace)) {
      const startedAt = flow.startTime.getTime();
      const flowsUids = uidsOf(flow);
      for (const uid of flowsUids) uids.add(uid);
      if (flowsUids.length === 0) oldestUnknownStart = Math.min(oldestUnknownStart, startedAt);
      newestStart = Math.max(newestStart, startedAt);
    }
    if (isAll) this.#lookedAtAllAt = at;
    this.#uids = uids;
    this.#newestStart = newestStart;
    this.#oldestUnknownStart = oldestUnknownStart;
    this.#lookedAt = at;
  }
}
