// Flows cancelled in each state with everything real: no locker stays booked, whether or not the roles are known.
import { describe, expect, test } from 'vitest';
import { stories } from '../workflows/stories.ts';
import { does, started, stored } from './acting.ts';
import { bareVendor, ours, useStack } from './stack.ts';

const isKept = ({ request }: (typeof stories)[number]) => request?.keepBookedAfterPickUp === true;
const moments = stories
  .filter((story) => !isKept(story))
  .flatMap((story) => story.deeds.map((_, deeds) => ({ flow: story.flow, story, deeds })));

describe.each([ours, bareVendor])('with $name', (peer) => {
  const stack = useStack(peer);

  test.concurrent.each(moments)(
    '$flow is undone when it is cancelled after $deeds deeds',
    async ({ story, deeds }) => {
      const handle = await started(stack, story);
      for (const deed of story.deeds.slice(0, deeds)) await does(stack, handle, deed);
      const before = await stored(stack, handle);
      await handle.cancel();
      await expect(handle.result()).rejects.toThrow();
      const after = await stored(stack, handle);
      for (const [role, { stateCode }] of after) {
        const isLeft = story.flow === 'StockAfterSwapIntake' && role === 'intake';
        const was = before.get(role)?.stateCode;
        expect([role, stateCode]).toEqual([role, was === 'Completed' || isLeft ? was : 'Cancelled']);
      }
      expect((await handle.progress()).activity).toBe('Ended');
    },
  );

  test('a kept-booked flow that is cancelled is done', async () => {
    const story = stories.find(isKept);
    if (!story) throw new TypeError('no story keeps its locker booked');
    const handle = await started(stack, story);
    await handle.cancel();
    expect(await handle.result()).toMatchObject({ outcome: 'Done', itemsLeft: [{ role: 'collect' }] });
  });
});
