// How an unmatched callback ends by itself: at the flow that waits for it after all, or as Unclaimed when its time is up.
import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, test, vi } from 'vitest';
import { unmatchedActivities } from '../../activities/unmatched-activities.ts';
import type { Progress } from '../../contract/flows/flow-answers.ts';
import type { Claim, Unmatched, UnmatchedResult } from '../../contract/flows/unmatched-callback.ts';
import { follow, followersOf } from '../../shared/routing/followers.ts';
import { keepMessage, keepReport, unmatchedId } from '../../shared/routing/keep-unmatched.ts';
import { UnmatchedCallbacks } from '../../shared/routing/unmatched-callbacks.ts';
import { commandsIn } from '../cli/lockerflow-program.ts';
import { newNamespace, newTaskQueue, startWorker } from '../support/temporal.ts';
import { reportOf } from '../workflows/outside.ts';
import { flowsAtHand } from './flows-at-hand.ts';

// The list of what is kept asks each process: those of other files would have no worker any more.
const namespace = await newNamespace();
const { run, runJson } = commandsIn(namespace);

/** Deliveries of claims; a test may hold the next one. */
const { deliverTo } = unmatchedActivities();
const deliveries: Parameters<typeof deliverTo>[0][] = [];
let held: { readonly begin: () => void; readonly released: Promise<void> } | undefined;
const at = flowsAtHand(
  {
    deliverTo: async (input) => {
      const holding = held;
      held = undefined;
      holding?.begin();
      await holding?.released;
      deliveries.push(input);
      await deliverTo(input);
    },
  },
  namespace,
);

function holdDelivery() {
  const begun = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  held = { begin: begun.resolve, released: released.promise };
  return { begun: begun.promise, release: released.resolve };
}

const deliveredTo = (workflowId: string) =>
  deliveries.filter((each) => each.workflowId === workflowId).flatMap(({ reports }) => reports);

const keeping = { taskQueue: at.taskQueue, keepFor: 'P1D' };
const handleOf = (workflowId: string) => at.client.workflow.getHandle(workflowId);
const resultOf = (workflowId: string): Promise<UnmatchedResult> => handleOf(workflowId).result();

test('an unmatched callback is given to its flow as soon as the flow is found', async () => {
  const { workflowId, shipmentUid } = await at.issue();
  const report = reportOf(shipmentUid, 'ReadyForPickup', null);
  const unmatched = await keepReport(at.client, { taskQueue: at.taskQueue, keepFor: 'P1D' }, report);
  expect(await resultOf(unmatched)).toEqual({ ended: 'Delivered', to: [workflowId], by: null, why: null });
  const { reportHistory } = await handleOf(workflowId).query<Progress>('progress');
  expect(reportHistory).toMatchObject([{ shipmentUid, stateCode: 'ReadyForPickup', times: 1 }]);
});

test('unmatched callbacks go in their order to the process that says it follows the shipment', async () => {
  // Its shipment is another: no search leads there.
  const { workflowId } = await at.issue();
  const shipmentUid = randomUUID();
  const states = ['ReadyForDropoff', 'ReadyForPickup', 'Completed'];
  for (const stateCode of states)
    await keepReport(at.client, keeping, reportOf(shipmentUid, stateCode, null));
  await follow(at.client, keeping, { shipmentUid, by: [workflowId], isFoundByCase: true });
  const { runId } = await handleOf(unmatchedId(shipmentUid)).describe();
  const result: UnmatchedResult = await at.client.workflow
    .getHandle(unmatchedId(shipmentUid), runId)
    .result();
  expect(result).toEqual({ ended: 'Delivered', to: [workflowId], by: null, why: null });
  expect(deliveredTo(workflowId)).toMatchObject(states.map((stateCode) => ({ shipmentUid, stateCode })));
  expect(await followersOf(at.client, shipmentUid)).toEqual([{ workflowId }]);
});

