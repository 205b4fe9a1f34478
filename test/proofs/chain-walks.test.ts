// Every call in every state that a chain can reach, walked at the running service over real HTTP: no difference between
// the charts and the service.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { callerAs } from '../support/caller.ts';
import type { Place } from '../support/chain-calls.ts';
import { reachablePairs, walks } from '../support/chain-paths.ts';
import { sandboxAs } from '../support/sandbox.ts';
import { createTestService, type TestService } from '../support/service.ts';
import { type Tools, WalkedChain } from '../support/walked-chain.ts';
import { addPickUpPoint } from '../support/walls.ts';
import { inForm } from './form.ts';

/** Walks at a time, each at a pick up point of its own. */
const WALKERS = 6;
/** Open shipments of a chain at a time. Of three there are ten times as many walks. */
const LONGEST = inForm({ short: 2, long: 3 });

let service: TestService;
let tools: Tools;

beforeAll(async () => {
  service = await createTestService({ tokenLifetimeSeconds: 86_400 });
  tools = {
    database: service.database,
    call: await callerAs(service.address),
    sandbox: await sandboxAs(service.address),
  };
});
afterAll(() => service[Symbol.asyncDispose]());

test(
  'every call in every state of a chain does at the service what the charts say',
  async () => {
    const left = walks(reachablePairs(LONGEST), 60);
    const walkAll = async (place: Place) => {
      let openings = 0;
      for (let walk = left.pop(); walk; walk = left.pop()) {
        const walked = new WalkedChain(place, tools, openings);
        for (const move of walk) await walked.make(move);
        await walked.end();
        openings = walked.openings;
      }
    };
    const places = await Promise.all(Array.from({ length: WALKERS }, (_, number) => placeOf(number)));
    await Promise.all(places.map(walkAll));
    expect(left).toEqual([]);
  },
  inForm({ short: 120_000, long: 3_600_000 }),
);

async function placeOf(number: number): Promise<Place> {
  const pupUid = `pup-walk-${number}`;
  await addPickUpPoint(service.database, 'demo', pupUid, { S: 1 });
  return { pupUid, lockerUid: `${pupUid}-1`, lockerName: '1' };
}
