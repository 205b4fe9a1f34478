// Issue written by hand, with the same call and the same signals: the floor that the flow of the same name is held to.
import { condition, defineSignal, proxyActivities, setHandler } from '@temporalio/workflow';
import type { FlowActivities } from '../../activities/flow-activities.ts';
import type { ShipmentReport } from '../../contract/flows/flow-messages.ts';

const { book } = proxyActivities<Pick<FlowActivities, 'book'>>({ startToCloseTimeout: '1 minute' });

export async function Issue({ request }: { request: Record<string, unknown> }): Promise<string> {
  let isDone = false;
  setHandler(defineSignal<[ShipmentReport]>('shipmentStatus'), ({ stateCode }) => {
    isDone ||= stateCode === 'Completed';
  });
  await book({
    flow: 'Issue',
    operation: 'CreateLocalShipmentAsIssue',
    input: { request },
    legs: [{ role: 'issue', isPrior: false, references: 'details', follows: null }],
    deadlines: [],
    takesOver: false,
    idempotencyKey: 'key',
    workflowId: 'minimal',
    lockerWaitEndsAt: null,
    unknownSince: null,
  });
  await condition(() => isDone);
  return 'Done';
}
