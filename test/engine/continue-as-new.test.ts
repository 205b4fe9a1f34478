// A process whose history grows long goes on as a new run: with its version, its state and its open deadline, and never
// while something is under way that would not come along.
import type { WorkflowHandle } from '@temporalio/client';
import { defaultPayloadConverter, type Payload } from '@temporalio/common';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Continued } from '../../engine/continued.ts';
import type { TemporalServer } from '../../local/temporal/server.ts';
import { eventsOf } from '../support/history.ts';
import { startServerOfShortRuns, untilProgress } from '../support/temporal.ts';
import { parcels } from './fixtures/parcels.ts';

const EVENTS_OF_A_LONG_HISTORY = 20;
let server: TemporalServer;

beforeAll(async () => {
  server = await startServerOfShortRuns(EVENTS_OF_A_LONG_HISTORY);
});
afterAll(() => server.stop());

const patience = { timeout: 60_000 };
const runOf = async (handle: WorkflowHandle) => (await handle.describe()).runId;
const detailsOf = async (handle: WorkflowHandle) =>
  (await handle.query<{ currentDetails: string }>('__temporal_workflow_metadata')).currentDetails;
/** What a run left the next one. */
async function carriedBy(handle: WorkflowHandle): Promise<Continued> {
  const { events } = await handle.fetchHistory();
  const { input } = events?.at(-1)?.workflowExecutionContinuedAsNewEventAttributes ?? {};
  return defaultPayloadConverter.fromPayload(input?.payloads?.[1] as Payload);
}

const isFollowing = ({ value }: { value: string }) => value === 'following';

/** Reports of the parcel, in words of its own. */
async function reportMany(handle: WorkflowHandle, word: string): Promise<string[]> {
  const states = Array.from({ length: 30 }, (_, index) => `${word}${index}`);
  for (const state of states) await handle.signal('report', { parcel: 'a', state });
  return states.map((state) => `a ${state}`);
}

/** It has taken everything, and its history is long. */
async function untilLong(handle: WorkflowHandle): Promise<void> {
  const isLong = async () => {
    const { historyLength, raw } = await handle.describe();
    return historyLength > EVENTS_OF_A_LONG_HISTORY && !raw.pendingWorkflowTask;
  };
  await expect.poll(isLong, patience).toBe(true);
}

test('a continued process keeps its version, its state, its deadline and every signal', {
  tags: 'long',
}, async () => {
  const { work, start, client, calls } = await parcels({}, server.address);
  const activities = { book: async () => [], bookNewly: async () => [] };
  const worker = await work('parcel-1.ts', { activities });
  const first = await start({ parcels: ['a'], deadline: 3_000 });
  await untilProgress(first, isFollowing);
  const runId = await runOf(first);
  expect(await detailsOf(first)).not.toContain('Its page.');
  await worker.stop();
  await work('parcel-1-2.ts', { activities });
  const handle = client.workflow.getHandle(first.workflowId);
  await handle.signal('ofALaterVersion', { n: 1 });
  const sent = await reportMany(handle, 's');
  await expect.poll(() => runOf(handle), patience).not.toBe(runId);
  const carried = await carriedBy(client.workflow.getHandle(first.workflowId, runId));
  expect(carried.unknown).toEqual([{ name: 'ofALaterVersion', payload: { n: 1 } }]);
  expect(carried.entered).toEqual({
    '': expect.any(Number),
    following: expect.any(Number),
  });
  await untilProgress<{ overdue: boolean }>(handle, ({ overdue }) => overdue);
  // Temporal forgets static details here, so the words of the memo take their place.
  expect(await detailsOf(handle)).toMatch(/^Its page\.\n\n/);
  await handle.signal('report', { parcel: 'a', state: 'delivered' });
  expect(await handle.result()).toEqual({ reports: [...sent, 'a delivered'], overdue: true });
  const described = await handle.describe();
  expect(described.searchAttributes.LockerFlowVersion).toEqual(['Parcel@1']);
  expect(await eventsOf(handle)).not.toContain('MARKER_RECORDED');
  expect(calls).toEqual([]);
});

test('a process does not continue while an activity is open or something is handed over, but then', {
  tags: 'long',
}, async () => {
  const booked = Promise.withResolvers<void>();
  const taken = Promise.withResolvers<void>();
  const unmatched: unknown[] = [];
  const { work, start, client, calls } = await parcels(
    {
      book: async () => await booked.promise,
      keep: async ({ reports }) => {
        unmatched.push(...reports);
        await taken.promise;
      },
    },
    server.address,
  );
  await work('parcel-1.ts');
  const { workflowId } = await start({ parcels: ['a'] });
  const handle = client.workflow.getHandle(workflowId);

  const first = await runOf(handle);
  const whileBooking = await reportMany(handle, 'booking');
  await untilLong(handle);
  expect(await runOf(handle)).toBe(first);
  booked.resolve();
  await expect.poll(() => runOf(handle), patience).not.toBe(first);
  await untilProgress(handle, isFollowing);

  const second = await runOf(handle);
  const foreign = { parcel: 'foreign', state: 'onTheWay' };
  await handle.signal('report', foreign);
  await expect.poll(() => unmatched, patience).toEqual([foreign]);
  const whileHandedOver = await reportMany(handle, 'handedOver');
  await untilLong(handle);
  expect(await runOf(handle)).toBe(second);
  const another = { ...foreign, state: 'delivered' };
  await handle.signal('report', another);
  taken.resolve();
  // What came meanwhile goes next, without anything else to come.
  await expect.poll(() => unmatched, patience).toEqual([foreign, another]);
  await expect.poll(async () => (await handle.describe()).raw.pendingActivities, patience).toEqual([]);
  // Only what comes next wakes it.
  await handle.signal('report', { parcel: 'a', state: 'nearby' });
  await expect.poll(() => runOf(handle), patience).not.toBe(second);

  await handle.signal('report', { parcel: 'a', state: 'delivered' });
  expect(await handle.result()).toMatchObject({
    reports: [...whileBooking, ...whileHandedOver, 'a nearby', 'a delivered'],
  });
  expect(calls).toEqual(['book', 'keep', 'keep']);
});
