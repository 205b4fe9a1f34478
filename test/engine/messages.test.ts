// Signals and updates of a process: one order, none lost, none answered twice.
import { randomUUID } from 'node:crypto';
import { WithStartWorkflowOperation, type WorkflowHandle } from '@temporalio/client';
import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import { expect, test, vi } from 'vitest';
import { eventsOf } from '../support/history.ts';
import { untilProgress } from '../support/temporal.ts';
import { parcels } from './fixtures/parcels.ts';

interface State {
  readonly value: string;
  readonly overdue: boolean;
  readonly reports: readonly string[];
}
const following = (handle: WorkflowHandle) =>
  untilProgress<State>(handle, ({ value }) => value === 'following');

test('an update that starts the process is validated against its first state', async () => {
  const { work, client, taskQueue } = await parcels();
  await work('parcel-1.ts');
  const startWorkflowOperation = new WithStartWorkflowOperation('Parcel', {
    taskQueue,
    workflowId: `parcel-${randomUUID()}`,
    args: [{ parcels: ['a'] }],
    workflowIdConflictPolicy: 'USE_EXISTING',
  });
  const update = client.workflow.executeUpdateWithStart('extend', {
    args: [{ byMilliseconds: 1 }],
    startWorkflowOperation,
  });
  await expect(update).rejects.toMatchObject({ cause: { type: 'NotPossibleNow' } });
  const handle = await startWorkflowOperation.workflowHandle();
  expect((await handle.describe()).status.name).toBe('RUNNING');
});

test('an update that comes together with the last report is answered, one way or the other', async () => {
  const { work, start, calls } = await parcels();
  const worker = await work('parcel-1.ts');
  const handle = await start({ parcels: ['a'] });
  await following(handle);
  await worker.stop();
  await handle.signal('report', { parcel: 'a', state: 'delivered' });
  const update = handle.executeUpdate('extend', { args: [{ byMilliseconds: 1 }] }).then(
    () => 'answered',
    (error) => error.cause?.type ?? String(error),
  );
  await work('parcel-1.ts');
  expect(await update).toMatch(/answered|NotPossibleNow/);
  expect(await handle.result()).toMatchObject({ reports: ['a delivered'] });
  // It is not a report that came late, nor one of another process.
  expect(await handle.query('progress')).toMatchObject({ late: [] });
  expect(calls).toEqual(['book']);
});

test('a deadline extended while the worker is down, and the old one passes, stays extended', {
  tags: 'long',
}, async () => {
  const { work, start } = await parcels();
  const worker = await work('parcel-1.ts');
  const handle = await start({ parcels: ['a'], deadline: 20_000 });
  await following(handle);
  await worker.stop();
  expect(await eventsOf(handle), 'the worker was down before the deadline').not.toContain('TIMER_FIRED');
  const extension = handle.executeUpdate('extend', { args: [{ byMilliseconds: 3_600_000 }] });
  await expect.poll(() => eventsOf(handle), { timeout: 60_000 }).toContain('TIMER_FIRED');
  await work('parcel-1.ts');
  await extension;
  expect(await handle.query('progress')).toMatchObject({ value: 'following', overdue: false });
});

test('messages that are not its own are handed over, also when they come with or after the end', async () => {
  const unmatched: unknown[] = [];
  const { work, start } = await parcels({ keep: async ({ reports }) => void unmatched.push(...reports) });
  const worker = await work('parcel-1.ts');
  const handle = await start({ parcels: ['a'] });
  await following(handle);
  await handle.signal('report', { parcel: 'foreign', state: 'onTheWay' });
  await expect.poll(() => unmatched, { timeout: 60_000 }).toEqual([{ parcel: 'foreign', state: 'onTheWay' }]);
  await worker.stop();
  await handle.signal('report', { parcel: 'a', state: 'delivered' });
  await handle.signal('report', { parcel: 'foreign', state: 'delivered' });
  await handle.signal('report', { parcel: 'a', state: 'seenAgain' });
  await work('parcel-1.ts');
  expect(await handle.result()).toMatchObject({ reports: ['a delivered'] });
  expect(unmatched).toHaveLength(2);
  expect(await handle.query('progress')).toMatchObject({ late: [{ parcel: 'a', state: 'seenAgain' }] });
});

const isFollowing = ({ value }: { value: string }) => value === 'following';

async function cancelled(handle: WorkflowHandle): Promise<void> {
  await expect(handle.result()).rejects.toMatchObject({ cause: expect.any(CancelledFailure) });
  expect((await handle.describe()).status.name).toBe('CANCELLED');
}

test('a process that is cancelled before a worker starts it ends without booking, and passes its messages on', async () => {
  const unmatched: unknown[] = [];
  const { work, start, calls } = await parcels({
    keep: async ({ reports }) => void unmatched.push(...reports),
  });
  const handle = await start({ parcels: ['a'] });
  const foreign = { parcel: 'foreign', state: 'onTheWay' };
  await handle.signal('report', foreign);
  await handle.cancel();
  await work('parcel-1.ts');
  await cancelled(handle);
  expect(calls).toEqual(['keep']);
  expect(unmatched).toEqual([foreign]);
});

test('a process that is cancelled while it waits for the next attempt ends without booking', async () => {
  const { work, start, calls } = await parcels({
    book: async () => {
      throw ApplicationFailure.create({ type: 'NoLockerAvailable', nextRetryDelay: '1 h' });
    },
  });
  await work('parcel-1.ts');
  const handle = await start({ parcels: ['a'] });
  await vi.waitUntil(() => calls.length === 1, { timeout: 60_000 });
  await handle.cancel();
  await cancelled(handle);
  expect(calls).toEqual(['book']);
});

test('a process that is done when the cancellation reaches it gives its result', async () => {
  const { work, start, calls } = await parcels();
  const worker = await work('parcel-1.ts');
  const handle = await start({ parcels: ['a'] });
  await untilProgress(handle, isFollowing);
  await worker.stop();
  await handle.signal('report', { parcel: 'a', state: 'delivered' });
  await handle.cancel();
  await work('parcel-1.ts');
  expect(await handle.result()).toMatchObject({ reports: ['a delivered'] });
  expect(calls).toEqual(['book']);
});
