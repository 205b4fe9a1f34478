// Finds the owners of shipments for many callbacks with few queries: uids that come during a query, or while it waits
// for its turn, go into the next one. A server allows only few queries a second, and refuses more for a second or two.
// It remembers no answers: an owner that has started since must get its callbacks.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Client } from '@temporalio/client';
import { type Holder, holdersOf, isSearchable, UIDS_PER_QUERY } from './owners.ts';
import type { Pace } from './pace.ts';

interface PendingLookup {
  readonly shipmentUid: string;
  readonly resolve: (holders: readonly Holder[]) => void;
  readonly reject: (error: unknown) => void;
}

// A client's calls end with their activity. This query serves many, so it must not end with the first.
const inNobodysContext = AsyncLocalStorage.snapshot();

export class OwnerLookup {
  readonly #client: Client;
  readonly #pace: Pace;
  #waiting: PendingLookup[] = [];
  #isAsking = false;

  constructor(client: Client, pace: Pace) {
    this.#client = client;
    this.#pace = pace;
  }

  /** Running and ended ones. Throws if Temporal does not answer. */
  async holdersOf(shipmentUid: string): Promise<readonly Holder[]> {
    if (!isSearchable(shipmentUid)) return [];
    return new Promise((resolve, reject) => {
      this.#waiting.push({ shipmentUid, resolve, reject });
      if (!this.#isAsking) void inNobodysContext(() => this.#ask());
    });
  }

  /** Never throws. */
  async #ask(): Promise<void> {
    this.#isAsking = true;
    while (this.#waiting.length > 0) {
      await this.#pace.turn();
      const lookups = this.#waiting.splice(0, UIDS_PER_QUERY);
      const failure = await this.#failureOf(lookups);
      if (failure) await this.#answerEach(lookups, failure);
    }
    this.#isAsking = false;
  }

  /** A uid that Temporal cannot search must not fail the others; a second failure is Temporal's. */
  async #answerEach(lookups: readonly PendingLookup[], { error }: Failure): Promise<void> {
    let failures = lookups.length === 1 ? 2 : 0;
    for (const each of lookups) {
      if (failures < 2) await this.#pace.turn();
      const failure = failures < 2 ? await this.#failureOf([each]) : { error };
      if (!failure) continue;
      failures += 1;
      each.reject(failure.error);
    }
  }

  /** Null when all have their answers. */
  async #failureOf(lookups: readonly PendingLookup[]): Promise<Failure | null> {
    try {
      const uids = lookups.map(({ shipmentUid }) => shipmentUid);
      const holders = await holdersOf(this.#client, uids);
      for (const { shipmentUid, resolve } of lookups) resolve(holders.get(shipmentUid) ?? []);
      return null;
    } catch (error) {
      return { error };
    }
  }
}

interface Failure {
  readonly error: unknown;
}
