// What only a real Temporal server can show about flows: events, timers, what operators see, long histories.

import type { WorkflowHandle } from '@temporalio/client';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { FlowResult } from '../../contract/flows/flow-result.ts';
import type { FlowMemo } from '../../contract/flows/search-attributes.ts';
import { eventsOf } from '../support/history.ts';
import { newTaskQueue, startServerOfShortRuns, startWorker, temporalClient } from '../support/temporal.ts';
import { notUndone, Outside, reportOf } from './outside.ts';
import { follows, runningFlows, sendReport, untilProgress } from './running-flows.ts';
import { requestOf } from './stories.ts';
import { storyOf } from './under-way.ts';

const flows = runningFlows();
const issue = storyOf('Issue');

async function issued(type: string, input: object = {}) {
  const outside = new Outside();
  const whole = { request: await requestOf(issue, outside), ...input };
  // With a shorter limit Temporal would offer the task of a slow, busy worker again, which would add events.
  const handle = await flows.start(outside, type, whole, { workflowTaskTimeout: '60 s' });
  await vi.waitUntil(() => outside.calls.length === 1, { timeout: 60_000 });
  return { outside, handle };
}

test('a deadline that passes is shown, and the flow waits on', async () => {
  const { outside, handle } = await issued('Issue', { deadlines: { issue: { dropOff: 'PT0.3S' } } });
  await untilProgress(handle, ({ phase }) => phase === 'Overdue');
  expect((await handle.describe()).searchAttributes.LockerPhase).toEqual(['Overdue']);
  await outside.does(outside.uid('issue'), 'ItemDroppedOff');
  await outside.does(outside.uid('issue'), 'ItemPickedUp');
  const result = (await handle.result()) as FlowResult;
  expect(result).toMatchObject({ outcome: 'Done', overdue: [{ role: 'issue', stage: 'dropOff' }] });
});

test('operators see phase, case, pick up point, shipments and version, without anything personal', async () => {
  const outside = new Outside();
  const toUser = {
    emailAddress: 'anna@personal.example',
    firstName: 'Personal',
    lastName: 'Name',
    phoneNumber: '+31600000000',
  };
  const request = { ...(await requestOf(issue, outside)), toUserUid: undefined, toUser };
  const handle = await flows.start(outside, 'Issue', { request, deadlines: { issue: { dropOff: 'P1D' } } });
  await follows(handle);
  const uid = outside.uid('issue');
  await expect
    .poll(async () => (await handle.describe()).searchAttributes, { timeout: 60_000 })
    .toMatchObject({
      LockerCase: ['case'],
      LockerPhase: ['Open'],
      LockerPickUpPoint: ['pup-central'],
      LockerShipmentUids: [uid],
      LockerFlowVersion: ['Issue@1'],
      LockerBookedAt: [expect.any(Date)],
    });
  const shown = JSON.stringify([await metadataOf(handle), await summariesOf(handle)]);
  expect(shown).toContain(`issue to be dropped off until`);
  expect(shown).toContain(uid);
  expect(shown).toContain('issue: drop off until');
  expect(shown).toContain('book with CreateLocalShipmentAsIssue');
  expect(shown).not.toMatch(/personal|name@|\+316/i);
  await handle.cancel();
});

test('a case number that is too long for a search attribute is shortened there, and the flow continues', {
  tags: 'long',
}, async () => {
  const outside = new Outside();
  const { book } = outside.activities;
  outside.activities.book = async (input) => ({ ...(await book(input)), caseNo: 'é'.repeat(1_500) });
  const handle = await flows.start(outside, 'Issue', { request: await requestOf(issue, outside) });
  await follows(handle);
  expect((await handle.describe()).searchAttributes.LockerCase).toEqual(['é'.repeat(127)]);
  await outside.does(outside.uid('issue'), 'ItemDroppedOff');
  await outside.does(outside.uid('issue'), 'ItemPickedUp');
  expect(await handle.result()).toMatchObject({ outcome: 'Done' });
});

test('signals that make no sense neither stop a flow nor are lost sight of', async () => {
  const { outside, handle } = await issued('Issue');
  for (const nonsense of [undefined, null, 7, 'text', {}, { shipmentUid: outside.uid('issue') }])
    await handle.signal('shipmentStatus', nonsense);
  await handle.signal('superseded', null);
  await outside.does(outside.uid('issue'), 'ItemDroppedOff');
  await outside.does(outside.uid('issue'), 'ItemPickedUp');
  expect(await handle.result()).toMatchObject({ outcome: 'Done' });
});

