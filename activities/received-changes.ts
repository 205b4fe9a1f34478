// Caches which changes flows are known to have received, so that the reconciler, whose runs overlap, queries a flow once for
// each change: a query is a billed action of Temporal, and often a replay. It must not remember what a flow has lost, as
// after a restore of Temporal's database: the cache is cleared when a run starts earlier than the last one ended.
import { LRUCache } from 'lru-cache';

// Each entry takes about 200 bytes.
const MAX_ENTRIES = 50_000;

export interface Change {
  readonly shipmentUid: string;
  readonly stateCode: string | null;
  readonly stateStart: string | null;
  readonly lastPickUpAt: string | null;
}

export class KnownChanges {
  #known = new LRUCache<string, string>({ max: MAX_ENTRIES });
  #endedAt = 0;

  /** Begins a run. @param since epoch milliseconds; null: the first run */
  startRun(since: number | null): void {
    if (since === null || since < this.#endedAt) this.#known = new LRUCache({ max: MAX_ENTRIES });
    this.#endedAt = since ?? 0;
  }

  /** Whether the flow knew this change in an earlier run. */
  has(workflowId: string, change: Change): boolean {
    return this.#known.get(keyOf(workflowId, change)) === stateOf(change);
  }

  /** Ends a run at this time. Its changes count only if the next run starts there. */
  endRun(all: Iterable<readonly [workflowId: string, change: Change]>, endedAt: number): void {
    this.#endedAt = endedAt;
    for (const [workflowId, change] of all) this.#known.set(keyOf(workflowId, change), stateOf(change));
  }
}

const keyOf = (workflowId: string, { shipmentUid }: Change) => `${workflowId} ${shipmentUid}`;
const stateOf = ({ stateCode, stateStart, lastPickUpAt }: Change) =>
  `${stateCode} ${stateStart} ${lastPickUpAt}`;
