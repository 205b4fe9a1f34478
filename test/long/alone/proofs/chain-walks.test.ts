// Every call in every state that a chain can reach, walked at the running service over real HTTP: no difference between
// the charts and the service.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { callerAs } from '../../../support/caller.ts';
import type { Booking } from '../../../support/chains/chain-calls.ts';
import { openShipments } from '../../../support/chains/chain-moves.ts';
import { reachablePairs, walks } from '../../../support/chains/chain-paths.ts';
import { type Tools, WalkedChain } from '../../../support/chains/walked-chain.ts';
import { addPickUpPoint } from '../../../support/new-pick-up-point.ts';
import { createTestService, type TestService } from '../../../support/service.ts';
import { freshSeed } from '../../../support/suite.ts';

/** Walks at a time, each at a pick up point of its own. */
const WALKERS = 6;
/** Open shipments of a chain at a time. */
const LONGEST = 3;
/** One of so many walks, from the seed's on. TEST_SEED repeats them. */
const ONE_OF = 12;

let service: TestService;
let tools: Tools;

beforeAll(async () => {
  service = await createTestService({ tokenLifetimeSeconds: 86_400 });
  tools = {
    database: service.database,
    call: await callerAs(service.address),
    dispatcherUserUid: 'main-demo',
  };
});
afterAll(() => service[Symbol.asyncDispose]());

test(`the service does what the charts say, for every call in every state of a chain (TEST_SEED=${freshSeed})`, async () => {
  const left = walks(reachablePairs(LONGEST), 60).filter((_, index) => (index + freshSeed) % ONE_OF === 0);
  const walkAll = async (booking: Booking) => {
    for (let walk = left.pop(); walk; walk = left.pop()) {
      const walked = new WalkedChain(booking, tools);
      for (const move of walk) await walked.make(move);
      if (openShipments(walked.chain).length > 0) await walked.make({ name: 'CancelShipment', on: 0 });
      await tools.call('SetLockerEmptied', { lockerUid: `${booking.pupUid}-1` });
    }
  };
  const bookings = await Promise.all(Array.from({ length: WALKERS }, (_, number) => bookingOf(number)));
  await Promise.all(bookings.map(walkAll));
  expect(left).toEqual([]);
});

test('circular stock is issued, brought back and issued again for eight rounds', async () => {
  const walked = new WalkedChain(await bookingOf('rounds'), tools);
  await walked.make({ name: 'CreateLocalShipmentAsIntakeAndCircularStock' });
  await walked.make({ name: 'SimulateLockerAccess with its DeliveryCode', on: 0 });
  for (let round = 1; round <= 8; round++) {
    await walked.make({
      name: 'CreateLocalShipmentAsIssueFromStockAndSubsequentIntakeAndCircularStock',
      on: 0,
    });
    await walked.make({ name: 'SimulateLockerAccess with its PickUpCode', on: 0 });
    await walked.make({ name: 'SimulateLockerAccess with its DeliveryCode', on: 0 });
  }
  expect(walked.chain).toHaveLength(2 + 8 * 2);
  expect(openShipments(walked.chain)).toHaveLength(1);
});

/** Into the only locker of a pick up point of its own. */
async function bookingOf(name: number | string): Promise<Booking> {
  const pupUid = `pup-walk-${name}`;
  await addPickUpPoint(service.database, 'demo', pupUid, { S: 1 });
  const dimension = { width: 20, height: 10, length: 30 };
  return { pupUid, dimension, allowLargerLockers: false, allowOverflowLockers: false };
}
