// Leaves word of an item that somebody has and that no process waits for any more: a workflow, one for each shipment, which a person
// ends.
import { type Client, WorkflowExecutionAlreadyStartedError, WorkflowIdReusePolicy } from '@temporalio/client';
import { ITEM_OUT } from '../../contract/flows/flow-types.ts';
import { internalIds } from '../../contract/flows/internal-ids.ts';
import type { ItemOut } from '../../contract/flows/item-out.ts';
import { readable } from './park.ts';

export const itemOutId = (shipmentUid: string): string => `${internalIds.itemOut}${readable(shipmentUid)}`;

/** Also if it was left before: what a person has settled stays settled. */
export async function keepItemOut(client: Client, taskQueue: string, item: ItemOut): Promise<void> {
  try {
    await client.workflow.start(ITEM_OUT, {
      workflowId: itemOutId(item.shipmentUid),
      taskQueue,
      args: [item],
      workflowIdReusePolicy: WorkflowIdReusePolicy.REJECT_DUPLICATE,
      staticSummary: 'An item that somebody has, and that no process waits for',
    });
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}
