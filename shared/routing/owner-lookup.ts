// Finds the owners of shipments for many callbacks with few queries: uids that come during a query, or while it waits
// for its turn, go into the next one. A server allows only few queries a second, and refuses more for a second or two.
// It remembers no answers: an owner that has started since must get its callbacks.

import type { Client } from '@temporalio/client';
import { detached } from './detached.ts';
import { isSearchable, type Owner, ownersOf, UIDS_PER_QUERY } from './owners.ts';
import type { Pace } from './pace.ts';

interface PendingLookup {
  readonly shipmentUid: string;
  readonly resolve: (owners: readonly Owner[]) => void;
  readonly reject: (error: unknown) => void;
}

/** The owners of a shipment, running and ended ones. Throws if Temporal does not answer. */
export type OwnerLookup = (shipmentUid: string) => Promise<readonly Owner[]>;

export function ownerLookup(client: Client, pace: Pace): OwnerLookup {
  const waiting: PendingLookup[] = [];
  let isAsking = false;

  return async (shipmentUid) => {
    if (!isSearchable(shipmentUid)) return [];
    return new Promise((resolve, reject) => {
      waiting.push({ shipmentUid, resolve, reject });
      if (!isAsking) void detached(ask);
    });
  };

  /** Never throws. */
  async function ask(): Promise<void> {
    isAsking = true;
    while (waiting.length > 0) {
      await pace.turn();
      const lookups = waiting.splice(0, UIDS_PER_QUERY);
      const failure = await failureOf(client, lookups);
      if (failure) await answerEach(lookups, failure);
    }
    isAsking = false;
  }

  /** A uid that Temporal cannot search must not fail the others; a second failure is Temporal's. */
  async function answerEach(lookups: readonly PendingLookup[], { error }: Failure): Promise<void> {
    let failures = lookups.length === 1 ? 2 : 0;
    for (const each of lookups) {
      if (failures < 2) await pace.turn();
      const failure = failures < 2 ? await failureOf(client, [each]) : { error };
      if (!failure) continue;
      failures += 1;
      each.reject(failure.error);
    }
  }
}

/** Null when all have their answers. */
async function failureOf(client: Client, lookups: readonly PendingLookup[]): Promise<Failure | null> {
  try {
    const uids = lookups.map(({ shipmentUid }) => shipmentUid);
    const owners = await ownersOf(client, uids);
    for (const { shipmentUid, resolve } of lookups) resolve(owners.get(shipmentUid) ?? []);
    return null;
  } catch (error) {
    return { error };
  }
}

interface Failure {
  readonly error: unknown;
}
