// Random commands on accounts by two tenants, compared with a model after each: who may see and change which account,
// and none that a shipment of its tenant needs goes away. A run that fails tells its seed: TEST_SEED=… makes it again.

import { afterAll, beforeAll, test } from 'vitest';
import { callerAs } from '../support/caller.ts';
import { addPickUpPoint } from '../support/new-pick-up-point.ts';
import { createTestService, type TestService } from '../support/service.ts';
import { freshSeed } from '../support/suite.ts';
import { AccountWorld } from './account-world.ts';
import { randomAccountCommands } from './random-account-command.ts';

/** Beside each other, each with accounts and pick up points of its own. */
const WORLDS = 3;
const COMMANDS_OF_A_WORLD = 1_000;
const TIMEOUT_MS = 3_600_000;

let service: TestService;
beforeAll(async () => {
  service = await createTestService({ tokenLifetimeSeconds: 86_400 });
});
afterAll(() => service[Symbol.asyncDispose]());

const title = `${WORLDS * COMMANDS_OF_A_WORLD} random account commands do at the service what the model says (TEST_SEED=${freshSeed})`;
test(title, { timeout: TIMEOUT_MS }, async () => {
  await Promise.all(Array.from({ length: WORLDS }, (_, number) => playWorld(freshSeed + number)));
});

async function playWorld(seed: number): Promise<void> {
  const name = `world-${seed}`;
  const world = new AccountWorld([
    await tenantAt('demo', `${name}-first`, `${name}-second`),
    await tenantAt('other', `${name}-other`),
  ]);
  for (const [index, command] of randomAccountCommands(name, seed, COMMANDS_OF_A_WORLD).entries()) {
    await world.do(command).catch((cause) => {
      const words = `world of seed ${seed}, command ${index} ${JSON.stringify(command)}`;
      throw new Error(`${words}: ${cause}`, { cause });
    });
  }
}

async function tenantAt(tenantUid: string, ...pupUids: readonly string[]) {
  for (const pupUid of pupUids) await addPickUpPoint(service.database, tenantUid, pupUid, { S: 10 });
  return { call: await callerAs(service.address, tenantUid), pupUids };
}
