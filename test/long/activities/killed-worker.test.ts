// @module-tag invariant
// A worker that is killed while it books: what its last heartbeat told is there for whoever looks into the booking, and
// the server does not repeat the attempt.
import { fileURLToPath } from 'node:url';
import { TimeoutFailure, TimeoutType } from '@temporalio/common';
import { describe, expect, inject, it } from 'vitest';
import { bookCall } from '../../../workflows/booking-calls.ts';
import {
  activityFailure,
  byOperation,
  issueInput,
  type Replies,
  startTestApi,
  useActivityWorker,
} from '../../activities/activity-harness.ts';
import { startTestServer, success, tokenReply } from '../../shared/locker-api/test-server.ts';
import { nodeProgramOfTest } from '../../support/processes/node-program.ts';
import { newTaskQueue } from '../../support/temporal.ts';

const harness = useActivityWorker();
const script = fileURLToPath(new URL('../../activities/processes/activity-worker.ts', import.meta.url));
const operation = 'CreateLocalShipmentAsIssue';

/** Books in a worker of its own, kills that once `whenToKill` says so, and gives the failure that the flow gets. */
async function killed(replies: Replies, whenToKill: (beat: unknown, requests: number) => boolean) {
  await using service = await startTestServer(byOperation(replies));
  await using tokenService = await startTestServer(tokenReply());
  const taskQueue = newTaskQueue();
  const worker = nodeProgramOfTest([script], {
    variables: {
      TEMPORAL_ADDRESS: inject('temporalAddress'),
      TASK_QUEUE: taskQueue,
      API_URL: service.url,
      AUTH_URL: tokenService.url,
    },
  });
  // The workflow runs in the file's worker, the activity in the one to be killed.
  const handle = await harness((await startTestApi({})).api).start('book', issueInput(), {
    taskQueue,
    // So long that a busy machine misses none while the worker lives.
    heartbeatTimeout: '15 s',
    // As flows have it.
    retry: bookCall.options(issueInput()).retry ?? {},
  });
  const shouldBeKilled = async () => {
    const { raw } = await handle.describe();
    const beat = raw.pendingActivities?.[0]?.heartbeatDetails?.payloads?.[0]?.data;
    return whenToKill(beat && JSON.parse(Buffer.from(beat).toString()), service.requests.length);
  };
  await expect.poll(shouldBeKilled, { timeout: 30_000, interval: 20 }).toBe(true);
  await worker.kill();
  const hasFailed = async () => (await handle.describe()).status.name === 'FAILED';
  await expect.poll(hasFailed, { timeout: 120_000 }).toBe(true);
  const failed = await activityFailure(handle.result());
  const bookings = service.requests.filter(({ path }) => path.endsWith(operation)).length;
  return { failed, bookings };
}

describe('a worker killed while it books', () => {
  it('has told the uids that it got, while it still gathered evidence', async () => {
    const replies = { [operation]: success({ shipmentUids: ['shipment-1'] }), GetShipments: () => {} };
    const { failed, bookings } = await killed(replies, (beat) => beat !== undefined && beat !== null);
    expect(failed).toBeInstanceOf(TimeoutFailure);
    expect(failed).toMatchObject({
      timeoutType: TimeoutType.HEARTBEAT,
      lastHeartbeatDetails: { shipmentUids: ['shipment-1'], pupUid: null, lockerName: null },
    });
    expect(bookings).toBe(1);
  });

  it('has reported nothing as long as there was no answer', async () => {
    const { failed, bookings } = await killed({ [operation]: () => {} }, (_, requests) => requests === 1);
    expect(failed).toBeInstanceOf(TimeoutFailure);
    expect(failed instanceof TimeoutFailure && (failed.lastHeartbeatDetails ?? null)).toBeNull();
    expect(bookings).toBe(1);
  });
});
