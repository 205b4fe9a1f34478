// Cancelling a process: the chart hears of it, undoes what was done, and only then does the workflow end as cancelled.

import type { WorkflowHandle } from '@temporalio/client';
import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import { expect, test, vi } from 'vitest';
import { eventsOf } from '../support/history.ts';
import { parcels, untilProgress } from './fixtures/parcels.ts';

const isFollowing = ({ value }: { value: string }) => value === 'following';

async function cancelled(handle: WorkflowHandle): Promise<void> {
  await expect(handle.result()).rejects.toMatchObject({ cause: expect.any(CancelledFailure) });
  expect((await handle.describe()).status.name).toBe('CANCELLED');
}

test('a cancelled process undoes its bookings', async () => {
  const { work, start, calls } = await parcels();
  await work('parcel-1.ts');
  const handle = await start({ parcels: ['a'], deadline: 3_600_000 });
  await untilProgress(handle, isFollowing);
  await handle.cancel();
  await cancelled(handle);
  expect(calls).toEqual(['book', 'undo']);
  expect(await handle.query('progress')).toMatchObject({ value: 'cancelled' });
});

test('a process that is cancelled before a worker starts it ends without booking, and passes its messages on', async () => {
  const parked: unknown[] = [];
  const { work, start, calls } = await parcels({ park: async ({ reports }) => void parked.push(...reports) });
  const handle = await start({ parcels: ['a'] });
  const foreign = { parcel: 'foreign', state: 'onTheWay' };
  await handle.signal('report', foreign);
  await handle.cancel();
  await work('parcel-1.ts');
  await cancelled(handle);
  expect(calls).toEqual(['park']);
  expect(parked).toEqual([foreign]);
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

test('a process that is cancelled while it books waits for the answer and undoes it', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { work, start, calls } = await parcels({
    book: async () => {
      await promise;
      return ['a'];
    },
  });
  await work('parcel-1.ts');
  const handle = await start({ parcels: ['a'] });
  await vi.waitUntil(() => calls.length === 1, { timeout: 60_000 });
  await handle.cancel();
  await expect.poll(() => eventsOf(handle), { timeout: 60_000 }).toContain('ACTIVITY_TASK_CANCEL_REQUESTED');
  resolve();
  await cancelled(handle);
  expect(calls).toEqual(['book', 'undo']);
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
