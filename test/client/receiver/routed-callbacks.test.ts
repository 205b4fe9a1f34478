// @module-tag invariant
// Where each callback ends: at every flow that waits for it, acknowledged after its end, or unmatched until somebody wants it.
import { randomUUID } from 'node:crypto';
import type { WorkflowExecutionInfo, WorkflowHandle } from '@temporalio/client';
import type { SearchAttributes } from '@temporalio/common';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { type Received, receiveCallback } from '../../../client/receiver/receive-callback.ts';
import { readReceiverSettings } from '../../../client/receiver/settings.ts';
import type { Unmatched, UnmatchedResult } from '../../../contract/flows/unmatched-callback.ts';
import { follow } from '../../../shared/routing/followers.ts';
import { unmatchedId } from '../../../shared/routing/keep-unmatched.ts';
import { OwnerSearch } from '../../../shared/routing/owner-search.ts';
import { listed } from '../../../shared/routing/owners.ts';
import { ReportRouter } from '../../../shared/routing/route-report.ts';
import { eventsOf } from '../../support/history.ts';
import { ownersOf } from '../../support/owners.ts';
import { eachSampled } from '../../support/suite.ts';
import { reportOf } from '../../workflows/outside.ts';
import { newKey } from '../flows-at-hand.ts';
import { bodyOf, post, signed } from './callbacks-sent.ts';
import { CALLBACK_KEY, flowsAndReceiver } from './flows-and-receiver.ts';

const running = flowsAndReceiver();
const { at } = running;

const send = (uid: string, stateCode: string, more: Record<string, unknown> = {}) =>
  post(running.url, signed(uid, bodyOf(uid, stateCode, more)));
const unmatched = (uid: string) => at.client.workflow.getHandle(unmatchedId(uid));
const kept = async (uid: string) => {
  const { kept, settled } = await unmatched(uid).query<Unmatched>('unmatched');
  return [...kept, ...settled].map(({ callback }) => callback);
};

/** A run that no worker takes up, until the test ends. */
async function newRun(workflowId: string, searchAttributes: SearchAttributes = {}, type = 'Issue') {
  const options = { workflowId, taskQueue: 'nobody polls it', searchAttributes };
  const handle = await at.client.workflow.start(type, options);
  onTestFinished(async () => void (await handle.terminate().catch(() => undefined)));
  return handle;
}
const startForeign = (workflowId: string) => newRun(workflowId, {}, 'SomebodyElses');
const owning = (shipmentUid: string) => ({ LockerShipmentUids: [shipmentUid] });

const untilOwned = (shipmentUid: string, workflowId: string) =>
  vi.waitUntil(async () => (await ownersOf(at.client, shipmentUid, 'running')).includes(workflowId), {
    timeout: 60_000,
  });
const signalsOf = async (workflow: WorkflowHandle) =>
  (await eventsOf(workflow)).filter((type) => type === 'WORKFLOW_EXECUTION_SIGNALED');

test('a callback reaches its flow by its uid alone, and the flow ends', async () => {
  const { workflowId, shipmentUid } = await at.issue();
  expect((await send(shipmentUid, 'ReadyForPickup')).status).toBe(204);
  expect((await send(shipmentUid, 'Completed')).status).toBe(204);
  expect(await at.flows.handle<'Issue'>(workflowId).result()).toMatchObject({ outcome: 'Done' });
});

test('a final state of a shipment whose flow has ended is acknowledged, and nothing is kept', async () => {
  const { workflowId, shipmentUid } = await at.issue();
  await at.flows.handle(workflowId).cancel();
  await expect(at.flows.handle(workflowId).result()).rejects.toThrow('cancelled');
  expect((await send(shipmentUid, 'Cancelled')).status).toBe(204);
  expect(running.received.at(-1)).toMatchObject({ became: 'afterTheEnd', workflowIds: [workflowId] });
  expect(await kept(shipmentUid)).toEqual([]);
});

/** Cancelled, and known as closed to whoever looks for the owner of the shipment. */
async function endedIssue(): Promise<{ workflowId: string; shipmentUid: string }> {
  const issue = await at.issue();
  const handle = at.flows.handle(issue.workflowId);
  await handle.cancel();
  await expect(handle.result()).rejects.toThrow('cancelled');
  const isClosed = async () =>
    (await ownersOf(at.client, issue.shipmentUid, 'any')).length === 1 &&
    (await ownersOf(at.client, issue.shipmentUid, 'running')).length === 0;
  await vi.waitUntil(isClosed, { timeout: 60_000 });
  return issue;
}

