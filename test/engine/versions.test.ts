// Versions of a definition: a process ends on the one that it began with, whatever is deployed meanwhile.
import { expect, test } from 'vitest';
import { eventsOf } from '../support/history.ts';
import { untilProgress } from '../support/temporal.ts';
import { parcels } from './fixtures/parcels.ts';

const delivered = { parcel: 'a', state: 'delivered' };
const isFollowing = ({ value }: { value: string }) => value === 'following';

async function versioned() {
  const booked: string[] = [];
  const run = await parcels({ book: async () => void booked.push('book') });
  const activities = {
    book: async () => void booked.push('book'),
    bookNewly: async () => void booked.push('bookNewly'),
    keep: async () => undefined,
  };
  return {
    ...run,
    booked,
    deploy: (file: string, options = {}) => run.work(file, { activities, ...options }),
  };
}

test('a process on version 1 ends on it after version 2 is deployed, and new ones run on version 2', async () => {
  const { deploy, start, booked } = await versioned();
  const old = await deploy('parcel-1.ts');
  const first = await start({ parcels: ['a'] });
  await untilProgress(first, isFollowing);
  await old.stop();
  await deploy('parcel-1-2.ts');
  const second = await start({ parcels: ['a'] });
  await untilProgress(second, isFollowing);
  await first.signal('report', delivered);
  await second.signal('report', delivered);
  await first.result();
  await second.result();
  expect(booked).toEqual(['book', 'bookNewly']);
  expect(versionOf(await first.describe())).toEqual(['Parcel@1']);
  expect(versionOf(await second.describe())).toEqual(['Parcel@2']);
});

test('a version rolled out dark is not used, and a process from then ends on the old deploy after a rollback', {
  tags: 'long',
}, async () => {
  const { deploy, start, booked } = await versioned();
  const dark = await deploy('parcel-1-2.ts', { patchActivationCallback: () => false });
  const handle = await start({ parcels: ['a'] });
  await untilProgress(handle, isFollowing);
  await dark.stop();
  await deploy('parcel-1.ts');
  await handle.signal('report', delivered);
  await handle.result();
  expect(booked).toEqual(['book']);
});

test('a process on a version that the deployed worker lacks waits for one that has it', {
  tags: 'long',
}, async () => {
  const { deploy, start, booked } = await versioned();
  const both = await deploy('parcel-1-2.ts');
  const second = await start({ parcels: ['a'] });
  await untilProgress(second, isFollowing);
  await both.stop();
  const rolledBack = await deploy('parcel-1.ts');
  await second.signal('report', delivered);
  await expect.poll(() => eventsOf(second), { timeout: 60_000 }).toContain('WORKFLOW_TASK_FAILED');
  await rolledBack.stop();
  await deploy('parcel-2.ts');
  await second.result();
  expect(booked).toEqual(['bookNewly']);
});

test('a process that no worker can replay any more goes on from its last good task when it is reset to that', {
  tags: 'long',
}, async () => {
  const { client, deploy, start, booked } = await versioned();
  const before = await deploy('parcel-1.ts');
  const handle = await start({ parcels: ['a'] });
  await untilProgress(handle, isFollowing);
  await before.stop();
  await deploy('parcel-other-activity.ts');
  await handle.signal('report', delivered);
  await expect.poll(() => eventsOf(handle), { timeout: 60_000 }).toContain('WORKFLOW_TASK_FAILED');
  const { runId } = await handle.describe();
  const { events } = await handle.fetchHistory();
  const lastGood = events?.find((event) => event.workflowTaskCompletedEventAttributes);
  await client.workflowService.resetWorkflowExecution({
    namespace: client.options.namespace,
    workflowExecution: { workflowId: handle.workflowId, runId },
    workflowTaskFinishEventId: lastGood?.eventId ?? null,
    requestId: runId,
    reason: 'its history cannot be replayed',
  });
  const result = await client.workflow.getHandle(handle.workflowId).result();
  expect(result).toEqual({ reports: ['a delivered'], overdue: false });
  expect(booked).toEqual(['book', 'bookNewly']);
});

function versionOf(description: { searchAttributes: Record<string, unknown> }): unknown {
  return description.searchAttributes.LockerFlowVersion;
}

test('a process with a defect in its definition waits, and continues with every signal after the repair', {
  tags: 'long',
}, async () => {
  const { work, start, calls } = await parcels();
  const defective = await work('parcel-1-defective.ts');
  const handle = await start({ parcels: ['a'] });
  await untilProgress<{ value: string }>(handle, ({ value }) => value === 'following');
  for (const state of ['onTheWay', 'nearby', 'delivered'])
    await handle.signal('report', { parcel: 'a', state });
  await expect.poll(() => eventsOf(handle), { timeout: 60_000 }).toContain('WORKFLOW_TASK_FAILED');
  await defective.stop();
  expect((await handle.describe()).status.name).toBe('RUNNING');
  await work('parcel-1.ts');
  expect(await handle.result()).toMatchObject({ reports: ['a onTheWay', 'a nearby', 'a delivered'] });
  expect(calls).toEqual(['book']);
});
