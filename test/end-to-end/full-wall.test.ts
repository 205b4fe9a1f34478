// Bookings that the service refuses: the flow fails with the service's code and nothing stays booked; with waitForLocker
// it has the first locker that becomes free.
import { randomUUID } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { FlowCancelled, FlowFailed } from '../../client/flow-errors.ts';
import { flowTypes } from '../../contract/flows/flow-types.ts';
import { eachSampled } from '../support/suite.ts';
import { ourService } from './installation.ts';
import { useInstallation } from './use-installation.ts';

const installation = useInstallation(ourService);

const toAnna = { toUserUid: 'user-anna' };
const bookingAt = (pupUid: string) => ({
  pupUid,
  dimension: { width: 10, height: 10, length: 10 },
  allowLargerLockers: true,
  allowOverflowLockers: false,
});

/** Of one locker, which somebody else has. */
async function fullWall() {
  const { people } = installation();
  const pupUid = `pup-${randomUUID()}`;
  await people.newPickUpPoint(pupUid, 1);
  const request = { ...bookingAt(pupUid), ...toAnna };
  const { shipmentUids } = await people.call('CreateLocalShipmentAsIssue', request);
  return { pupUid, request, othersUid: String((shipmentUids as string[])[0]) };
}

async function codeOf(result: Promise<unknown>): Promise<string> {
  const failed = await result.catch((error: unknown) => error);
  if (!(failed instanceof FlowFailed)) throw new Error('the flow has not failed', { cause: failed });
  return failed.code;
}

/** A flow that has found the wall full, and waits. */
async function waiting() {
  const { client, flows } = installation();
  const wall = await fullWall();
  const input = { request: wall.request, waitForLocker: 'PT1H' };
  const handle = await flows.start('Issue', `issue-${randomUUID()}`, input);
  const workflow = client.workflow.getHandle(handle.workflowId);
  const wasRefused = async () => {
    const [booking] = (await workflow.describe()).raw.pendingActivities ?? [];
    return (booking?.attempt ?? 0) > 1;
  };
  await vi.waitUntil(wasRefused, { timeout: 60_000, interval: 20 });
  return { ...wall, handle };
}

test('a flow that is cancelled while it waits for a locker books nothing', async () => {
  const { pupUid, handle } = await waiting();
  await handle.cancel();
  await expect(handle.result()).rejects.toThrow(FlowCancelled);
  expect(await installation().people.shipmentsAt(pupUid)).toHaveLength(1);
});

test('a flow that waits for a locker books the first one that becomes free', async () => {
  const { people } = installation();
  const { pupUid, othersUid, handle } = await waiting();
  await people.cancel(othersUid);
  const own = await vi.waitUntil(
    async () => (await people.shipmentsAt(pupUid)).find(({ shipmentUid }) => shipmentUid !== othersUid),
    { timeout: 60_000, interval: 20 },
  );
  await people.dropOff(own.shipmentUid);
  await people.pickUp(own.shipmentUid);
  expect(await handle.result()).toMatchObject({
    outcome: 'Done',
    shipments: { issue: { shipmentUid: own.shipmentUid, lockerName: '1' } },
  });
});

test('a flow that has waited for a locker as long as it was told fails with the code of the service', async () => {
  const { pupUid, request } = await fullWall();
  const input = { request, waitForLocker: 'PT1S' };
  const handle = await installation().flows.start('Issue', `issue-${randomUUID()}`, input);
  expect(await codeOf(handle.result())).toBe('NoLockerAvailable');
  expect(await installation().people.shipmentsAt(pupUid)).toHaveLength(1);
});

test('a flow that does not wait fails on a full wall with the code of the service, and books nothing', async () => {
  const { pupUid, request } = await fullWall();
  const handle = await installation().flows.start('Issue', `issue-${randomUUID()}`, { request });
  expect(await codeOf(handle.result())).toBe('NoLockerAvailable');
  expect(await installation().people.shipmentsAt(pupUid)).toHaveLength(1);
});

test('a pick up point that there is not fails the flow with the code of the service', async () => {
  const request = { ...bookingAt('nowhere'), ...toAnna };
  const handle = await installation().flows.start('Issue', `issue-${randomUUID()}`, { request });
  expect(await codeOf(handle.result())).toBe('InvalidPupUid');
});

const unchecked = flowTypes.flatMap((flow) => [[flow, []] as const, [flow, [{ deadlines: 7 }]] as const]);

eachSampled(
  test.concurrent,
  unchecked,
  9,
)('%s started without the client, with %j, fails and names the missing fields', async (flow, args) => {
  const { client, taskQueue } = installation();
  const workflowId = `unchecked-${randomUUID()}`;
  const result = client.workflow.execute(flow, { taskQueue, workflowId, args: [...args] });
  await expect(result).rejects.toMatchObject({
    cause: {
      type: 'InvalidRequest',
      message: expect.stringMatching(/required|expected/),
      details: [expect.any(Object)],
      nonRetryable: true,
    },
  });
});

test('stock with a receiver is not issued to another user, and does not change', async () => {
  const { people, flows } = installation();
  const { othersUid } = await fullWall();
  const before = await people.shipment(othersUid);
  const handle = await flows.start('IssueFromStock', `issue-${randomUUID()}`, {
    request: { priorShipmentUid: othersUid, toUserUid: 'user-bram' },
  });
  expect(await codeOf(handle.result())).toBe('InvalidShipmentState');
  expect(await people.shipment(othersUid)).toEqual(before);
});
