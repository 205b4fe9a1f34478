// Thousands of random commands over several tenants and pick up points, compared with a model after each. A run that
// fails tells its seed: TEST_SEED=… makes it again.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { setOverflow } from '../../service/administration/pick-up-points.ts';
import { tenantIdOf } from '../../service/administration/tenants.ts';
import { inTransaction } from '../../service/storage/transaction.ts';
import { callerAs } from '../support/caller.ts';
import { openShipments } from '../support/chains/chain-moves.ts';
import { type Tools, WalkedChain } from '../support/chains/walked-chain.ts';
import { addPickUpPoint } from '../support/new-pick-up-point.ts';
import { sandboxAs } from '../support/sandbox.ts';
import { createTestService, type TestService } from '../support/service.ts';
import { freshSeed } from '../support/suite.ts';
import { LockerWorld } from './locker-world.ts';
import { randomCommands } from './random-command.ts';

const RUNS = 2;
/** Worlds beside each other, each with pick up points of its own at the same two tenants. */
const WORLDS = 3;
const COMMANDS_OF_A_WORLD = 500;
/** What each command touched is compared every time, everything at once after so many. */
const WHOLE_EVERY = 50;
const TIMEOUT_MS = 3_600_000;

let service: TestService;
beforeAll(async () => {
  service = await createTestService({ tokenLifetimeSeconds: 86_400 });
});
afterAll(() => service[Symbol.asyncDispose]());

for (let run = 0; run < RUNS; run++) {
  const seed = freshSeed + run * WORLDS;
  const title = `${WORLDS * COMMANDS_OF_A_WORLD} random commands do at the service what the model says (TEST_SEED=${seed})`;
  test(title, { timeout: TIMEOUT_MS }, async () => {
    const worlds = Array.from({ length: WORLDS }, (_, number) => playWorld(seed + number));
    await Promise.all(worlds);
  });
}

async function playWorld(seed: number): Promise<void> {
  const world = await newWorld(`pup-${seed}`);
  for (const [index, command] of randomCommands(seed, COMMANDS_OF_A_WORLD).entries()) {
    try {
      await world.do(command);
      if (index % WHOLE_EVERY === 0) await world.compareWhole();
    } catch (cause) {
      const words = `world of seed ${seed}, command ${index} ${JSON.stringify(command)}`;
      throw new Error(`${words}: ${cause}`, { cause });
    }
  }
  await world.compareWhole();
}

test('circular stock is issued, brought back and issued again for eight rounds', async () => {
  const pupUid = 'pup-rounds';
  await addPickUpPoint(service.database, 'demo', pupUid, { M: 1 });
  const dimension = { width: 20, height: 20, length: 20 };
  const booking = { pupUid, dimension, allowLargerLockers: true, allowOverflowLockers: false };
  const walked = new WalkedChain(booking, await toolsOf('demo'));
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

async function toolsOf(tenantUid: string): Promise<Tools> {
  return {
    database: service.database,
    call: await callerAs(service.address, tenantUid),
    sandbox: await sandboxAs(service.address, tenantUid),
    dispatcherUserUid: `main-${tenantUid}`,
  };
}

/** Two tenants; the first has a pick up point that overflows into its second. */
async function newWorld(prefix: string): Promise<LockerWorld> {
  const { database } = service;
  const [first, overflow, other] = ['first', 'overflow', 'other'].map((name) => `${prefix}-${name}`);
  if (!first || !overflow || !other) throw new TypeError('expected three pick up points');
  const lockersOf = {
    first: await addPickUpPoint(database, 'demo', first, { S: 2, M: 2, long: 1, L: 1 }),
    overflow: await addPickUpPoint(database, 'demo', overflow, { M: 1, L: 1 }),
    other: await addPickUpPoint(database, 'other', other, { S: 2, L: 1 }),
  };
  await inTransaction(database, async (transaction) =>
    setOverflow(transaction, await tenantIdOf(transaction, 'demo'), first, [overflow]),
  );
  return new LockerWorld([
    {
      tools: await toolsOf('demo'),
      pickUpPoints: [
        { pupUid: first, overflow: [overflow], lockers: lockersOf.first },
        { pupUid: overflow, overflow: [], lockers: lockersOf.overflow },
      ],
    },
    {
      tools: await toolsOf('other'),
      pickUpPoints: [{ pupUid: other, overflow: [], lockers: lockersOf.other }],
    },
  ]);
}