test('a flow that is cancelled while it books waits for the answer, and undoes what it has booked', async () => {
  const outside = new Outside();
  const { book } = outside.activities;
  const { promise: isTold, resolve: tell } = Promise.withResolvers<void>();
  outside.activities.book = async (input) => {
    await isTold;
    return await book(input);
  };
  const handle = await flows.start(outside, 'Issue', { request: await requestOf(issue, outside) });
  const has = async (event: string) => (await eventsOf(handle)).includes(event);
  await expect.poll(() => has('ACTIVITY_TASK_SCHEDULED'), { timeout: 60_000 }).toBe(true);
  await handle.cancel();
  await expect.poll(() => has('ACTIVITY_TASK_CANCEL_REQUESTED'), { timeout: 60_000 }).toBe(true);
  tell();
  await expect(handle.result()).rejects.toThrow();
  expect(outside.stateOf(outside.uid('issue'))).toBe('Cancelled');
});

const CONSOLE_LINK = '[This process in the console](https://console.example/process/long)';

/** Starts a server for which thirty events are a long history, and a worker for flows with this outside. */
async function onLongHistories(outside: Outside) {
  const server = await startServerOfShortRuns(30);
  onTestFinished(() => server.stop());
  const { address } = server;
  const client = await temporalClient(address);
  const taskQueue = newTaskQueue();
  await startWorker({ taskQueue, address, activities: outside.activities });
  const handle = client.workflow.getHandle('long');
  const start = async (flow: string, input: object) =>
    await client.workflow.start(flow, {
      taskQueue,
      workflowId: 'long',
      args: [input],
      memo: { consoleLink: CONSOLE_LINK } satisfies FlowMemo,
    });
  return { start, handle };
}

test('a flow that is cancelled and not undone stays in its run, however long its history grows', {
  tags: 'long',
}, async () => {
  const outside = new Outside();
  const { undo } = outside.activities;
  let isRefused = true;
  outside.activities.undo = async (input) => {
    return isRefused ? notUndone(input) : await undo(input);
  };
  const { start, handle } = await onLongHistories(outside);
  await start('Issue', { request: await requestOf(issue, outside) });
  await follows(handle);
  outside.deliver = (report) => sendReport(handle, report);
  await handle.cancel();
  await untilProgress(handle, ({ activity }) => activity === 'NeedsPerson');
  const { runId } = await handle.describe();
  const unknown = reportOf(outside.uid('issue'), 'Quarantined', null);
  for (let count = 0; count < 20; count++) await sendReport(handle, unknown);
  await untilProgress(handle, ({ reportHistory: [entry] }) => entry?.times === 20);
  expect((await handle.describe()).historyLength).toBeGreaterThan(30);
  isRefused = false;
  await handle.executeUpdate('resolve', { args: [{ by: 'ada', why: 'repaired', action: 'retry' }] });
  await expect(handle.result()).rejects.toThrow();
  const ended = await handle.describe();
  expect({ runId: ended.runId, status: ended.status.name }).toEqual({ runId, status: 'CANCELLED' });
});

test('a flow with a long history continues with its legs, deadlines, report history and link to the console', {
  tags: 'long',
}, async () => {
  const outside = new Outside();
  const { start, handle } = await onLongHistories(outside);
  const story = storyOf('IssueFromStockAndSubsequentIntakeAndCircularStock');
  const deadlines = { issue: { pickUp: 'P3D' }, intake: { dropOff: 'PT1S' } };
  const first = await start(story.flow, { request: await requestOf(story, outside), deadlines });
  await follows(handle);
  outside.deliver = (report) => sendReport(handle, report);
  const repeated = reportOf(outside.uid('issue'), 'ReadyForPickup', '2031-01-01T00:00:00');
  for (let count = 0; count < 20; count++) await sendReport(handle, repeated);
  await expect
    .poll(async () => (await handle.describe()).runId, { timeout: 60_000 })
    .not.toBe(first.firstExecutionRunId);
  const { deadlines: open, reportHistory } = await untilProgress(
    handle,
    ({ reportHistory: [entry] }) => entry?.times === 20,
  );
  expect({ open, reportHistory }).toMatchObject({
    open: [{ role: 'issue', stage: 'pickUp' }],
    reportHistory: [{ judgement: 'repeated' }],
  });
  expect(await metadataOf(handle)).toMatchObject({
    currentDetails: expect.stringContaining(`${CONSOLE_LINK}\n\n`),
  });
  await outside.does(outside.uid('issue'), 'ItemPickedUp');
  await untilProgress(handle, ({ phase }) => phase === 'Overdue');
  await outside.does(outside.uid('intake'), 'ItemDroppedOff');
  expect(await handle.result()).toMatchObject({
    outcome: 'Done',
    overdue: [{ role: 'intake', stage: 'dropOff' }],
    shipments: { circularStock: { stateCode: 'ReadyForPickup' } },
  });
});

/** The metadata as `temporal workflow metadata` shows them. */
async function metadataOf(handle: WorkflowHandle): Promise<unknown> {
  return await handle.query('__temporal_workflow_metadata');
}

async function summariesOf(handle: WorkflowHandle): Promise<string[]> {
  const { events } = await handle.fetchHistory();
  return (events ?? []).map(({ userMetadata }) => Buffer.from(userMetadata?.summary?.data ?? []).toString());
}
