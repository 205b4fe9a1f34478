// Who owns a shipment, known without asking for it: from the answer to an earlier question, and from the owners that were
// seen since (routing/new-bookings.ts, routing/shared-shipments.ts). The questions for new shipments are asked ahead of their callbacks.
import { BoundedMap } from '../limits/bounded-map.ts';
import type { CaseFlow } from './case-flow.ts';
import type { OwnerLookup } from './owner-lookup.ts';
import type { Holder } from './owners.ts';

// Some 0.4 kB each. The one that is known longest is given up first: its next callback is a question.
const MOST_KNOWN = 50_000;
// A callback's own question goes along with those that are asked ahead, and not behind thousands.
const AHEAD_AT_ONCE = 100;
// Milliseconds. Where every callback has a case number, nothing is asked ahead.
const AHEAD_FOR_MS = 600_000;

/** A signal to this run never reaches another workflow that has the same id after it. */
export interface OwnerRun {
  readonly workflowId: string;
  readonly runId: string;
}

interface Entry {
  /** By workflow id. */
  readonly runs: Map<string, string>;
  /** False while its first question is under way: an owner that is seen meanwhile may not be in the answer. */
  isWhole: boolean;
}

export class KnownOwners {
  readonly #lookup: OwnerLookup;
  #known = new BoundedMap<string, Entry>(MOST_KNOWN);
  readonly #ahead = new Set<string>();
  #askedAt = Number.NEGATIVE_INFINITY;
  #isAskingAhead = false;

  constructor(lookup: OwnerLookup) {
    this.#lookup = lookup;
  }

  /** All running ones, as of the last look; null where they are not known. */
  of(shipmentUid: string): readonly OwnerRun[] | null {
    const entry = this.#known.get(shipmentUid);
    return entry?.isWhole ? [...entry.runs].map(([workflowId, runId]) => ({ workflowId, runId })) : null;
  }

  forget(shipmentUid: string): void {
    this.#known.delete(shipmentUid);
  }

  forgetAll(): void {
    this.#known = new BoundedMap(MOST_KNOWN);
  }

  /** For a callback. Throws where Temporal cannot be asked. */
  ask(shipmentUid: string): Promise<readonly Holder[]> {
    this.#askedAt = performance.now();
    return this.#ask(shipmentUid);
  }

  async #ask(shipmentUid: string): Promise<readonly Holder[]> {
    const entry: Entry = { runs: new Map(), isWhole: false };
    this.#known.set(shipmentUid, entry);
    try {
      const holders = await this.#lookup.holdersOf(shipmentUid);
      for (const { workflowId, runId, isRunning } of holders)
        if (isRunning) entry.runs.set(workflowId, runId);
      entry.isWhole = true;
      return holders;
    } finally {
      // An owner may be about to be seen: that there is none is not remembered.
      const isTheSame = this.#known.get(shipmentUid) === entry;
      if (isTheSame && (!entry.isWhole || entry.runs.size === 0)) this.#known.delete(shipmentUid);
    }
  }

  /** A look has shown it: a new owner of what is known, or shipments whose callbacks are still to come. */
  see({ workflowId, runId, shipmentUids }: CaseFlow): void {
    const asksAhead = performance.now() - this.#askedAt < AHEAD_FOR_MS && this.#ahead.size < MOST_KNOWN;
    for (const shipmentUid of shipmentUids) {
      const entry = this.#known.get(shipmentUid);
      if (entry) entry.runs.set(workflowId, runId);
      else if (asksAhead) this.#ahead.add(shipmentUid);
    }
    if (!this.#isAskingAhead && this.#ahead.size > 0) void this.#askAhead();
  }

  /** Never throws: what could not be asked for is asked with its callback. */
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
