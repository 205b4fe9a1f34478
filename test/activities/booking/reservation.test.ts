// @module-tag invariant
// The reservation of shipments that flows adopt: all or none of them, until the flow ends.
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { adoptionActivities, reserve } from '../../../activities/booking/adoption.ts';
import { newTaskQueue, runWorker, temporalClient } from '../../support/temporal.ts';

const TIMES = 3;
const taskQueue = newTaskQueue();
const workflows = fileURLToPath(new URL('../fixtures/workflows.ts', import.meta.url));

interface Reserving {
  readonly shipmentUids: readonly string[];
  readonly told: (by: string | null) => void;
  readonly ended: Promise<void>;
}
const reserving = new Map<string, Reserving>();

beforeAll(async () => {
  /** Reserves, tells what came of it, and keeps its flow running. */
  const reserveAndStay = async (key: string) => {
    const each = reserving.get(key);
    if (!each) throw new TypeError(`nothing is to be reserved for ${key}`);
    each.told(await reserve(each.shipmentUids));
    await each.ended;
  };
  const worker = await runWorker({
    taskQueue,
    workflows,
    activities: { ...adoptionActivities(), reserveAndStay },
  });
  return worker.stop;
});

/** A flow that runs until the test ends; null where it has all of them, else the flow that has one. */
async function reserved(...shipmentUids: string[]): Promise<{ workflowId: string; by: string | null }> {
  const client = await temporalClient();
  const workflowId = `order-${randomUUID()}`;
  const { promise: by, resolve: told } = Promise.withResolvers<string | null>();
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  reserving.set(workflowId, { shipmentUids, told, ended });
  const args = ['reserveAndStay', workflowId, { startToCloseTimeout: '2 minutes' }];
  const flow = await client.workflow.start('callActivity', { taskQueue, workflowId, args });
  onTestFinished(async () => {
    end();
    await flow.result();
  });
  return { workflowId, by: await by };
}

const threeUids = () =>
  ['a', 'b', 'c'].map((letter) => `${letter}-${randomUUID()}`) as [string, string, string];

it('reserves all shipments or none: if another flow has one of them, the others are free again', async () => {
  const [first, second, third] = threeUids();
  const holder = await reserved(second);
  expect(holder.by).toBeNull();
  expect((await reserved(first, second, third)).by).toBe(holder.workflowId);
  const client = await temporalClient();
  await client.workflow.getHandle(`adopted:${first}`).result();
  expect((await reserved(first, third)).by).toBeNull();
});

it('goes to one of several flows that want the same shipments, for any order of the uids', async () => {
  for (let time = 0; time < TIMES; time += 1) {
    const uids = threeUids();
    const all = await Promise.all([reserved(...uids), reserved(...uids.toReversed())]);
    expect(all.filter(({ by }) => by === null)).toHaveLength(1);
  }
});

it('ends by itself when its flow has ended', async () => {
  const client = await temporalClient();
  const shipmentUid = randomUUID();
  const reservation = await client.workflow.start('AdoptedShipment', {
    taskQueue,
    workflowId: `adopted:${shipmentUid}`,
    args: [{ shipmentUid, by: `order-${randomUUID()}` }],
  });
  await reservation.result();
});
