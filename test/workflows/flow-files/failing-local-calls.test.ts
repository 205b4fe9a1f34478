// A local call that fails again and again: the worker that repeats it has few places for workflow tasks, and other processes need
// them. All of this on a real Temporal, with a worker of two places.
import { randomUUID } from 'node:crypto';
import { ApplicationFailure } from '@temporalio/common';
import { expect, onTestFinished, test } from 'vitest';
import { correlationActivities } from '../../../activities/flow-files/correlation-activities.ts';
import { fetchFlowDefinition } from '../../../activities/flow-files/fetch-flow-definition.ts';
import { publishFiles } from '../../../client/flow-files/publish.ts';
import { connectClient, newTaskQueue, runWorker } from '../../support/temporal.ts';
import { uniqueName } from './running-files.ts';

test('processes whose local call never succeeds leave the worker to others, and go on once it does', async () => {
  const { client, close } = await connectClient();
  onTestFinished(close);
  const taskQueue = newTaskQueue();
  let isFailing = true;
  const worker = await runWorker({
    taskQueue,
    maxConcurrentWorkflowTaskExecutions: 2,
    activities: {
      ...correlationActivities,
      fetchFlowDefinition,
      passOn: async (given: Parameters<typeof correlationActivities.passOn>[0]) => {
        if (isFailing) throw ApplicationFailure.retryable('not now');
        await correlationActivities.passOn(given);
      },
    },
  });
  onTestFinished(() => worker.stop());
  const [listens, other] = [uniqueName('Listens'), uniqueName('Other')];
  const key = randomUUID();
  const published = async (name: string, more: string) => {
    const text = `name: ${name}\nmeaning: Goes on.\n${more}\ninitial: waiting
states: { waiting: { after: { PT1S: over } }, over: { type: final } }`;
    await publishFiles(client, [{ path: 'flow.yaml', text }], taskQueue);
  };
  await published(listens, `correlate: { key: ${key} }`);
  await published(other, '');
  const start = (name: string) =>
    client.workflow.start(name, {
      taskQueue,
      workflowId: `${name}-${randomUUID()}`,
      args: [{ request: {} }],
    });
  const failing = await Promise.all(Array.from({ length: 4 }, () => start(listens)));
  expect(await (await start(other)).result()).toBeNull();
  isFailing = false;
  for (const handle of failing) expect(await handle.result()).toBeNull();
});