test('what no worker has seen yet is given to its process by the first one', async () => {
  const { workflowId } = await at.issue();
  const [taskQueue, shipmentUid] = [newTaskQueue(), randomUUID()];
  const options = { taskQueue, keepFor: 'P1D' };
  const before = reportOf(shipmentUid, 'ReadyForDropoff', null);
  await keepReport(at.client, options, before);
  await follow(at.client, options, { shipmentUid, by: [workflowId], isFoundByCase: false });
  // Nobody has to ask for it: a callback that comes after the process has asked joins the others.
  const after = reportOf(shipmentUid, 'ReadyForPickup', null);
  await keepReport(at.client, options, after);
  const deliveredHere: unknown[] = [];
  await startWorker({
    taskQueue,
    namespace,
    activities: {
      ...unmatchedActivities(),
      deliverTo: async (given: Parameters<typeof deliverTo>[0]) => {
        deliveredHere.push(...given.reports);
        await deliverTo(given);
      },
    },
  });
  expect(await resultOf(unmatchedId(shipmentUid))).toMatchObject({ ended: 'Delivered', to: [workflowId] });
  expect(deliveredHere).toEqual([before, after]);
});

test('what a process that has ended would follow stays kept, for the next one', async () => {
  const { workflowId } = await at.issue();
  const shipmentUid = randomUUID();
  const report = reportOf(shipmentUid, 'ReadyForPickup', null);
  const unmatched = handleOf(await keepReport(at.client, keeping, report));
  await follow(at.client, keeping, { shipmentUid, by: [`gone ${randomUUID()}`], isFoundByCase: true });
  await vi.waitUntil(async () => (await unmatched.describe()).historyLength > 10, { timeout: 30_000 });
  expect((await unmatched.query<Unmatched>('unmatched')).kept).toMatchObject([{ callback: report }]);
  await follow(at.client, keeping, { shipmentUid, by: [workflowId], isFoundByCase: true });
  expect(await resultOf(unmatchedId(shipmentUid))).toMatchObject({ ended: 'Delivered', to: [workflowId] });
});

test('reports and messages that no flow claims end as Unclaimed after KEEP_UNMATCHED_FOR', async () => {
  const options = { taskQueue: at.taskQueue, keepFor: 'PT1S' };
  const messageType = `LockerCleaned ${randomUUID()}`;
  const message = { messageType, body: { messageType }, receivedAt: new Date().toISOString() };
  const unmatched = await Promise.all([
    keepReport(at.client, options, reportOf(randomUUID(), 'ReadyForPickup', null)),
    keepMessage(at.client, options, message),
  ]);
  const unclaimed = { ended: 'Unclaimed', to: [], by: null, why: null };
  expect(await Promise.all(unmatched.map(resultOf))).toEqual([unclaimed, unclaimed]);
  for (const workflowId of unmatched) {
    const { startTime, closeTime } = await handleOf(workflowId).describe();
    expect((closeTime?.getTime() ?? 0) - startTime.getTime()).toBeGreaterThanOrEqual(1_000);
  }
});

test('a callback that is dropped before it was tried once ends as dropped', async () => {
  const taskQueue = newTaskQueue();
  const report = reportOf(randomUUID(), 'ReadyForPickup', null);
  // No worker yet: the first one gets the callback and the decision in one task.
  const unmatched = handleOf(await keepReport(at.client, { taskQueue, keepFor: 'P1D' }, report));
  const dropped = unmatched.executeUpdate('drop', { args: [{ by: 'bram', why: 'a test of the vendor' }] });
  await vi.waitUntil(
    async () => {
      const { raw } = await unmatched.describe();
      return raw.pendingWorkflowTask != null;
    },
    { timeout: 30_000 },
  );
  await startWorker({ taskQueue, namespace, activities: unmatchedActivities() });
  await dropped;
  expect(await unmatched.result()).toMatchObject({
    ended: 'Dropped',
    by: 'bram',
    why: 'a test of the vendor',
  });
});

const claimBy = (workflowId: string): { args: [Claim] } => ({
  args: [{ workflowId, by: 'anna', why: 'booked by hand' }],
});
const messageOf = (messageType: string, more: object = {}) => ({
  messageType,
  body: { messageType, ...more },
  receivedAt: new Date().toISOString(),
});
const signalsOf = async (workflowId: string) =>
  ((await handleOf(workflowId).fetchHistory()).events ?? []).filter(
    (event) => event.workflowExecutionSignaledEventAttributes,
  ).length;

