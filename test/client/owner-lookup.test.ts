// Many callbacks at once share one question to Temporal, and none of them is the worse for it.
import type { Client } from '@temporalio/client';
import { expect, test } from 'vitest';
import { OwnerLookup } from '../../routing/owner-lookup.ts';

/** Knows the flow of each shipment; cannot be asked for one that is called broken. */
function temporalThatCounts(): { client: Client; queries: string[] } {
  const queries: string[] = [];
  async function* list({ query }: { query: string }) {
    queries.push(query);
    await Promise.resolve();
    if (query.includes('broken')) throw new Error('unterminated string');
    for (const [, uid] of query.matchAll(/'(shipment-\d+)'/g))
      yield { workflowId: `flow of ${uid}`, searchAttributes: { LockerShipmentUids: [uid] } };
  }
  return { client: { workflow: { list } } as unknown as Client, queries };
}

test('what is asked while a question is under way is one question, and each has its own answer', async () => {
  const { client, queries } = temporalThatCounts();
  const lookup = new OwnerLookup(client);
  const uids = Array.from({ length: 20 }, (_, index) => `shipment-${index}`);
  const owners = await Promise.all(uids.map((uid) => lookup.runningOwnersOf(uid)));
  expect(owners).toEqual(uids.map((uid) => [`flow of ${uid}`]));
  expect(queries).toHaveLength(2);
  expect(await lookup.runningOwnersOf('nobody-s')).toEqual([]);
});

test('a uid that Temporal cannot be asked for is the failure of its own callback alone', async () => {
  const { client } = temporalThatCounts();
  const lookup = new OwnerLookup(client);
  const asked = ['shipment-1', 'broken', 'shipment-2'].map((uid) => lookup.runningOwnersOf(uid));
  expect((await Promise.allSettled(asked)).map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'fulfilled',
  ]);
});
