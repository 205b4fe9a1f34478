// An activity whose state was left, or entered anew, may still answer: that answer is not the one that is waited for.
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { newTaskQueue, startWorker, temporalClient } from '../../support/temporal.ts';

const workflows = fileURLToPath(new URL('../fixtures/search.ts', import.meta.url));

test('the answer of an activity that was begun anew meanwhile is not taken for the answer of the new one', async () => {
  const searches = new Map<string, PromiseWithResolvers<string>>();
  const search = async (sought: string) => {
    const answer = Promise.withResolvers<string>();
    searches.set(sought, answer);
    return await answer.promise;
  };
  const taskQueue = newTaskQueue();
  await startWorker({ workflows, taskQueue, activities: { search } });
  const client = await temporalClient();
  const workflowId = `search-${randomUUID()}`;
  const handle = await client.workflow.start('Search', { taskQueue, workflowId });
  await expect.poll(() => searches.has('first'), { timeout: 60_000 }).toBe(true);
  await handle.signal('seek', 'second');
  await expect.poll(() => searches.has('second'), { timeout: 60_000 }).toBe(true);
  searches.get('first')?.resolve('found by the first');
  const isAlone = async () => ((await handle.describe()).raw.pendingActivities ?? []).length === 1;
  await expect.poll(isAlone, { timeout: 60_000 }).toBe(true);
  searches.get('second')?.resolve('found by the second');
  expect(await handle.result()).toBe('found by the second');
});
