// The outside door of the flows, on a real Temporal server: what a service that starts and follows flows relies on.
import { randomUUID } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import {
  BusinessKeyInUse,
  FlowCancelled,
  FlowFailed,
  FlowNotFound,
  UpdateRefused,
} from '../../client/flow-errors.ts';
import { examples } from '../../contract/operations/examples.ts';
import { ContractError } from '../../contract/wire/contract-error.ts';
import { ownersOf } from '../support/owners.ts';
import { reportOf } from '../workflows/outside.ts';
import { flowsAtHand, newKey } from './flows-at-hand.ts';

const at = flowsAtHand();
// With a blank: a business key is whatever its owner calls it.
const key = () => newKey('an order');
const input = { request: examples.CreateLocalShipmentAsIssue.request };
const { request } = input;

async function complete(workflowId: string): Promise<void> {
  const uid = await findable(workflowId);
  await at.outside.does(uid, 'ItemDroppedOff');
  await at.outside.does(uid, 'ItemPickedUp');
}

/** Found by its uid: visibility lags behind the booking. */
async function findable(workflowId: string): Promise<string> {
  const uid = await at.uidOf(workflowId);
  await at.found(`LockerShipmentUids = '${uid}' AND WorkflowId = '${workflowId}'`, 1);
  return uid;
}

test('a flow is started, followed to its end and gives its result', async () => {
  const handle = await at.flows.start('Issue', key(), input);
  const seen = (async () => {
    const states: (string | null | undefined)[] = [];
    for await (const { shipments } of handle.follow({ everyMs: 20 })) states.push(shipments.issue?.stateCode);
    return states;
  })();
  await complete(handle.workflowId);
  const result = await handle.result();
  expect(result).toMatchObject({ outcome: 'Done', shipments: { issue: { stateCode: 'Completed' } } });
  expect((await seen).at(-1)).toBe('Completed');
});

test('the same key and input give the running process, and after its end its result: nothing is booked twice', async () => {
  const workflowId = key();
  await at.flows.start('Issue', workflowId, input);
  const uid = await at.uidOf(workflowId);
  const reordered = { request: Object.fromEntries(Object.entries(request).reverse()) as typeof request };
  await at.flows.start('Issue', workflowId, reordered);
  expect(await at.uidOf(workflowId)).toBe(uid);
  await complete(workflowId);
  await at.flows.handle(workflowId).result();
  const again = await at.flows.start('Issue', workflowId, input);
  expect((await again.result()).shipments.issue?.shipmentUid).toBe(uid);
});

test('the same key with other input or another flow is an error, running or closed', async () => {
  const workflowId = key();
  await at.flows.start('Issue', workflowId, input);
  const other = { request: { ...request, toUserUid: 'user-bram' } };
  const refused = async () => {
    await expect(at.flows.start('Issue', workflowId, other)).rejects.toThrow(BusinessKeyInUse);
    const stock = { request: examples.CreateLocalShipmentAsStock.request };
    await expect(at.flows.start('Stock', workflowId, stock)).rejects.toThrow('a process of type Issue');
  };
  await refused();
  await complete(workflowId);
  await at.flows.handle(workflowId).result();
  await refused();
});

test('a refused booking fails with its code, and its key can be started again', async () => {
  const workflowId = key();
  at.refused.add(workflowId);
  const failure = await (await at.flows.start('Issue', workflowId, input))
    .result()
    .catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(FlowFailed);
  expect(failure).toMatchObject({
    code: 'NoLockerAvailable',
    workflowId,
    message: 'all 24 lockers are taken',
  });
  await at.flows.start('Issue', workflowId, { request: { ...request, toUserUid: 'user-bram' } });
  await complete(workflowId);
  expect(await at.flows.handle(workflowId).result()).toMatchObject({ outcome: 'Done' });
});

