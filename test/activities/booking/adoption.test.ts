// @module-tag invariant
// Two flows whose answers were lost in the same outage, and one shipment in the listing that may be either's: one adopts it,
// the other asks a person, until the first has ended.
import { randomUUID } from 'node:crypto';
import type { WorkflowHandle } from '@temporalio/client';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { ProcessProgress, ShipmentRecord } from '../../../contract/index.ts';
import type { Booked } from '../../../flows/booking/activities.ts';
import { failure, type Reply } from '../../shared/locker-api/test-server.ts';
import { newBooking, newFileProgress } from '../../support/progress.ts';
import {
  inTurn,
  issueInput,
  issueRequest,
  type Replies,
  reset,
  shipmentRecord,
  startTestApi,
  succeeded,
  useActivityWorker,
} from '../activity-harness.ts';

const harness = useActivityWorker();
const withListing = { LOCKER_CAPABILITIES: 'getShipments' };

const bookInput = (caseNo: string, workflowId: string, booking?: string) =>
  issueInput({
    ...(booking !== undefined && { booking }),
    input: {
      request: { ...issueRequest, details: { referenceNo: `no ${caseNo}`, referenceCaseNo: caseNo } },
    },
    idempotencyKey: randomUUID(),
    workflowId,
  });

const recordOf = (shipmentUid: string, caseNo: string) =>
  shipmentRecord({ shipmentUid, lockerName: null, referenceNo: `no ${caseNo}`, referenceCaseNo: caseNo });

async function world(...shipmentUids: string[]) {
  const caseNo = randomUUID();
  const items = shipmentUids.map((uid) => recordOf(uid, caseNo));
  return worldWith(caseNo, succeeded('GetShipments', listOf(items)));
}

const listOf = (items: readonly ShipmentRecord[]) =>
  ({ items, totalItems: items.length, totalPages: 1 }) as never;

async function worldWith(caseNo: string, listing: Reply, booking: Reply = reset) {
  const replies: Replies = { CreateLocalShipmentAsIssue: booking, GetShipments: listing };
  const { api, sent } = await startTestApi(replies);
  const { client, taskQueue, holdsShipments } = harness(api, withListing);
  return {
    client,
    taskQueue,
    sent,
    holdsShipments,
    start: async (
      workflowId = `order-${randomUUID()}`,
      { booking, progress }: { booking?: string; progress?: ProcessProgress } = {},
    ) => {
      const flow = await client.workflow.start('bookAndFollow', {
        taskQueue,
        workflowId,
        args: [bookInput(caseNo, workflowId, booking), { startToCloseTimeout: '1 minute' }, progress],
      });
      onTestFinished(() => void flow.terminate().catch(() => undefined));
      return flow;
    },
  };
}

const outcomeOf = (flow: WorkflowHandle): Promise<Booked | string> =>
  vi.waitUntil(() => flow.query<Booked | string>('outcome').catch(() => undefined), { timeout: 60_000 });

const adopted = (outcome: Booked | string) => typeof outcome !== 'string';

it('is adopted by one flow only, even if many flows look for it at the same time', async () => {
  const shipmentUid = randomUUID();
  const { start } = await world(shipmentUid);
  const flows = await Promise.all(Array.from({ length: 5 }, () => start()));
  const outcomes = await Promise.all(flows.map(outcomeOf));
  expect(outcomes.filter(adopted)).toMatchObject([{ shipments: [{ shipmentUid }] }]);
  for (const outcome of outcomes.filter((each) => !adopted(each)))
    expect(outcome).toContain('another flow has adopted the shipment that may be this booking');
});

it('comes with the locker that the listing had when it was found', async () => {
  const [shipmentUid, caseNo] = [randomUUID(), randomUUID()];
  const listed = succeeded('GetShipments', listOf([{ ...recordOf(shipmentUid, caseNo), lockerName: '7' }]));
  // Nothing else can tell it.
  const { start } = await worldWith(caseNo, inTurn(listed, failure(404, 'UnknownOperation')));
  expect(await outcomeOf(await start())).toMatchObject({
    shipments: [{ shipmentUid, pupUid: 'pup-central', lockerName: '7' }],
  });
});

