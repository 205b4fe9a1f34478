// What the driver has beyond a machine by itself: a parent that listens, a person who decides, a function that waits.
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { WorkflowHandle } from '@temporalio/client';
import { expect, test } from 'vitest';
import { eventsOf } from '../support/history.ts';
import { newTaskQueue, startWorker, temporalClient } from '../support/temporal.ts';

const workflows = fileURLToPath(new URL('fixtures/all-machines.ts', import.meta.url));

async function started(type: string): Promise<WorkflowHandle> {
  const taskQueue = newTaskQueue();
  const client = await temporalClient();
  await startWorker({ workflows, taskQueue });
  return await client.workflow.start(type, { taskQueue, workflowId: `${type}-${randomUUID()}` });
}

test('a parent gets the events of its child that it listens for, in order', async () => {
  const handle = await started('Listening');
  for (const by of [1, 10, 100]) await handle.signal('add', { by });
  await handle.signal('enough');
  expect(await handle.result()).toEqual([1, 11, 111]);
});

test('events that a parent does not listen for are not sent', async () => {
  const handle = await started('Deaf');
  await handle.signal('add', { by: 1 });
  await handle.signal('enough');
  expect(await handle.result()).toEqual([]);
  const signals = (await eventsOf(handle)).filter((type) => type === 'WORKFLOW_EXECUTION_SIGNALED');
  expect(signals).toHaveLength(2);
});

test('a message that comes twice under one key counts once', async () => {
  const handle = await started('Counter');
  for (const id of ['a', 'a', 'b']) await handle.signal('add', { by: 1, id });
  for (const _ of [1, 2]) await handle.signal('add', { by: 10 });
  await handle.signal('enough');
  expect(await handle.result()).toBe(22);
});

test('a procedure is an actor: it gets events, its result is the output, and it can be cancelled', async () => {
  const rung = await started('Waiter');
  // An update is answered when its event is taken.
  for (const _ of [1, 2]) await rung.executeUpdate('send', { args: [{ type: 'nudge' }] });
  await rung.signal('bell');
  expect(await rung.result()).toBe('rung after 2 nudges');
  const stopped = await started('Waiter');
  await stopped.signal('stop');
  expect(await stopped.result()).toBe('called off');
});