test('a repeated callback after the end of its flow is acknowledged, and nothing is kept', async () => {
  const before = new Date().toISOString().slice(0, 23);
  const { workflowId, shipmentUid } = await endedIssue();
  expect((await send(shipmentUid, 'ReadyForPickup', { stateStart: before })).status).toBe(204);
  expect(running.received.at(-1)).toMatchObject({ became: 'afterTheEnd', workflowIds: [workflowId] });
  expect(await kept(shipmentUid)).toEqual([]);
});

test('a late callback for a business key that is used again does not reach the new process', async () => {
  const { workflowId, shipmentUid: late } = await endedIssue();
  const { shipmentUid } = await at.issue({}, workflowId);
  expect((await send(late, 'Cancelled', { referenceCaseNo: workflowId })).status).toBe(204);
  // The new process has the case number, hands on what is not its own, and that finds the end of the former one.
  await vi.waitUntil(
    async () =>
      (
        await unmatched(late)
          .describe()
          .catch(() => null)
      )?.status.name === 'COMPLETED',
    {
      timeout: 60_000,
    },
  );
  const { shipments, reportHistory } = await at.flows.handle<'Issue'>(workflowId).progress();
  expect([shipments.issue, reportHistory]).toMatchObject([{ shipmentUid, stateCode: 'ReadyForDropoff' }, []]);
  await send(shipmentUid, 'ReadyForPickup', { referenceCaseNo: workflowId });
  await send(shipmentUid, 'Completed', { referenceCaseNo: workflowId });
  expect(await at.flows.handle<'Issue'>(workflowId).result()).toMatchObject({ outcome: 'Done' });
});

test('a state that began after the end of the flow is news, and unmatched', async () => {
  const { shipmentUid } = await endedIssue();
  const stateStart = new Date(Date.now() + 60_000).toISOString().slice(0, 23);
  expect((await send(shipmentUid, 'ReadyForPickup', { stateStart })).status).toBe(202);
  expect(await kept(shipmentUid)).toMatchObject([{ stateCode: 'ReadyForPickup' }]);
});

test('a case number that is the business key finds the flow before its uid does', async () => {
  const { workflowId, shipmentUid } = await at.issue();
  expect((await send(shipmentUid, 'ReadyForPickup', { referenceCaseNo: workflowId })).status).toBe(204);
  expect(running.received.at(-1)).toMatchObject({ became: 'signalled', workflowIds: [workflowId] });
  expect(await running.reportHistory(workflowId)).toHaveLength(1);
});

test('where case numbers mean something else, none of them is taken for a business key', async () => {
  const { workflowId } = await at.issue();
  const report = { ...reportOf(randomUUID(), 'ReadyForPickup', null), referenceCaseNo: workflowId };
  const { routing } = readReceiverSettings({
    LOCKER_CALLBACK_KEY: 'key',
    LOCKER_CALLBACK_BY_CASE: 'false',
  });
  expect(await new ReportRouter(at.client, routing).route(report)).toEqual({
    to: 'noFlow',
  });
  expect(await running.reportHistory(workflowId)).toEqual([]);
});

test('no callback waits for a search, whether a flow waits for it or none', async () => {
  const list = vi.fn();
  const workflow = Object.create(at.client.workflow, { list: { value: list } });
  const client = Object.create(at.client, { workflow: { value: workflow } });
  const router = new ReportRouter(client, { byCase: true });
  const { workflowId, shipmentUid } = await at.issue();
  const report = (uid: string, referenceCaseNo: string | null) => ({
    ...reportOf(uid, 'ReadyForPickup', null),
    referenceCaseNo,
  });
  const toFlow = { to: 'flows', workflowIds: [workflowId] };
  expect(await router.route(report(shipmentUid, workflowId))).toEqual(toFlow);
  expect(await router.route(report(shipmentUid, null))).toEqual(toFlow);
  expect(await router.route(report(randomUUID(), null))).toEqual({ to: 'noFlow' });
  expect(list).not.toHaveBeenCalled();
});

