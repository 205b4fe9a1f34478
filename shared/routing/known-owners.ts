// The known owners of shipments, without a query: from the answer to an earlier query, and from owners that were found
// since (routing/new-bookings.ts, routing/shared-shipments.ts). Queries for new shipments run before their callbacks.

import { LRUCache } from 'lru-cache';
import type { CaseFlow } from './case-flow.ts';
import type { OwnerLookup } from './owner-lookup.ts';
import type { Holder } from './owners.ts';

// Some 0.4 kB each. The oldest entry is dropped first: the next callback of that shipment needs a query.
const MAX_KNOWN = 50_000;
// A callback's query goes together with the early ones, not behind thousands of them.
const AHEAD_AT_ONCE = 100;
// Milliseconds. If every callback has a case number, no early query runs.
const AHEAD_FOR_MS = 600_000;

/** A signal to this run never reaches a later workflow with the same id. */
interface OwnerRun {
  readonly workflowId: string;
  readonly runId: string;
}

interface Entry {
  /** By workflow id. */
  readonly runs: Map<string, string>;
  /** False during its first query: an owner that is found meanwhile may not be in the answer. */
  isWhole: boolean;
}

export class KnownOwners {
  readonly #lookup: OwnerLookup;
  #known = new LRUCache<string, Entry>({ max: MAX_KNOWN });
  readonly #ahead = new Set<string>();
  #askedAt = Number.NEGATIVE_INFINITY;
  #isAskingAhead = false;

  constructor(lookup: OwnerLookup) {
    this.#lookup = lookup;
  }

  /** All running ones at the last query; null if unknown. */
  of(shipmentUid: string): readonly OwnerRun[] | null {
    const entry = this.#known.get(shipmentUid);
    return entry?.isWhole ? [...entry.runs].map(([workflowId, runId]) => ({ workflowId, runId })) : null;
  }

  forget(shipmentUid: string): void {
    this.#known.delete(shipmentUid);
  }

  forgetAll(): void {
    this.#known = new LRUCache({ max: MAX_KNOWN });
  }

  /** For a callback. Throws if Temporal does not answer. */
  ask(shipmentUid: string): Promise<readonly Holder[]> {
    this.#askedAt = performance.now();
    return this.#ask(shipmentUid);
  }

  async #ask(shipmentUid: string): Promise<readonly Holder[]> {
    const entry: Entry = { runs: new Map(), isWhole: false };
    this.#known.set(shipmentUid, entry);
    try {
      const holders = await this.#lookup(shipmentUid);
      for (const { workflowId, runId, isRunning } of holders)
        if (isRunning) entry.runs.set(workflowId, runId);
      entry.isWhole = true;
      return holders;
    } finally {
      // "No owner" is not remembered: one may be found soon.
      const isTheSame = this.#known.get(shipmentUid) === entry;
      if (isTheSame && (!entry.isWhole || entry.runs.size === 0)) this.#known.delete(shipmentUid);
    }
  }

  /** A query has found it: a new owner of a known shipment, or shipments with callbacks still to come. */
  see({ workflowId, runId, shipmentUids }: CaseFlow): void {
    const asksAhead = performance.now() - this.#askedAt < AHEAD_FOR_MS && this.#ahead.size < MAX_KNOWN;
    for (const shipmentUid of shipmentUids) {
      const entry = this.#known.get(shipmentUid);
      if (entry) entry.runs.set(workflowId, runId);
      else if (asksAhead) this.#ahead.add(shipmentUid);
    }
    if (!this.#isAskingAhead && this.#ahead.size > 0) void this.#askAhead();
  }

  /** Never throws: if a query fails, the callback queries again. */
  async #askAhead(): Promise<void> {
    this.#isAskingAhead = true;
    while (this.#ahead.size > 0) {
      const some = [...this.#ahead].slice(0, AHEAD_AT_ONCE);
      await Promise.allSettled(
        some.map((shipmentUid) => this.#known.get(shipmentUid) ?? this.#ask(shipmentUid)),
      );
      for (const shipmentUid of some) this.#ahead.delete(shipmentUid);
    }
    this.#isAskingAhead = false;
  }
}
