// A callback that was never delivered: the reconciler finds it in the listing and tells the flow, and nobody else.
import { expect, test } from 'vitest';
import { stories } from '../workflows/stories.ts';
import { does, reconcile, started } from './acting.ts';
import { ours, useStack } from './stack.ts';

const stack = useStack(ours);

test('a flow whose callbacks were lost comes to its end by the reconciler', async () => {
  const story = stories.find(({ flow }) => flow === 'IssueAndSwapIntake');
  if (!story) throw new TypeError('there is no story of IssueAndSwapIntake');
  const handle = await started(stack, story);
  const before = await reconcile(stack);
  expect(before.signalled).toBe(0);
  await stack.api.call('ConfigureCallback', { url: null, authType: 'HMAC' });
  for (const deed of story.deeds) await does(stack, handle, deed);
  expect((await handle.progress()).ledger).toEqual([]);
  const { signalled } = await reconcile(stack);
  expect(signalled).toBe(2);
  expect((await handle.result()).outcome).toBe('Done');
});