test('a flow that is found only a moment after its callbacks still gets them, in their order', async () => {
  const uid = randomUUID();
  for (const stateCode of ['ReadyForPickup', 'Completed'])
    expect((await send(uid, stateCode)).status).toBe(202);
  const { workflowId } = await at.flows.start('IssueFromStock', newKey(), {
    request: { priorShipmentUid: uid, toUserUid: 'user-anna' },
  });
  const { runId } = await unmatched(uid).describe();
  const result: UnmatchedResult = await at.client.workflow.getHandle(unmatchedId(uid), runId).result();
  expect(result).toMatchObject({ ended: 'Delivered', to: [workflowId] });
  expect((await running.reportHistory(workflowId)).map(({ stateCode }) => stateCode)).toEqual([
    'ReadyForPickup',
    'Completed',
  ]);
});

test('no callback overtakes one of its shipment that still waits', async () => {
  const uid = randomUUID();
  const settings = readReceiverSettings({ LOCKER_CALLBACK_KEY: CALLBACK_KEY });
  const received: Received[] = [];
  // No worker looks for a flow.
  const keeping = { ...settings.keeping, taskQueue: 'nobody polls it' };
  const receive = receiveCallback(at.client, {
    ...settings,
    keeping,
    onReceived: (one) => received.push(one),
  });
  const take = async (stateCode: string) => {
    const { headers, body } = signed(uid, bodyOf(uid, stateCode));
    await receive(headers, Buffer.from(body));
    return received.at(-1)?.became;
  };
  expect(await take('ReadyForPickup')).toBe('unmatched');
  const { workflowId } = await newRun(newKey(), owning(uid));
  await untilOwned(uid, workflowId);
  expect(await take('Completed')).toBe('unmatched');
  expect(await take('Cancelled')).toBe('unmatched');
  expect(await signalsOf(unmatched(uid))).toHaveLength(3);
});

test('a case number that is the id of a foreign workflow does not swallow the callback', async () => {
  const foreign = `foreign ${randomUUID()}`;
  await startForeign(foreign);
  const uid = randomUUID();
  expect((await send(uid, 'ReadyForPickup', { referenceCaseNo: foreign })).status).toBe(202);
  expect(await kept(uid)).toMatchObject([{ shipmentUid: uid, stateCode: 'ReadyForPickup' }]);
});

describe('a flow that visibility still calls running after its run has ended', () => {
  const seenRun = async (workflowId: string, shipmentUid: string) => {
    const handle = await newRun(workflowId, owning(shipmentUid));
    await untilOwned(shipmentUid, workflowId);
    return handle;
  };
  /** Its searches find what visibility shows now, for ever. */
  const searchOfNow = async (shipmentUid: string) => {
    const found: WorkflowExecutionInfo[] = [];
    for await (const each of listed(at.client, `LockerShipmentUids = '${shipmentUid}'`)) found.push(each);
    const list = () => found;
    const workflow = Object.create(at.client.workflow, { list: { value: list } });
    const client = Object.create(at.client, { workflow: { value: workflow } });
    return new OwnerSearch(client, 50);
  };

  test('does not give its callback to the foreign workflow that has its key after it', async () => {
    const [workflowId, uid] = [newKey(), randomUUID()];
    const flow = await seenRun(workflowId, uid);
    const search = await searchOfNow(uid);
    await flow.terminate();
    const foreign = await startForeign(workflowId);
    expect(await search.deliver(reportOf(uid, 'Completed', null))).toMatchObject({ to: 'closedFlow' });
    expect(await signalsOf(foreign)).toEqual([]);
  });

  test('gets its callback in the run that continues it', async () => {
    const [workflowId, uid] = [newKey(), randomUUID()];
    const flow = await seenRun(workflowId, uid);
    const search = await searchOfNow(uid);
    await flow.terminate();
    const after = await seenRun(workflowId, uid);
    expect(await search.deliver(reportOf(uid, 'Completed', null))).toEqual({
      to: 'flows',
      workflowIds: [workflowId],
    });
    expect(await signalsOf(after)).toHaveLength(1);
  });
});