test('wrong input is refused whole before anything is sent', async () => {
  const workflowId = key();
  const wrong = {
    request: { ...request, pupUid: '' },
    deadlines: { stock: { dropOff: 'P1D' } },
    waitForLocker: 'soon',
  };
  const failure = await at.flows.start('Issue', workflowId, wrong).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ContractError);
  expect(String(failure)).toContain('request.pupUid');
  expect(String(failure)).toContain('waitForLocker');
  await expect(at.flows.handle(workflowId).progress()).rejects.toThrow(FlowNotFound);
});

test.each([
  'flow-definition:Parcel',
  'unmatched:shipment-1',
  'adopted:shipment-1',
  'reconciler of lockerflow',
])('the id %s is lockerflow’s own: no process is started with it', async (workflowId) => {
  const refusal = { code: 'InvalidRequest', issues: [{ field: 'key' }] };
  await expect(at.flows.start('Issue', workflowId, input)).rejects.toMatchObject(refusal);
  await expect(at.flows.startPublished('Parcel', workflowId, {})).rejects.toMatchObject(refusal);
  await expect(at.flows.handle(workflowId).progress()).rejects.toThrow(FlowNotFound);
});

test('a cancelled flow has no result and says so', async () => {
  const handle = await at.flows.start('Issue', key(), input);
  await findable(handle.workflowId);
  await handle.cancel();
  await expect(handle.result()).rejects.toThrow(FlowCancelled);
  expect((await handle.progress()).shipments.issue?.stateCode).toBe('Cancelled');
});

test('an update that is not possible now is refused in words', async () => {
  const handle = await at.flows.start('Issue', key(), input);
  await at.uidOf(handle.workflowId);
  const refusal = handle.resolve({ action: 'retry', by: 'anna', why: 'to see' });
  await expect(refusal).rejects.toThrow(UpdateRefused);
  await handle.cancel();
});

test('an update of a flow that has ended is refused as such, and of one that never was there is none', async () => {
  const handle = await at.flows.start('Issue', key(), input);
  await at.uidOf(handle.workflowId);
  await handle.cancel();
  await expect(handle.result()).rejects.toThrow(FlowCancelled);
  const resolution = { action: 'retry', by: 'anna', why: 'to see' } as const;
  const refusal = { name: 'UpdateRefused', code: 'FlowEnded', message: expect.stringContaining('has ended') };
  await expect(handle.resolve(resolution)).rejects.toMatchObject(refusal);
  await expect(at.flows.handle(key()).resolve(resolution)).rejects.toThrow(FlowNotFound);
});

test('the flow of a prior shipment is found by its uid from the start, before the booking has answered', async () => {
  const prior = `it's ${randomUUID()}`;
  const { toUserUid } = request;
  const handle = await at.flows.start('IssueFromStock', key(), {
    request: { priorShipmentUid: prior, toUserUid },
  });
  await vi.waitUntil(async () => (await ownersOf(at.client, prior, 'any')).includes(handle.workflowId), {
    timeout: 60_000,
  });
});

// Temporal takes a step back where callbacks come at the moment of a decision: it is not lost.
const decided = { by: 'anna', why: 'seen at the locker' };
const FLOWS = 4;
const REPORTS = 15;

test('a decision that ends a flow is taken though callbacks come in the same moment', async () => {
  const issues = await Promise.all(Array.from({ length: FLOWS }, () => at.issue()));
  const outcomes = issues.map(async ({ workflowId, shipmentUid }) => {
    const handle = at.client.workflow.getHandle(workflowId);
    const report = reportOf(shipmentUid, 'ReadyForPickup', null);
    const reports = Array.from({ length: REPORTS }, () => handle.signal('shipmentStatus', report));
    const flow = at.flows.handle<'Issue'>(workflowId);
    await flow.resolve({ ...decided, action: 'setState', role: 'issue', stateCode: 'Completed' });
    await Promise.allSettled(reports);
    return (await flow.result()).outcome;
  });
  expect(await Promise.all(outcomes)).toEqual(issues.map(() => 'Done'));
});
