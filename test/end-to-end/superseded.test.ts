// Stock that one flow waits on is issued by another: whoever waited is told, and both come to their end.
import { describe, expect, test } from 'vitest';
import { fromPrior, type Story, stories } from '../workflows/stories.ts';
import { does, opens, started, stored, untilFound } from './acting.ts';
import { bareVendor, isBooked, ours, startFlow, untilProgress, useStack } from './stack.ts';

function storyOf(flow: string): Story {
  const story = stories.find((each) => each.flow === flow);
  if (!story) throw new TypeError(`there is no story of ${flow}`);
  return story;
}

describe.each([ours, bareVendor])('with $name', (peer) => {
  const stack = useStack(peer);

  test('a flow whose stock another one issues is done without it', async () => {
    const waiting = await started(stack, storyOf('IntakeAndCircularStock'));
    const uid = (await stored(stack, waiting)).get('circularStock')?.shipmentUid ?? '';
    await untilFound(stack, waiting, uid);
    const request = fromPrior(storyOf('IssueFromStock'), uid);
    const handle = await startFlow(stack, 'IssueFromStock', { request });
    await untilProgress(handle, isBooked);
    await does(stack, waiting, ['intake', 'ItemDroppedOff']);
    expect((await waiting.result()).outcome).toBe('Done');
    await opens(stack, uid, 'PickUp');
    expect((await handle.result()).outcome).toBe('Done');
  });
});