describe('a flow that is remembered by its case number', () => {
  test('is not taken for the foreign workflow that has its key after it', async () => {
    const { workflowId, shipmentUid } = await at.issue();
    await send(shipmentUid, 'ReadyForPickup', { referenceCaseNo: workflowId });
    await at.flows.handle(workflowId).cancel();
    await expect(at.flows.handle(workflowId).result()).rejects.toThrow('cancelled');
    const foreign = await startForeign(workflowId);
    expect((await send(shipmentUid, 'Cancelled', { referenceCaseNo: workflowId })).status).toBe(202);
    expect(await signalsOf(foreign)).toEqual([]);
  });

  test('is found again when it goes on as another run', async () => {
    const [workflowId, shipmentUid] = [newKey(), randomUUID()];
    const before = await newRun(workflowId, owning(shipmentUid));
    await send(shipmentUid, 'ReadyForPickup', { referenceCaseNo: workflowId });
    await before.terminate();
    // Nothing but the case number leads to it.
    const after = await newRun(workflowId);
    expect((await send(shipmentUid, 'Completed', { referenceCaseNo: workflowId })).status).toBe(204);
    expect(running.received.at(-1)).toMatchObject({ became: 'signalled', workflowIds: [workflowId] });
    expect(await signalsOf(after)).toHaveLength(1);
  });
});

describe('a flow that is remembered by its shipment', () => {
  /** As its booking leaves it. */
  const bookedBy = async (workflowId: string, shipmentUid: string) => {
    const run = await newRun(workflowId, owning(shipmentUid));
    const following = { shipmentUid, by: [workflowId], runId: run.firstExecutionRunId, isFoundByCase: false };
    await follow(at.client, { taskQueue: at.taskQueue, keepFor: 'P1D' }, following);
    await unmatched(shipmentUid).result();
    return run;
  };
  const alsoBefore = { 'that was heard of before': true, 'that nobody has heard of yet': false };

  test.each(Object.entries(alsoBefore))(
    '%s is not taken for the foreign workflow that has its key after it',
    async (_, isHeardOf) => {
      const [workflowId, shipmentUid] = [newKey(), randomUUID()];
      const flow = await bookedBy(workflowId, shipmentUid);
      if (isHeardOf) expect((await send(shipmentUid, 'ReadyForPickup')).status).toBe(204);
      await flow.terminate();
      const foreign = await startForeign(workflowId);
      expect((await send(shipmentUid, 'Completed')).status).toBe(202);
      expect(await signalsOf(foreign)).toEqual([]);
    },
  );

  test.each(Object.entries(alsoBefore))(
    '%s is found again when it goes on as another run',
    async (_, isHeardOf) => {
      const [workflowId, shipmentUid] = [newKey(), randomUUID()];
      const flow = await bookedBy(workflowId, shipmentUid);
      if (isHeardOf) await send(shipmentUid, 'ReadyForPickup');
      await flow.terminate();
      const after = await newRun(workflowId, owning(shipmentUid));
      expect((await send(shipmentUid, 'Completed')).status).toBe(204);
      expect(running.received.at(-1)).toMatchObject({ became: 'signalled', workflowIds: [workflowId] });
      expect(await signalsOf(after)).toHaveLength(1);
    },
  );
});

describe('of one shipment that two running flows follow', () => {
  /** Continues with a shipment that another flow has booked, as one that swaps stock after it: its booking tells that flow. */
  async function second(first: string, shipmentUid: string) {
    const run = await newRun(newKey('swap'), owning(shipmentUid), 'StockAfterSwapIntake');
    const byWorkflowId = run.workflowId;
    await at.client.workflow.getHandle(first).signal('alsoFollowed', { shipmentUid, byWorkflowId });
    const following = { shipmentUid, by: [first, byWorkflowId], isFoundByCase: false };
    await follow(at.client, { taskQueue: at.taskQueue, keepFor: 'P1D' }, following);
    await unmatched(shipmentUid).result();
    return run;
  }

  const caseOf = {
    'no case number': () => null,
    'the case number of the first': (first: string) => first,
    'the case number of a third': async () => (await at.issue()).workflowId,
  };
  eachSampled(
    test,
    Object.entries(caseOf),
    3,
  )('both hear, with %s', async (_, of) => {
    const { workflowId, shipmentUid } = await at.issue();
    const other = await second(workflowId, shipmentUid);
    const referenceCaseNo = await of(workflowId);
    expect((await send(shipmentUid, 'ReadyForPickup', { referenceCaseNo })).status).toBe(204);
    await vi.waitUntil(async () => (await signalsOf(other)).length > 0, { timeout: 60_000 });
    await vi.waitUntil(async () => (await running.reportHistory(workflowId)).length === 1, {
      timeout: 60_000,
    });
  });

  test('the remaining flow gets the callbacks after the end of the other', async () => {
    const { workflowId, shipmentUid } = await at.issue();
    const other = await second(workflowId, shipmentUid);
    await send(shipmentUid, 'ReadyForPickup', { referenceCaseNo: workflowId });
    await at.flows.handle(workflowId).cancel();
    await expect(at.flows.handle(workflowId).result()).rejects.toThrow('cancelled');
    expect((await send(shipmentUid, 'Cancelled', { referenceCaseNo: workflowId })).status).toBe(204);
    expect(running.received.at(-1)).toMatchObject({ became: 'signalled', workflowIds: [other.workflowId] });
  });

  test('two shipments with uids that differ only in case are two shipments', async () => {
    const { workflowId, shipmentUid } = await at.issue();
    await newRun(newKey('swap'), owning(shipmentUid.toUpperCase()), 'StockAfterSwapIntake');
    await send(shipmentUid, 'ReadyForPickup', { referenceCaseNo: workflowId });
    expect(running.received.at(-1)).toMatchObject({ became: 'signalled', workflowIds: [workflowId] });
    await send(shipmentUid, 'ReadyForPickup');
    expect(running.received.at(-1)).toMatchObject({ became: 'signalled', workflowIds: [workflowId] });
  });
});

