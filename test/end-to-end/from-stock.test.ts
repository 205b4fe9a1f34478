// Flows that issue from stock, from each state that their prior may have; whoever waited on it is told.
import { describe, expect, test } from 'vitest';
import { booking, fromPrior, stories } from '../workflows/stories.ts';
import { bringsToPickUp, chainOf, does, opens, priorOf, started, stored, untilFound } from './acting.ts';
import { bareVendor, isBooked, ours, type Stack, startFlow, untilProgress, useStack } from './stack.ts';

const circular = stories.find(({ flow }) => flow === 'IntakeAndCircularStock');

/** Each state a prior may have, made as people make it, and who has to do what then until it is picked up. */
const priors: Readonly<Record<string, (stack: Stack) => Promise<string>>> = {
  'stock to be dropped off': (stack) => priorOf(stack, 'stock', false),
  'stock in its locker': (stack) => priorOf(stack, 'stock'),
  'circular stock in its locker': (stack) => circularStock(stack, true),
  'circular stock to come': (stack) => circularStock(stack, false),
};

async function circularStock(stack: Stack, isInLocker: boolean): Promise<string> {
  const request = { ...booking, fromUserUid: 'user-anna' };
  const { shipmentUids } = await stack.api.call('CreateLocalShipmentAsIntakeAndCircularStock', request);
  const [intake, stock] = await chainOf(stack, shipmentUids);
  if (isInLocker) await opens(stack, intake?.[0] ?? '', 'DropOff');
  expect(stock?.[1]).toBe('Registered');
  return stock?.[0] ?? '';
}

const fromStock = stories.filter(({ flow }) => flow.startsWith('IssueFromStock'));
const cases = fromStock.flatMap((story) =>
  Object.keys(priors).map((prior) => ({ flow: story.flow, story, prior })),
);

describe.each([ours, bareVendor])('with $name', (peer) => {
  const stack = useStack(peer);

  test.concurrent.each(cases)('$flow is done from $prior', async ({ story, prior }) => {
    const uid = (await priors[prior]?.(stack)) ?? '';
    const handle = await startFlow(stack, story.flow, { request: fromPrior(story, uid) });
    await untilProgress(handle, isBooked);
    await bringsToPickUp(stack, uid);
    for (const deed of story.deeds) await does(stack, handle, deed);
    expect(await handle.result()).toMatchObject({
      outcome: 'Done',
      shipments: { issue: { shipmentUid: uid } },
    });
  });

  test('a flow whose stock another one issues is done without it', async () => {
    if (!circular) throw new TypeError('no story has circular stock');
    const waiting = await started(stack, circular);
    const uid = (await stored(stack, waiting)).get('circularStock')?.shipmentUid ?? '';
    await untilFound(stack, waiting, uid);
    const [story] = fromStock;
    const handle = await startFlow(stack, story?.flow ?? '', { request: fromPrior(story as never, uid) });
    await untilProgress(handle, isBooked);
    await does(stack, waiting, ['intake', 'ItemDroppedOff']);
    expect((await waiting.result()).outcome).toBe('Done');
    await opens(stack, uid, 'PickUp');
    expect((await handle.result()).outcome).toBe('Done');
  });
});
