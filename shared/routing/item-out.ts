// Leaves word of an item that somebody has and that no process waits for any more: a workflow, one for each shipment, which a person
// ends.
import {
  type Client,
  WorkflowExecutionAlreadyStartedError,
  WorkflowIdReusePolicy,
  WorkflowNotFoundError,
} from '@temporalio/client';
import { ITEM_OUT } from '../../contract/flows/flow-types.ts';
import { internalIds } from '../../contract/flows/internal-ids.ts';
import type { ItemOut, SettleItem } from '../../contract/flows/item-out.ts';
import { readable } from './keep-unmatched.ts';

export const itemOutId = (shipmentUid: string): string => `${internalIds.itemOut}${readable(shipmentUid)}`;

/** Also if it was left before: what a person has settled stays settled. */
export async function keepItemOut(client: Client, taskQueue: string, item: ItemOut): Promise<void> {
  await begin(client, taskQueue, item);
}

/** Before its process is undone, and also after: nobody is asked for it then, or any more. What was settled before stays so. */
export async function settleItemOut(
  client: Client,
  taskQueue: string,
  item: ItemOut & { readonly settled: SettleItem },
): Promise<void> {
  if (await begin(client, taskQueue, item)) return;
  try {
    const handle = client.workflow.getHandle(itemOutId(item.shipmentUid));
    await handle.executeUpdate<SettleItem, [SettleItem]>('settle', { args: [item.settled] });
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
}

/** False: it was begun before. */
async function begin(client: Client, taskQueue: string, item: ItemOut): Promise<boolean> {
  try {
    await client.workflow.start(ITEM_OUT, {
      workflowId: itemOutId(item.shipmentUid),
      taskQueue,
      args: [item],
      workflowIdReusePolicy: WorkflowIdReusePolicy.REJECT_DUPLICATE,
      staticSummary: 'An item that somebody has, and that no process waits for',
    });
    return true;
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    return false;
  }
}
