// What is void by the time that it is taken: an answer of an activity that was begun anew, an update that came too late.
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { Context } from '@temporalio/activity';
import { expect, test } from 'vitest';
import { newTaskQueue, startWorker, temporalClient } from '../support/temporal.ts';

const workflows = fileURLToPath(new URL('./fixtures/all-machines.ts', import.meta.url));

async function searching() {
  const searches = new Map<string, PromiseWithResolvers<string>>();
  const search = async (sought: string) => {
    const answer = Promise.withResolvers<string>();
    searches.set(sought, answer);
    // It ends with its worker, and is begun again by the next.
    return await Promise.race([answer.promise, Context.current().cancelled]);
  };
  const taskQueue = newTaskQueue();
  const work = () => startWorker({ workflows, taskQueue, activities: { search } });
  const worker = await work();
  const client = await temporalClient();
  const workflowId = `search-${randomUUID()}`;
  const handle = await client.workflow.start('Search', { taskQueue, workflowId });
  const isBegun = (sought: string) => expect.poll(() => searches.has(sought), { timeout: 60_000 }).toBe(true);
  await isBegun('first');
  return { handle, searches, isBegun, worker, work };
}

test('the answer of an activity that was started again meanwhile does not count for the new one', async () => {
  const { handle, searches, isBegun } = await searching();
  await handle.signal('seek', { sought: 'second' });
  await isBegun('second');
  searches.get('first')?.resolve('found by the first');
  const isAlone = async () => ((await handle.describe()).raw.pendingActivities ?? []).length === 1;
  await expect.poll(isAlone, { timeout: 60_000 }).toBe(true);
  searches.get('second')?.resolve('found by the second');
  expect(await handle.result()).toBe('found by the second');
});

test('if two updates come together and only one is possible, the other is refused at once', async () => {
  const { handle, worker, work } = await searching();
  await worker.stop();
  const callOff = () =>
    handle.executeUpdate('callOff').then(
      () => 'done',
      (error) => error.cause?.type ?? String(error),
    );
  const both = Promise.all([callOff(), callOff()]);
  await work();
  expect((await both).sort()).toEqual(['NotPossibleNow', 'done']);
  await handle.signal('seek', {});
  await handle.result();
});
