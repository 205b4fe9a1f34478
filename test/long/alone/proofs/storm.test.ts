// @module-tag invariant
// Many callers at once on the same chains: whatever the order, no answer is a failure of the service, nothing deadlocks,
// and what is stored is sound at every moment.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { startLoad, type Tally } from '../../../proofs/load.ts';
import { callerAs } from '../../../support/caller.ts';
import { wrongInDatabase } from '../../../support/chains/stored-invariants.ts';
import { storedShipments } from '../../../support/chains/stored-shipments.ts';
import { addPickUpPoint } from '../../../support/new-pick-up-point.ts';
import { createTestService, type TestService } from '../../../support/service.ts';

const WORKERS = 24;
const CALLS = 10_000;

let service: TestService;
beforeAll(async () => {
  service = await createTestService({ tokenLifetimeSeconds: 86_400 });
});
afterAll(() => service[Symbol.asyncDispose]());

test(`${WORKERS} callers at once leave all chains, lockers, codes and events sound`, async () => {
  const { database, address } = service;
  await addPickUpPoint(database, 'demo', 'pup-storm', { S: 4, M: 3, L: 1 });
  await addPickUpPoint(database, 'demo', 'pup-gale', { S: 2, L: 1 });
  const call = await callerAs(address);
  const isOver = ({ answers }: Tally) => answers >= CALLS;
  const pupUids = ['pup-storm', 'pup-gale'];
  const { tally, done } = startLoad({ database, call, pupUids, workers: WORKERS, isOver });
  const looks = watch(done);
  await done;
  expect(await looks).toEqual([]);
  expect(await wrongInDatabase(database)).toEqual([]);
  expect(tally.wrong).toEqual([]);
  expect(tally.repeated, 'calls answered with 5xx').toBe(0);
  const stored = await storedShipments(database, [...tally.booked]);
  expect(stored).toHaveLength(tally.booked.size);
});

/** Looks at all that is stored again and again while the load is on; gives all that was wrong. */
async function watch(load: Promise<unknown>): Promise<string[]> {
  const wrong: string[] = [];
  const state = { isOver: false };
  const over = load.finally(() => {
    state.isOver = true;
  });
  while (!state.isOver) wrong.push(...(await wrongInDatabase(service.database)));
  await over;
  return wrong;
}