test('a report that comes while a claim delivers is delivered too', async () => {
  const { workflowId } = await at.issue();
  const shipmentUid = randomUUID();
  const unmatched = await keepReport(at.client, keeping, reportOf(shipmentUid, 'ReadyForDropoff', null));
  const delivering = holdDelivery();
  const claimed = handleOf(unmatched).executeUpdate('claim', claimBy(workflowId));
  await delivering.begun;
  await keepReport(at.client, keeping, reportOf(shipmentUid, 'ReadyForPickup', null));
  await vi.waitUntil(async () => (await signalsOf(unmatched)) === 2, { timeout: 30_000 });
  delivering.release();
  await claimed;
  expect(await resultOf(unmatched)).toMatchObject({ ended: 'Claimed', to: [workflowId] });
  expect(deliveredTo(workflowId)).toMatchObject([
    { shipmentUid, stateCode: 'ReadyForDropoff' },
    { shipmentUid, stateCode: 'ReadyForPickup' },
  ]);
});

test('the listing shortens what a sender has written, and its JSON has all of it', async () => {
  const [shipmentUid, stateCode] = [randomUUID().padEnd(5_000, 'u'), 'S'.repeat(60_000)];
  const workflowId = await keepReport(at.client, keeping, reportOf(shipmentUid, stateCode, null));
  const words = ['unmatched', 'list', '--kind', 'shipment'];
  await vi.waitUntil(async () => (await run(words)).out.includes(workflowId), { timeout: 30_000 });
  const lines = (await run(words)).out.split('\n');
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(500);
  expect(lines.find((line) => line.includes(workflowId))).toMatch(/shipment \S{51}… {2}.* {2}S{60}…/);
  const { unmatched } = await runJson<{ unmatched: object[] }>(words);
  expect(unmatched).toContainEqual(
    expect.objectContaining({ workflowId, newest: expect.objectContaining({ stateCode }) }),
  );
  await handleOf(workflowId).terminate();
});

test('a callback that comes every minute is counted, and signalled once an hour', async () => {
  const message = messageOf(`Ping-${randomUUID()}`);
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  onTestFinished(() => void vi.restoreAllMocks());
  const receiver = new UnmatchedCallbacks(at.client, keeping);
  const workflowId = await receiver.message(message);
  for (let minute = 0; minute < 60; minute += 1) {
    now += 60_000;
    await receiver.message({ ...message, receivedAt: new Date(now).toISOString() });
  }
  const { kept } = await handleOf(workflowId).query<Unmatched>('unmatched');
  expect(kept).toMatchObject([{ times: 61 }]);
  expect(await signalsOf(workflowId)).toBe(2);
});

test('messages of one type share a workflow, and messages of all invented types share another', async () => {
  const receiver = new UnmatchedCallbacks(at.client, keeping, { maxTypes: 2, countedForMs: 0 });
  const [one, two] = [`One-${randomUUID()}`, `Two-${randomUUID()}`];
  const ids = new Set<string>();
  for (let count = 0; count < 5; count += 1)
    for (const type of [one, two, `Three-${randomUUID()}`])
      ids.add(await receiver.message(messageOf(type, { count })));
  expect([...ids]).toEqual([
    `unmatched:message:${at.taskQueue}:${one}`,
    `unmatched:message:${at.taskQueue}:${two}`,
    `unmatched:message:${at.taskQueue}:of further types`,
  ]);
  const { kept } = await handleOf(`unmatched:message:${at.taskQueue}:${one}`).query<Unmatched>('unmatched');
  expect(kept).toHaveLength(5);
});

test('each callback is kept for KEEP_UNMATCHED_FOR, also one that comes when the first is given up', {
  tags: 'long',
}, async () => {
  const options = { taskQueue: at.taskQueue, keepFor: 'PT3S' };
  const messageType = `Ping-${randomUUID()}`;
  const workflowId = await keepMessage(at.client, options, messageOf(messageType, { count: 1 }));
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  const cameAt = Date.now();
  await keepMessage(at.client, options, messageOf(messageType, { count: 2 }));
  expect(await resultOf(workflowId)).toMatchObject({ ended: 'Unclaimed' });
  const { closeTime } = await handleOf(workflowId).describe();
  expect((closeTime?.getTime() ?? 0) - cameAt).toBeGreaterThanOrEqual(2_900);
});
