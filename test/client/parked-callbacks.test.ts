// How a parked callback ends by itself: at the flow that waits for it after all, or as Unclaimed when its time is up.
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Progress } from '../../contract/flows/flow-messages.ts';
import type { ParkedResult } from '../../contract/flows/parked-callback.ts';
import { parkMessage, parkReport } from '../../routing/park.ts';
import { reportOf } from '../workflows/outside.ts';
import { flowsAtHand } from './flows-at-hand.ts';

const at = flowsAtHand();

const handleOf = (workflowId: string) => at.client.workflow.getHandle(workflowId);
const resultOf = (workflowId: string): Promise<ParkedResult> => handleOf(workflowId).result();

test('a callback of a flow that could not be found is given to it as soon as it is', async () => {
  const { workflowId, shipmentUid } = await at.issue();
  const report = reportOf(shipmentUid, 'ReadyForPickup', null);
  const parked = await parkReport(at.client, { taskQueue: at.taskQueue, parkFor: 'P1D' }, report);
  expect(await resultOf(parked)).toEqual({ ended: 'Delivered', to: [workflowId], by: null, why: null });
  const { ledger } = await handleOf(workflowId).query<Progress>('progress');
  expect(ledger).toMatchObject([{ shipmentUid, stateCode: 'ReadyForPickup', times: 1 }]);
});

test('what nobody claims ends as Unclaimed when its time is up, a report and a message alike', async () => {
  const options = { taskQueue: at.taskQueue, parkFor: 'PT1S' };
  const messageType = `LockerCleaned ${randomUUID()}`;
  const message = { messageType, body: { messageType }, receivedAt: new Date().toISOString() };
  const parked = await Promise.all([
    parkReport(at.client, options, reportOf(randomUUID(), 'ReadyForPickup', null)),
    parkMessage(at.client, options, message),
  ]);
  const unclaimed = { ended: 'Unclaimed', to: [], by: null, why: null };
  expect(await Promise.all(parked.map(resultOf))).toEqual([unclaimed, unclaimed]);
  for (const workflowId of parked) {
    const { startTime, closeTime } = await handleOf(workflowId).describe();
    expect((closeTime?.getTime() ?? 0) - startTime.getTime()).toBeGreaterThanOrEqual(1_000);
  }
});
