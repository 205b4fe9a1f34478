// Machines as workflows on a real Temporal: alone, and as parents and children of each other.
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { WorkflowHandle } from '@temporalio/client';
import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { ChartView, Position } from '../../engine/chart/chart-view.ts';
import { eventsOf } from '../support/history.ts';
import {
  newTaskQueue,
  type RunningWorker,
  runWorker,
  startWorker,
  temporalClient,
} from '../support/temporal.ts';
import type { Progress } from './fixtures/machine.ts';

const fixture = (file: string) => fileURLToPath(new URL(`fixtures/${file}`, import.meta.url));
const workflows = fixture('all-machines.ts');
const HOUR_MS = 3_600_000;

type Activities = Partial<Record<'charge' | 'undo', (input: never) => Promise<unknown>>>;

/** What the one worker of this file does; each test sets it. */
let doing: Activities = {};
const taskQueue = newTaskQueue();
let worker: RunningWorker;
beforeAll(async () => {
  const does = (name: keyof Activities) => async (input: never) => await doing[name]?.(input);
  const activities = { charge: does('charge'), undo: does('undo') };
  worker = await runWorker({ workflows, taskQueue, activities });
});
afterAll(() => worker.stop());

async function working(activities: Activities = {}) {
  doing = activities;
  const client = await temporalClient();
  const start = (type: string, ...args: unknown[]) =>
    client.workflow.start(type, { taskQueue, workflowId: `${type}-${randomUUID()}`, args });
  return { client, start };
}

const until = (handle: WorkflowHandle, state: string) =>
  vi.waitUntil(
    async () => {
      const standing = await handle.query<Progress>('progress').catch(() => undefined);
      return standing?.value === state && standing;
    },
    { timeout: 60_000, interval: 30 },
  );

test('a machine by itself is a workflow: input, signal, activity, result', async () => {
  const { start } = await working({ charge: async ({ by }: { by: string }) => `${by}'s card` });
  const handle = await start('Order', { item: 'lamp', payWithin: HOUR_MS });
  await handle.signal('PAY', { by: 'anna' });
  expect(await handle.result()).toEqual({ item: 'lamp', paidBy: "anna's card" });
});

test('it gives its chart and its position on it, for programs that draw', async () => {
  const { start } = await working({ charge: async () => 'card' });
  const handle = await start('Order', { item: 'lamp', payWithin: HOUR_MS });
  await until(handle, 'unpaid');
  const chart = await handle.query<ChartView>('chart');
  expect(chart.name).toBe('order');
  expect(chart.states.map(({ path }) => path)).toContain('unpaid');
  const { active, next } = await handle.query<Position>('position');
  expect(active).toEqual(['', 'unpaid']);
  expect(next.map(({ event }) => event)).toEqual(expect.arrayContaining(['PAY', 'after payWithin']));
  await handle.signal('PAY', { by: 'anna' });
  await handle.result();
  expect(await handle.query<Position>('position')).toMatchObject({ next: [] });
});

test('a delay of the machine is a timer', async () => {
  const { start } = await working();
  const handle = await start('Order', { item: 'lamp', payWithin: 200 });
  expect(await handle.result()).toEqual({ item: 'lamp', paidBy: null });
  expect(await eventsOf(handle)).toContain('TIMER_FIRED');
});

test('an activity that fails fails the workflow, where no state takes that', async () => {
  const charge = async () => {
    throw ApplicationFailure.nonRetryable('no money', 'CardDeclined');
  };
  const { start } = await working({ charge });
  const handle = await start('Order', { item: 'lamp', payWithin: HOUR_MS });
  await handle.signal('PAY', { by: 'anna' });
  await expect(handle.result()).rejects.toMatchObject({
    cause: { type: 'CardDeclined', message: 'no money' },
  });
});

async function cancelled(handle: WorkflowHandle): Promise<void> {
  await expect(handle.result()).rejects.toMatchObject({ cause: expect.any(CancelledFailure) });
}

test('a cancelled workflow ends at once if its machine does not take `cancelRequested`', async () => {
  const { start } = await working();
  const handle = await start('Order', { item: 'lamp', payWithin: HOUR_MS });
  await until(handle, 'unpaid');
  await handle.cancel();
  await cancelled(handle);
});

test('a cancelled workflow first handles `cancelRequested` if its machine takes it', async () => {
  const undo = vi.fn(async () => undefined);
  const { start } = await working({ undo });
  const handle = await start('Careful');
  await until(handle, 'on');
  await handle.cancel();
  await cancelled(handle);
  expect(undo).toHaveBeenCalledOnce();
});

test('signals that come before a worker does are taken in their order, whatever their names', async () => {
  const taskQueue = newTaskQueue();
  const client = await temporalClient();
  const start = (type: string) =>
    client.workflow.start(type, { taskQueue, workflowId: `${type}-${randomUUID()}` });
  const switched = await start('Switch');
  for (const name of ['unknown', 'on', 'off', 'on', 'off', 'end']) await switched.signal(name);
  await startWorker({ workflows, taskQueue, activities: {} });
  expect(await switched.result()).toEqual({ times: 2 });
});

test('a child workflow is an actor: it gets events, and its result is the output', async () => {
  const { start } = await working({ charge: async ({ by }: { by: string }) => by });
  const handle = await start('Shop');
  await handle.signal('PAY', { by: 'anna' });
  expect(await handle.result()).toEqual({ item: 'lamp', paidBy: 'anna' });
});

const begun = async (type: string) => (await working()).start(type);

test('a parent gets the events of its child that it listens for, in order', async () => {
  const handle = await begun('Listening');
  for (const by of [1, 10, 100]) await handle.signal('add', { by });
  await handle.signal('enough');
  expect(await handle.result()).toEqual([1, 11, 111]);
});

test('events that a parent does not listen for are not sent', async () => {
  const handle = await begun('Deaf');
  await handle.signal('add', { by: 1 });
  await handle.signal('enough');
  expect(await handle.result()).toEqual([]);
  const signals = (await eventsOf(handle)).filter((type) => type === 'WORKFLOW_EXECUTION_SIGNALED');
  expect(signals).toHaveLength(2);
});

test('a message that comes twice under one key counts once', async () => {
  const handle = await begun('Counter');
  for (const id of ['a', 'a', 'b']) await handle.signal('add', { by: 1, id });
  for (const _ of [1, 2]) await handle.signal('add', { by: 10 });
  await handle.signal('enough');
  expect(await handle.result()).toBe(22);
});

test('a procedure is an actor: it gets events, its result is the output, and it can be cancelled', async () => {
  const rung = await begun('Waiter');
  // An update is answered when its event is taken.
  for (const _ of [1, 2]) await rung.executeUpdate('nudge');
  await rung.signal('bell');
  expect(await rung.result()).toBe('rung after 2 nudges');
  const stopped = await begun('Waiter');
  await stopped.signal('stop');
  expect(await stopped.result()).toBe('called off');
});
