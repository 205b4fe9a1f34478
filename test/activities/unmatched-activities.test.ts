// When an unmatched callback is tried again: soon at first, for a flow that is just booking, and then ever more rarely.
import type { ApplicationFailure, Client } from '@temporalio/client';
import { MockActivityEnvironment } from '@temporalio/testing';
import { expect, test } from 'vitest';
import { unmatchedActivities } from '../../activities/unmatched-activities.ts';
import { reportOf } from '../workflows/outside.ts';

test('a callback that nobody waits for is tried again after 0.2 s, and at last each hour', async () => {
  const client = {
    workflow: { list: () => [] },
    withAbortSignal: (_: AbortSignal, run: () => unknown) => run(),
  } as unknown as Client;
  const { deliverUnmatched } = unmatchedActivities();
  const delayAfter = (attempt: number) =>
    new MockActivityEnvironment({ attempt }, { client })
      .run(() => deliverUnmatched({ reports: [reportOf('shipment-1', 'ReadyForPickup', null)] }))
      .catch(({ nextRetryDelay }: ApplicationFailure) => nextRetryDelay);
  const delays: unknown[] = [];
  for (const attempt of [1, 2, 3, 4, 5, 6, 30]) delays.push(await delayAfter(attempt));
  expect(delays).toEqual([200, 500, 1_000, 2_000, 30_000, 60_000, 3_600_000]);
});
