// What this worker has seen that flows know, so that the reconciler, whose looks overlap, asks a flow once for each change:
// a question is an action of Temporal, and often a replay. It may forget: then a flow is asked again. It must not remember
// what a flow has lost, as after a restore of Temporal's database: each look begins where the last one came to, so a look
// that begins earlier forgets all.
import { LRUCache } from 'lru-cache';

// Each takes some 200 bytes.
const MOST = 50_000;

export interface Change {
  readonly shipmentUid: string;
  readonly stateCode: string | null;
  readonly stateStart: string | null;
  readonly lastPickUpAt: string | null;
}

export class KnownChanges {
  #known = new LRUCache<string, string>({ max: MOST });
  #cameTo = 0;

  /** Epoch milliseconds; null is the first look of all. */
  beginAt(since: number | null): void {
    if (since === null || since < this.#cameTo) this.#known = new LRUCache({ max: MOST });
    this.#cameTo = since ?? 0;
  }

  /** Whether the flow knew this change at an earlier look. */
  has(workflowId: string, change: Change): boolean {
    return this.#known.get(keyOf(workflowId, change)) === stateOf(change);
  }

  /** Ends a look. What a look has seen counts only if the next one begins where this one came to. */
  add(all: Iterable<readonly [workflowId: string, change: Change]>, cameTo: number): void {
    this.#cameTo = cameTo;
    for (const [workflowId, change] of all) this.#known.set(keyOf(workflowId, change), stateOf(change));
  }
}

const keyOf = (workflowId: string, { shipmentUid }: Change) => `${workflowId} ${shipmentUid}`;
const stateOf = ({ stateCode, stateStart, lastPickUpAt }: Change) =>
  `${stateCode} ${stateStart} ${lastPickUpAt}`;
