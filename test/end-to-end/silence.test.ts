// No callback is ever sent: what changed comes to the flows by the reconciler alone, run by a Temporal Schedule.
import { randomUUID } from 'node:crypto';
import { ScheduleOverlapPolicy } from '@temporalio/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eachSampled } from '../support/suite.ts';
import { ourService } from './installation.ts';
import { Play } from './play.ts';
import { stories } from './stories.ts';
import { useInstallation } from './use-installation.ts';

const oneOfEachFlow = [...new Map(stories.map((story) => [story.flow, story])).values()];

const installation = useInstallation(ourService, { sender: false });
let stopSchedule: () => Promise<void>;

beforeAll(async () => {
  const { client, taskQueue } = installation();
  const schedule = await client.schedule.create({
    scheduleId: `reconcile-${randomUUID()}`,
    spec: { intervals: [{ every: '1s' }] },
    policies: { overlap: ScheduleOverlapPolicy.SKIP },
    action: { type: 'startWorkflow', workflowType: 'ReconcileShipments', taskQueue },
  });
  stopSchedule = () => schedule.delete();
});
afterAll(async () => {
  expect(installation().received).toEqual([]);
  await stopSchedule();
});

eachSampled(
  test.concurrent,
  oneOfEachFlow,
  oneOfEachFlow.length,
  1,
)('$title ends without a callback, and gets each change once', async (story) => {
  const play = await Play.begin({ installation: installation(), story });
  await play.doAll();
  await play.expectDone();
  const { reportHistory } = await play.handle.progress();
  expect(reportHistory.map(({ times }) => times)).toEqual(reportHistory.map(() => 1));
});