test('callbacks of an unknown shipment are kept once, also if repeated, and given to the flow that claims them', async () => {
  const { workflowId } = await at.issue();
  const uid = randomUUID();
  const body = bodyOf(uid, 'ReadyForPickup');
  for (let times = 0; times < 3; times++)
    expect((await post(running.url, signed(uid, body))).status).toBe(202);
  expect((await send(uid, 'Completed')).status).toBe(202);
  expect((await kept(uid)).map((one) => 'stateCode' in one && one.stateCode)).toEqual([
    'ReadyForPickup',
    'Completed',
  ]);
  // Of this run: it is not that flow's own after all, which hands it on, and what is kept then is another run.
  const { runId } = await unmatched(uid).describe();
  await unmatched(uid).executeUpdate('claim', { args: [{ workflowId, by: 'anna', why: 'it is its own' }] });
  const result: UnmatchedResult = await at.client.workflow.getHandle(unmatchedId(uid), runId).result();
  expect(result).toEqual({ ended: 'Claimed', to: [workflowId], by: 'anna', why: 'it is its own' });
});

test('callbacks that come at the same time reach their own flows only', async () => {
  const issues = await Promise.all([at.issue(), at.issue(), at.issue()]);
  const stranger = `x') OR ExecutionStatus IN ('Running ${randomUUID()}`;
  const uids = [stranger, ...issues.map(({ shipmentUid }) => shipmentUid)];
  const answers = await Promise.all(uids.map((uid) => send(uid, 'ReadyForPickup')));
  expect(answers.map(({ status }) => status)).toEqual([202, 204, 204, 204]);
  for (const { workflowId, shipmentUid } of issues)
    expect(await running.reportHistory(workflowId)).toMatchObject([{ shipmentUid, times: 1 }]);
});

const hostile = [
  `x" OR WorkflowId = "y ${randomUUID()}`,
  `it's ' OR ExecutionStatus = 'Running ${randomUUID()}`,
  `back\\slash ${randomUUID()}`,
  `%* ( AND ) , ${randomUUID()}`,
  `${randomUUID()}${'x'.repeat(10_000)}`,
  `🗄️ ${randomUUID()}`,
];
eachSampled(
  test,
  hostile,
  3,
)('a hostile uid is kept under itself alone: %.30s', async (uid) => {
  expect((await send(uid, 'ReadyForPickup')).status).toBe(202);
  expect(running.received.at(-1)).toMatchObject({ became: 'unmatched', workflowIds: [unmatchedId(uid)] });
  expect(await kept(uid)).toMatchObject([{ shipmentUid: uid }]);
});

// assumptions: Callbacks, Other kinds of event
test('a message of an unknown type is accepted and kept unchanged', async () => {
  const body = JSON.stringify({
    messageType: 'LockerCleaned',
    message: { pupUid: 'pup-central', at: randomUUID() },
  });
  expect((await post(running.url, signed('none', body))).status).toBe(202);
  const [workflowId] = running.received.at(-1)?.workflowIds ?? [];
  const { kept: messages } = await at.client.workflow
    .getHandle(workflowId ?? '')
    .query<Unmatched>('unmatched');
  expect(messages).toMatchObject([
    { callback: { messageType: 'LockerCleaned', body: JSON.parse(body) }, times: 1 },
  ]);
});
