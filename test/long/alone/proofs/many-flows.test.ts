// Many flows open at once on one worker: all of them finish, and its memory is what its cache of workflows takes, however many are
// open.
import pLimit from 'p-limit';
import { expect, test, vi } from 'vitest';
import { LockerFlows } from '../../../../client/locker-flows.ts';
import { ourService } from '../../../end-to-end/installation.ts';
import { useInstallation } from '../../../end-to-end/use-installation.ts';
import { startWorkerProcess } from '../../../end-to-end/worker-process.ts';
import { newTaskQueue } from '../../../support/temporal.ts';

const FLOWS = 1_200;
const CACHED = 200;
/** Its code is compiled by then, and as much waits for a collection as ever will: a worker that has just begun has less of both. */
const WARM = 3 * CACHED;
/** So many are started, and so many people are at the lockers, at a time. */
const AT_A_TIME = 20;
const PATIENCE_MS = 300_000;
/** Beyond what it is when its cache has been filled three times. */
const MAX_GROWTH = 1.1;
const pupUid = 'pup-many';

const installation = useInstallation(ourService, { worker: false });

const lanes = pLimit(AT_A_TIME);

test(`${FLOWS} flows open at once all finish`, { timeout: 4 * PATIENCE_MS }, async () => {
  const { client, people } = installation();
  await people.newPickUpPoint(pupUid, FLOWS);
  const taskQueue = newTaskQueue();
  const worker = await startWorkerProcess(installation(), {
    LOCKERFLOW_TASK_QUEUE: taskQueue,
    WORKER_CACHED_WORKFLOWS: String(CACHED),
  });
  try {
    const flows = new LockerFlows(client, { taskQueue });
    const keys = Array.from({ length: FLOWS }, (_, index) => `many-${taskQueue}-${index}`);
    const request = {
      pupUid,
      toUserUid: 'user-anna',
      dimension: { width: 10, height: 10, length: 10 },
      allowLargerLockers: false,
      allowOverflowLockers: false,
    };
    const open = async (keys: readonly string[], all: number) => {
      await lanes.map(keys, (key) => flows.start('Issue', key, { request }));
      const areBooked = async () => (await people.shipmentsAt(pupUid)).length === all;
      await vi.waitUntil(areBooked, { timeout: PATIENCE_MS, interval: 250 });
    };
    await open(keys.slice(0, WARM), WARM);
    const onceWarm = worker.residentMegabytes;
    await open(keys.slice(WARM), FLOWS);
    const atTheLast = worker.residentMegabytes;

    await lanes.map(await people.shipmentsAt(pupUid), async ({ shipmentUid }) => {
      await people.dropOff(shipmentUid);
      await people.pickUp(shipmentUid);
    });
    await lanes.map(keys, async (key) => {
      expect(await flows.handle<'Issue'>(key).result()).toMatchObject({ outcome: 'Done' });
    });
    const shipments = await people.shipmentsAt(pupUid);
    expect(shipments.map(({ stateCode }) => stateCode)).toEqual(shipments.map(() => 'Completed'));
    expect(shipments).toHaveLength(FLOWS);
    process.stdout.write(
      `worker: ${Math.round(onceWarm)} MB with ${WARM} flows, ${CACHED} of them cached; ${Math.round(atTheLast)} MB with ${FLOWS}\n`,
    );
    expect(atTheLast).toBeLessThanOrEqual(onceWarm * MAX_GROWTH);
  } finally {
    await worker.kill();
  }
});
