// Signals and updates of a process: one order, none lost, none answered twice.
import { randomUUID } from 'node:crypto';
import { WithStartWorkflowOperation, type WorkflowHandle } from '@temporalio/client';
import { expect, test } from 'vitest';
import { eventsOf, lastingEventsOf } from '../support/history.ts';
import { isLongSuite } from '../support/suite.ts';
import { parcels, untilProgress } from './fixtures/parcels.ts';

interface State {
  readonly value: string;
  readonly overdue: boolean;
  readonly reports: readonly string[];
}
const following = (handle: WorkflowHandle) =>
  untilProgress<State>(handle, ({ value }) => value === 'following');

test('an update that is not possible is rejected with the reason and leaves nothing in the history', async () => {
  const { work, start } = await parcels();
  await work('parcel-1.ts');
  const handle = await start({ parcels: ['a'], deadline: 3_600_000 });
  await following(handle);
  const before = await lastingEventsOf(handle);
  await expect(handle.executeUpdate('extend', { args: [{ byMilliseconds: -1 }] })).rejects.toMatchObject({
    cause: { type: 'NotPossibleNow', message: 'extend is not possible now' },
  });
  expect(await lastingEventsOf(handle)).toEqual(before);
});

test('the chart answers an update, and its timer starts again', async () => {
  const { work, start } = await parcels();
  await work('parcel-1.ts');
  const handle = await start({ parcels: ['a'], deadline: 3_600_000 });
  await following(handle);
  const dueAt = await handle.executeUpdate('extend', { args: [{ byMilliseconds: 7_200_000 }] });
  expect(dueAt).toBeGreaterThan(Date.now() + 7_000_000);
  const timers = (await eventsOf(handle)).filter((type) => type.startsWith('TIMER'));
  expect(timers.sort()).toEqual(['TIMER_CANCELED', 'TIMER_STARTED', 'TIMER_STARTED']);
});

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

test.runIf(isLongSuite)(
  'a deadline extended while the worker is down, and the old one passes, stays extended',
  async () => {
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
  },
);

test('a deadline that passes is an event of the chart', async () => {
  const { work, start } = await parcels();
  await work('parcel-1.ts');
  const handle = await start({ parcels: ['a'], deadline: 300 });
  await untilProgress<State>(handle, ({ overdue }) => overdue);
});

test('messages that are not its own are handed over, also when they come with or after the end', async () => {
  const parked: unknown[] = [];
  const { work, start } = await parcels({ park: async ({ reports }) => void parked.push(...reports) });
  const worker = await work('parcel-1.ts');
  const handle = await start({ parcels: ['a'] });
  await following(handle);
  await handle.signal('report', { parcel: 'foreign', state: 'onTheWay' });
  await expect.poll(() => parked, { timeout: 60_000 }).toEqual([{ parcel: 'foreign', state: 'onTheWay' }]);
  await worker.stop();
  await handle.signal('report', { parcel: 'a', state: 'delivered' });
  await handle.signal('report', { parcel: 'foreign', state: 'delivered' });
  await handle.signal('report', { parcel: 'a', state: 'seenAgain' });
  await work('parcel-1.ts');
  expect(await handle.result()).toMatchObject({ reports: ['a delivered'] });
  expect(parked).toHaveLength(2);
  expect(await handle.query('progress')).toMatchObject({ late: [{ parcel: 'a', state: 'seenAgain' }] });
});

test('signals that come before the first task are taken in their order', async () => {
  const { work, start } = await parcels();
  const handle = await start({ parcels: ['a'] });
  for (const state of ['one', 'two', 'three', 'delivered'])
    await handle.signal('report', { parcel: 'a', state });
  await work('parcel-1.ts');
  expect(await handle.result()).toMatchObject({ reports: ['a one', 'a two', 'a three', 'a delivered'] });
});
