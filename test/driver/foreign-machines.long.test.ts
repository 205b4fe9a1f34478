// Machines that are not ours run durably: their worker's process is killed before each event, before each result of a child, and
// while they wait.
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { WorkflowHandle } from '@temporalio/client';
import { expect, test } from 'vitest';
import type { Progress } from '../../driver/defaults.ts';
import { newTaskQueue, temporalClient } from '../support/temporal.ts';
import { type KilledWorker, killedWorker } from './killed-worker.ts';

const workflows = fileURLToPath(new URL('fixtures/foreign-machines.ts', import.meta.url));
const patience = { timeout: 60_000, interval: 50 };
const SLOW_MS = 240_000;

async function started(type: string) {
  const taskQueue = newTaskQueue();
  const worker = await killedWorker(workflows, taskQueue);
  const client = await temporalClient();
  const workflowId = `${type}-${randomUUID()}`;
  const handle = await client.workflow.start(type, { taskQueue, workflowId, workflowTaskTimeout: '2 s' });
  return { worker, handle };
}

/** A question is not answered by a worker that is killed meanwhile. */
const standingOf = (handle: WorkflowHandle): Promise<(Progress & { context?: unknown }) | undefined> =>
  handle.query<Progress, [{ context: boolean }]>('progress', { context: true }).catch(() => undefined);

const reaches = (handle: WorkflowHandle, value: unknown) =>
  expect.poll(async () => (await standingOf(handle))?.value, patience).toEqual(value);

/** The state before the first event and after each; before each of them the worker is killed. */
async function walk(
  { handle, worker }: { handle: WorkflowHandle; worker: KilledWorker },
  first: unknown,
  ...steps: readonly (readonly [string, unknown])[]
): Promise<void> {
  await reaches(handle, first);
  for (const [event, state] of steps) {
    await worker.kill();
    await handle.signal(event);
    await reaches(handle, state);
  }
}

const mixing = (mixDry: string, mixWet: string) => ({ directions: { mix: { mixDry, mixWet } } });

test('a parallel machine', { timeout: SLOW_MS }, async () => {
  const donut = await started('Donut');
  await using _ = donut.worker;
  await walk(
    donut,
    'ingredients',
    ['NEXT', { directions: 'makeDough' }],
    ['NEXT', mixing('mixing', 'mixing')],
    ['MIXED_WET', mixing('mixing', 'mixed')],
    ['NEXT', mixing('mixing', 'mixed')],
    ['MIXED_DRY', 'fry'],
    ['NEXT', 'flip'],
    ['NEXT', 'dry'],
    ['NEXT', 'glaze'],
    ['NEXT', 'serve'],
    ['ANOTHER_DONUT', 'ingredients'],
  );
});

test('a machine with history', { timeout: SLOW_MS }, async () => {
  const payment = await started('Payment');
  await using _ = payment.worker;
  await walk(
    payment,
    { method: 'cash' },
    ['SWITCH_CHECK', { method: 'check' }],
    ['NEXT', 'review'],
    ['PREVIOUS', { method: 'check' }],
    ['SWITCH_CASH', { method: 'cash' }],
    ['NEXT', 'review'],
    ['PREVIOUS', { method: 'cash' }],
    ['NEXT', 'review'],
    ['CONFIRM', 'paid'],
  );
  expect((await payment.handle.describe()).status.name).toBe('COMPLETED');
});

test('a machine with delays and a child, killed also while the child works and while it waits', {
  timeout: SLOW_MS,
}, async () => {
  const { handle, worker } = await started('Car');
  await using _ = worker;
  await reaches(handle, 'WhenCarIsOn');
  await handle.signal('CarTurnedOnEvent');
  const checks = async () =>
    ((await standingOf(handle))?.context as { checks?: unknown[] } | undefined)?.checks ?? [];
  for (const count of [1, 2, 3]) {
    await worker.kill();
    await expect.poll(async () => (await checks()).length, patience).toBeGreaterThanOrEqual(count);
  }
  await worker.kill();
  await handle.signal('CarTurnedOffEvent');
  await reaches(handle, 'WhenCarIsOn');
  const [check] = await checks();
  const value = { value: 100 };
  expect(check).toEqual({ tirePressure: value, oilPressure: value, coolantLevel: value, battery: value });
  const done = (await checks()).length;
  await worker.kill();
  expect(await standingOf(handle)).toMatchObject({ value: 'WhenCarIsOn', awaits: { timers: [], calls: [] } });
  expect(await checks()).toHaveLength(done);
});
