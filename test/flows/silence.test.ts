// No callback is ever sent: what changed comes to the flows by the reconciler alone, run by a Temporal Schedule.
import { randomUUID } from 'node:crypto';
import { ScheduleOverlapPolicy } from '@temporalio/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Installation, ourService, startInstallation } from './installation.ts';
import { Play } from './play.ts';
import { stories } from './stories.ts';

const oneOfEachFlow = [...new Map(stories.map((story) => [story.flow, story])).values()];

let installation: Installation;
let stopSchedule: () => Promise<void>;

beforeAll(async () => {
  installation = await startInstallation(ourService, { sender: false });
  const { client, taskQueue } = installation;
  const schedule = await client.schedule.create({
    scheduleId: `reconcile-${randomUUID()}`,
    spec: { intervals: [{ every: '1s' }] },
    policies: { overlap: ScheduleOverlapPolicy.SKIP },
    action: { type: 'startWorkflow', workflowType: 'ReconcileShipments', taskQueue },
  });
  stopSchedule = () => schedule.delete();
});
afterAll(async () => {
  expect(installation.received).toEqual([]);
  await stopSchedule();
  await installation[Symbol.asyncDispose]();
});

test.concurrent.each(oneOfEachFlow)(
  '$title comes to its end without a callback',
  async (story) => {
    const play = await Play.begin({ installation, story });
    await play.doAll();
    await play.expectDone();
  },
  60_000,
);
