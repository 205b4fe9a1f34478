// A vendor that sends something new every minute: beyond Temporal's limits of signals and of history nothing is refused,
// nothing is lost silently. The limits are small here.
import { randomUUID } from 'node:crypto';
import { Runtime } from '@temporalio/worker';
import { expect, test, vi } from 'vitest';
import { unmatchedActivities } from '../../../activities/unmatched-activities.ts';
import { searchAttributes } from '../../../contract/flows/search-attributes.ts';
import type { Unmatched } from '../../../contract/flows/unmatched-callback.ts';
import { startTemporalServer } from '../../../local/temporal/server.ts';
import { untilDone } from '../../../scripts/cluster/temporal/until-it-works.ts';
import { keepMessage } from '../../../shared/routing/keep-unmatched.ts';
import { runJson } from '../../cli/lockerflow-program.ts';
import { connectClient, newTaskQueue, runWorker } from '../../support/temporal.ts';

test('far more messages than one run of a workflow takes are all kept or given up, and counted', async () => {
  const server = await startTemporalServer({
    searchAttributes,
    dynamicConfiguration: {
      'history.maximumSignalsPerExecution': '100',
      'limit.historyCount.suggestContinueAsNew': '60',
    },
  });
  const { client, close } = await connectClient(server.address);
  const taskQueue = newTaskQueue();
  // Where the SDK sends what a workflow logs.
  const warned = vi.spyOn(Runtime.instance().logger, 'warn');
  const worker = await runWorker({ taskQueue, activities: unmatchedActivities(), address: server.address });
  try {
    const messageType = `Ping-${randomUUID()}`;
    let workflowId = '';
    for (let count = 0; count < 250; count += 1) {
      const message = { messageType, body: { messageType, count }, receivedAt: new Date().toISOString() };
      // Repeated as a sender repeats it after a 503: faster than the workflow goes on as another run, Temporal takes none.
      workflowId = await untilDone(() => keepMessage(client, { taskQueue, keepFor: 'P30D' }, message));
    }
    const { kept, givenUp, since } = await client.workflow
      .getHandle(workflowId)
      .query<Unmatched>('unmatched');
    expect(kept.map(({ callback }) => callback)).toMatchObject(
      Array.from({ length: 100 }, (_, index) => ({ body: { count: index + 150 } })),
    );
    expect(givenUp).toBe(150);
    // The operator reads it in the worker's log too.
    expect(warned).toHaveBeenLastCalledWith(
      'unmatched callbacks were given up',
      expect.objectContaining({ messageType, givenUp: 150 }),
    );
    const { memo, startTime } = await client.workflow.getHandle(workflowId).describe();
    expect(memo).toMatchObject({ since, givenUp: 150 });
    expect(startTime.getTime()).toBeGreaterThan(Date.parse(since));
    const variables = { TEMPORAL_ADDRESS: server.address };
    const { unmatched } = await runJson<{ unmatched: object[] }>(['unmatched', 'list'], {
      taskQueue,
      variables,
    });
    expect(unmatched).toContainEqual(expect.objectContaining({ workflowId, givenUp: 150 }));
  } finally {
    await worker.stop();
    await close();
    await server.stop();
  }
});
