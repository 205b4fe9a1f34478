// The shipments that more than one flow may own: known a moment after a flow that goes on with one can be seen, whatever it
// was started by, and however many there are.
import type { Client } from '@temporalio/client';
import { expect, test, vi } from 'vitest';
import { flowTypes } from '../../../contract/flows/flow-types.ts';
import { declarations } from '../../../flows/built-in/flows.ts';
import { Pace } from '../../../shared/routing/pace.ts';
import { sharedShipments, typesWithPrior } from '../../../shared/routing/shared-shipments.ts';

interface Flow {
  readonly startTime: Date;
  searchAttributes: { LockerShipmentUids?: readonly string[] };
}

/** Visibility as it answers: those that began since the moment in the query, where one is in it. */
function temporalWith(flows: Flow[]) {
  const temporal = {
    queries: [] as string[],
    isAway: false,
    client: { workflow: { list } } as unknown as Client,
  };
  async function* list({ query }: { query: string }) {
    temporal.queries.push(query);
    await Promise.resolve();
    if (temporal.isAway) throw new Error('away');
    const from = Date.parse(/StartTime >= '(.*)'/.exec(query)?.[1] ?? '1970-01-01');
    yield* flows.filter(({ startTime }) => startTime.getTime() >= from);
  }
  return temporal;
}

const began = (secondsAgo: number, ...uids: string[]): Flow => ({
  startTime: new Date(Date.now() - secondsAgo * 1_000),
  searchAttributes: uids.length > 0 ? { LockerShipmentUids: uids } : {},
});
const soon = { timeout: 60_000 };

test('a flow goes on with a prior shipment where its declaration says so', () => {
  const declared = declarations.filter(({ legs }) => Object.values(legs).some(({ isPrior }) => isPrior));
  expect(typesWithPrior).toEqual(new Set(declared.map(({ name }) => name)));
  expect(flowTypes).toEqual(expect.arrayContaining([...typesWithPrior]));
});

test('a flow that begins later is found by a question for the newest alone, one for all that wait', async () => {
  const flows = [began(9_000, 'old'), began(100, 'newer')];
  const temporal = temporalWith(flows);
  const isShared = sharedShipments(temporal.client, new Pace(1_000));
  const uids = ['old', 'newer', 'nobody-s', 'OLD'];
  expect(await Promise.all(uids.map((uid) => isShared(uid)))).toEqual([true, true, false, false]);
  expect(temporal.queries).toHaveLength(1);
  flows.push(began(0, 'newest'));
  await vi.waitUntil(() => isShared('newest'), soon);
  expect(await isShared('old')).toBe(true);
  expect(temporal.queries.at(-1)).toContain('StartTime');
});

test('a flow that publishes its shipments long after its start is found', async () => {
  const untold = began(9_000);
  const temporal = temporalWith([untold, began(1, 'newer')]);
  const isShared = sharedShipments(temporal.client, new Pace(1_000));
  expect(await isShared('prior')).toBe(false);
  untold.searchAttributes = { LockerShipmentUids: ['prior', 'its own'] };
  await vi.waitUntil(() => isShared('prior'), soon);
  // Those that began before it are not asked for again.
  const since = `StartTime >= '${untold.startTime.toISOString()}'`;
  expect(temporal.queries).toEqual([
    expect.not.stringContaining('StartTime'),
    expect.stringContaining(since),
  ]);
  // Once it is told, it is no reason to ask for it again.
  await vi.waitUntil(async () => (await isShared('prior')) && temporal.queries.length === 3, soon);
  expect(temporal.queries[2]).not.toContain(since);
});

test('while Temporal is not available, no shipment counts as not shared', async () => {
  const temporal = temporalWith([began(1, 'shared')]);
  const isShared = sharedShipments(temporal.client, new Pace(1_000));
  temporal.isAway = true;
  await expect(isShared('shared')).rejects.toThrow('away');
  temporal.isAway = false;
  expect(await isShared('shared')).toBe(true);
  temporal.isAway = true;
  // What was true a moment ago does for a moment.
  await vi.waitUntil(
    () =>
      isShared('other').then(
        () => false,
        () => true,
      ),
    soon,
  );
});
