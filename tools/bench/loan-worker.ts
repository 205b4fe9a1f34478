// The measured worker of loans. The outside answers at once: the booking, the people who collect and check, the locker API.
import { Context, getClient } from '@temporalio/activity';
import type { Booked, BookInput } from '../../activities/flow-activities.ts';
import { fetchFlowDefinition } from '../../activities/flow-files/fetch-flow-definition.ts';
import { measuredWorker } from './measured-worker.ts';

async function book({ input }: BookInput): Promise<Booked> {
  const { workflowId = '' } = Context.current().info.workflowExecution ?? {};
  const { shipmentUid, isOpen } = input.request as { shipmentUid: string; isOpen?: boolean };
  if (isOpen !== true) void lend(getClient(), workflowId, shipmentUid);
  const answeredAt = new Date().toISOString();
  const shipment = {
    ...{ shipmentUid, role: 'issue' as const, stateCode: 'ReadyForDropoff', stateStart: answeredAt },
    ...{ pupUid: 'pup-central', lockerName: '7' },
  };
  return { shipments: [shipment], answeredAt, caseNo: null, pupUid: 'pup-central', references: [] };
}

/** What people do, one thing after the other. */
async function lend({ workflow }: ReturnType<typeof getClient>, workflowId: string, shipmentUid: string) {
  for (const stateCode of ['ReadyForPickup', 'Completed']) {
    const now = new Date().toISOString();
    const report = { shipmentUid, stateCode, stateStart: now, receivedAt: now, source: 'callback' };
    await workflow.getHandle(workflowId).signal('shipmentStatus', report);
  }
  const process = workflow.getHandle(workflowId.replace(/\/loan$/, ''));
  const args: [object] = [{ values: { state: 'broken' }, by: 'anna' }];
  for (let isAnswered = false; !isAnswered; ) {
    await new Promise((done) => setTimeout(done, 50));
    // Refused as long as the question is not asked yet.
    isAnswered = await process.executeUpdate('answer', { args }).then(
      () => true,
      () => false,
    );
  }
}

await measuredWorker({
  activities: {
    ...{ book, fetchFlowDefinition, callLockerApi: async () => ({ items: [] }) },
    parkReports: async () => undefined,
  },
  maxCachedWorkflows: 3_000,
});
