// Many callbacks at once share one question to Temporal, and none of them is the worse for it.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Client } from '@temporalio/client';
import { expect, test } from 'vitest';
import { ownerLookup } from '../../../shared/routing/owner-lookup.ts';
import { Pace } from '../../../shared/routing/pace.ts';

/** Knows the flow of each shipment; cannot be asked for one that is called broken, and not at all when it is away. */
function temporalThatCounts() {
  const queries: string[] = [];
  const temporal = { queries, isAway: false, client: { workflow: { list } } as unknown as Client };
  async function* list({ query }: { query: string }) {
    queries.push(query);
    await Promise.resolve();
    if (temporal.isAway || query.includes('broken')) throw new Error('unterminated string');
    for (const [, uid] of query.matchAll(/'(shipment-\d+)'/g))
      yield {
        workflowId: `flow of ${uid}`,
        runId: `run of ${uid}`,
        status: { name: 'RUNNING' },
        searchAttributes: { LockerShipmentUids: [uid] },
      };
  }
  return temporal;
}

const uids = (count: number) => Array.from({ length: count }, (_, index) => `shipment-${index}`);
const newLookup = (client: Client) => ownerLookup(client, new Pace(1_000));
const flowOf = (uid: string) => [
  { workflowId: `flow of ${uid}`, runId: `run of ${uid}`, isRunning: true, closedAt: null },
];

test('questions during a query are one query, and each gets its own answer', async () => {
  const { client, queries } = temporalThatCounts();
  const lookup = newLookup(client);
  const first = lookup('shipment-0');
  await expect.poll(() => queries).toHaveLength(1);
  const later = uids(150).map((uid) => lookup(uid));
  expect(await first).toEqual(flowOf('shipment-0'));
  expect(await Promise.all(later)).toEqual(uids(150).map(flowOf));
  expect(queries).toHaveLength(2);
  expect(await lookup('nobody-s')).toEqual([]);
});

test('a question is no longer than a server takes: of very many, each is in one of several', async () => {
  const { client, queries } = temporalThatCounts();
  const lookup = newLookup(client);
  expect(await Promise.all(uids(450).map((uid) => lookup(uid)))).toEqual(uids(450).map(flowOf));
  expect(queries).toHaveLength(3);
});

test('a uid that Temporal cannot search fails its own callback only', async () => {
  const { client } = temporalThatCounts();
  const lookup = newLookup(client);
  const asked = ['shipment-1', 'broken', 'shipment-2'].map((uid) => lookup(uid));
  expect((await Promise.allSettled(asked)).map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'fulfilled',
  ]);
});

test('a Temporal that is away fails all that wait, with few questions, and is asked again by those that come later', async () => {
  const temporal = temporalThatCounts();
  const lookup = newLookup(temporal.client);
  temporal.isAway = true;
  const asked = await Promise.allSettled(uids(100).map((uid) => lookup(uid)));
  expect(new Set(asked.map(({ status }) => status))).toEqual(new Set(['rejected']));
  expect(temporal.queries).toHaveLength(3);
  temporal.isAway = false;
  expect(await lookup('shipment-7')).toEqual(flowOf('shipment-7'));
});

test('a query does not end with the activity that was the first to ask', async () => {
  // In which Temporal's client keeps what a call ends with.
  const context = new AsyncLocalStorage<string>();
  const seen: (string | undefined)[] = [];
  const list = () => {
    seen.push(context.getStore());
    return [];
  };
  const lookup = newLookup({ workflow: { list } } as unknown as Client);
  await context.run('of the first', () => lookup('shipment-1'));
  expect(seen).toEqual([undefined]);
});
