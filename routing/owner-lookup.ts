// Finds the running owners of shipments for many callbacks at once: all that is asked for while one question is under way
// is the next question. A question costs Temporal as much as a signal does, so one for each callback would halve them.
// Nothing is remembered: an owner that has begun since must hear of its shipment.
import type { Client } from '@temporalio/client';
import { ownersOfAll } from './owners.ts';

interface Asked {
  readonly shipmentUid: string;
  readonly resolve: (workflowIds: readonly string[]) => void;
  readonly reject: (error: unknown) => void;
}

export class OwnerLookup {
  readonly #client: Client;
  #waiting: Asked[] = [];
  #isAsking = false;

  constructor(client: Client) {
    this.#client = client;
  }

  /** Throws where Temporal cannot be asked. */
  runningOwnersOf(shipmentUid: string): Promise<readonly string[]> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ shipmentUid, resolve, reject });
      if (!this.#isAsking) void this.#ask();
    });
  }

  /** Never throws. */
  async #ask(): Promise<void> {
    this.#isAsking = true;
    while (this.#waiting.length > 0) {
      const asked = this.#waiting.splice(0);
      await this.#answer(asked);
    }
    this.#isAsking = false;
  }

  async #answer(asked: readonly Asked[]): Promise<void> {
    try {
      const uids = new Set(asked.map(({ shipmentUid }) => shipmentUid));
      const owners = await ownersOfAll(this.#client, [...uids], 'running');
      for (const { shipmentUid, resolve } of asked) resolve(owners.get(shipmentUid) ?? []);
    } catch (error) {
      const [only, ...others] = asked;
      if (!only || others.length === 0) return void only?.reject(error);
      // One uid that Temporal cannot be asked for must not be the failure of all.
      for (const each of asked) await this.#answer([each]);
    }
  }
}
