// @module-tag invariant
// The worker process is killed while it runs the flagship flow: at every event of the flow's history, in the short suite at one
// of them. The next worker brings the flow to the same result, and nothing is booked twice.
import type { WorkflowHandle } from '@temporalio/client';
import { test, vi } from 'vitest';
import { LockerFlows } from '../../client/locker-flows.ts';
import { ourService } from '../end-to-end/installation.ts';
import { Play } from '../end-to-end/play.ts';
import { storyOf } from '../end-to-end/stories.ts';
import { useInstallation } from '../end-to-end/use-installation.ts';
import { startWorkerProcess } from '../end-to-end/worker-process.ts';
import { atEachEvent, hasEvent } from '../proofs/killed/at-each-event.ts';
import { killable } from '../support/processes/killable.ts';
import { newTaskQueue } from '../support/temporal.ts';

const flagship = storyOf(
  'IssueFromStockAndSubsequentIntakeAndCircularStock of stock that waits for a receiver',
);
const input = { deadlines: { issue: { pickUp: 'P3D' }, intake: { dropOff: 'P14D' } } };

/** The event at which the short suite kills the worker: the booking is in progress. */
const SOME_EVENTS = [6];
/** Concurrent worker processes: limited by the memory of a CI machine. */
const AT_A_TIME = 4;
// Tasks of a killed worker move to the next one after their timeouts: 10 s, 10 s, and 30 s for an activity with heartbeats.
const PATIENCE_MS = 300_000;

const installation = useInstallation(ourService, { worker: false });

/** Waits until every callback is signalled and no task is pending, so that each step of people starts from rest. */
async function untilQuiet(handle: WorkflowHandle, { pupUid }: Play): Promise<void> {
  const isQuiet = async () => {
    const pending = await installation()
      .people.database.selectFrom('shipment_events')
      .select('event_id')
      .where('pup_uid', '=', pupUid)
      .where('is_pending', '=', true)
      .execute();
    const { pendingWorkflowTask, pendingActivities } = (await handle.describe()).raw;
    return pending.length === 0 && !pendingWorkflowTask && !pendingActivities?.length;
  };
  await vi.waitUntil(isQuiet, { timeout: PATIENCE_MS, interval: 20 });
}

/** Gives how many events its history had in the end. */
async function playKilledAt(event: number): Promise<number> {
  const { client } = installation();
  const taskQueue = newTaskQueue();
  const start = () => startWorkerProcess(installation(), { LOCKERFLOW_TASK_QUEUE: taskQueue });
  await using worker = await killable(start);
  const play = await Play.begin({
    installation: installation(),
    story: flagship,
    input,
    flows: new LockerFlows(client, { taskQueue }),
  });
  const handle = client.workflow.getHandle(play.handle.workflowId);
  const killing = (async () => {
    await vi.waitUntil(() => hasEvent(handle, event), { timeout: PATIENCE_MS, interval: 5 });
    await worker.kill();
  })();
  const people = (async () => {
    for (const step of flagship.steps) {
      await play.untilBooked();
      await untilQuiet(handle, play);
      await play.does(step);
    }
  })();
  await Promise.all([killing, people]);
  await play.expectDone();
  return (await handle.describe()).historyLength;
}

test.concurrent.each(SOME_EVENTS)(
  'a worker killed at event %i changes nothing of what the flow comes to',
  { timeout: 2 * PATIENCE_MS },
  async (event) => {
    await playKilledAt(event);
  },
);

test('killing a worker at any event does not change the result of the flow', { tags: 'long' }, () =>
  atEachEvent(AT_A_TIME, playKilledAt),
);