it('is free for another flow as soon as the flow that adopted it has ended', async () => {
  const shipmentUid = randomUUID();
  const { start, client } = await world(shipmentUid);
  const first = await start();
  expect(adopted(await outcomeOf(first))).toBe(true);
  expect(adopted(await outcomeOf(await start()))).toBe(false);
  await first.terminate();
  const next = await start();
  expect(adopted(await outcomeOf(next))).toBe(true);
  const { memo } = await client.workflow.getHandle(`adopted:${shipmentUid}`).describe();
  expect(memo).toEqual({ by: next.workflowId });
});

it('leaves the others to a person also where the flow that adopted it can be found by it', async () => {
  const shipmentUid = randomUUID();
  const { start, client, taskQueue, holdsShipments } = await world(shipmentUid);
  const { workflowId: by } = await holdsShipments({ shipmentUids: [shipmentUid] });
  const args = [{ shipmentUid, by }];
  const options = { taskQueue, workflowId: `adopted:${shipmentUid}`, args, memo: { by } };
  const reservation = await client.workflow.start('AdoptedShipment', options);
  onTestFinished(() => void reservation.terminate().catch(() => undefined));
  expect(await outcomeOf(await start())).toContain('another flow has adopted the shipment');
});

it('stays with its flow when the attempt that adopted it is made again', async () => {
  const shipmentUid = randomUUID();
  const { start, client } = await world(shipmentUid);
  const flow = await start();
  expect(adopted(await outcomeOf(flow))).toBe(true);
  const reservation = client.workflow.getHandle(`adopted:${shipmentUid}`);
  const { runId } = await reservation.describe();
  // It has looked once and looks again in a minute: it does not notice that the flow has ended.
  await expect
    .poll(async () => (await reservation.describe()).raw.pendingActivities?.[0]?.attempt, { timeout: 60_000 })
    .toBeGreaterThan(1);
  await flow.terminate();
  expect(adopted(await outcomeOf(await start(flow.workflowId)))).toBe(true);
  expect((await reservation.describe()).runId).toBe(runId);
});

it('is adopted by one booking of its process only', async () => {
  const shipmentUid = randomUUID();
  const { start, client, taskQueue, holdsShipments } = await world(shipmentUid);
  const by = `order-${randomUUID()}`;
  // It ends with the flow that it names, and this one begins only later.
  const running = await holdsShipments({ shipmentUids: [randomUUID()] });
  const reservation = await client.workflow.start('AdoptedShipment', {
    taskQueue,
    workflowId: `adopted:${shipmentUid}`,
    memo: { by, booking: 'loan' },
    args: [{ shipmentUid, by: running.workflowId }],
  });
  onTestFinished(() => void reservation.terminate().catch(() => undefined));
  const progress = newFileProgress();
  const ofReturn = await start(by, { booking: 'return', progress });
  expect(await outcomeOf(ofReturn)).toContain('another flow has adopted the shipment');
  await ofReturn.terminate();
  expect(adopted(await outcomeOf(await start(by, { booking: 'loan', progress })))).toBe(true);
});

it('is not adopted by a booking whose sibling has booked it: that one books again', async () => {
  const [shipmentUid, again, caseNo] = [randomUUID(), randomUUID(), randomUUID()];
  const { start, sent } = await worldWith(
    caseNo,
    succeeded('GetShipments', listOf([recordOf(shipmentUid, caseNo)])),
    inTurn(reset, succeeded('CreateLocalShipmentAsIssue', { shipmentUids: [again] })),
  );
  const progress = newFileProgress({
    bookings: [
      newBooking({ id: 'loan', shipments: { issue: { shipmentUid } } as never }, 'Issue'),
      newBooking({ id: 'return', activity: 'Booking' }, 'Issue'),
    ],
  });
  const outcome = await outcomeOf(await start(undefined, { booking: 'return', progress }));
  expect(outcome).toMatchObject({ shipments: [{ shipmentUid: again }] });
  expect(sent('CreateLocalShipmentAsIssue')).toHaveLength(2);
});
