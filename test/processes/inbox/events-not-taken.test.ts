// Events that wait for an external system, as Work says them, on a real Temporal.
import { randomUUID } from 'node:crypto';
import { ApplicationFailure } from '@temporalio/activity';
import { expect, onTestFinished, test } from 'vitest';
import type { EmittedEvent } from '../../../activities/flow-file-activities.ts';
import { EVENT_DELIVERY } from '../../../contract/flows/flow-types.ts';
import { eventsNotTaken } from '../../../processes/inbox/events-not-taken.ts';
import type { InboxParts } from '../../../processes/inbox/inbox-entry.ts';
import { connectClient, newTaskQueue, runWorker } from '../../support/temporal.ts';

test('those of a process that has ended, with what the other system says, until it takes them', async () => {
  const { client, close } = await connectClient();
  onTestFinished(close);
  const taskQueue = newTaskQueue();
  let isThere = false;
  const emitEvent = async () => {
    if (!isThere)
      throw ApplicationFailure.retryable('library is not a connector for events', 'ConnectorUnknown');
  };
  const worker = await runWorker({ taskQueue, activities: { emitEvent } });
  onTestFinished(() => worker.stop());
  const key = `hold-${randomUUID()}`;
  const event: EmittedEvent = {
    ...{ to: 'library', type: 'ended', data: null, at: new Date().toISOString(), number: 1 },
    ...{ flow: { key, name: 'Hold', version: 1 }, key: `${key} 1` },
  };
  const delivery = await client.workflow.start(EVENT_DELIVERY, {
    ...{ taskQueue, workflowId: `${key}/events/${randomUUID()}/1` },
    args: [{ calls: [event], after: null }],
  });
  const parts = { client, taskQueue } as unknown as InboxParts;
  const entries = async (patienceMs?: number) => (await eventsNotTaken(patienceMs).read(parts)).entries;
  await expect
    .poll(() => entries(0), { timeout: 20_000 })
    .toMatchObject([
      {
        key,
        title: `Events of ${key} are not taken`,
        why: expect.stringMatching(
          /tried again \(\d+ times so far\): library is not a connector for events\.$/,
        ),
        toDo: expect.stringContaining(delivery.workflowId),
      },
    ]);
  // A system that is restarted troubles nobody.
  expect(await entries()).toEqual([]);
  isThere = true;
  await delivery.result();
  await expect.poll(() => entries(0), { timeout: 20_000 }).toEqual([]);
});
