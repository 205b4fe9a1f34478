// What became of an item that somebody had, and that no process waited for any more.
import { WorkflowNotFoundError } from '@temporalio/client';
import { z } from 'zod';
import { itemBecame, type SettleItem } from '../../contract/flows/item-out.ts';
import { itemOutId } from '../../shared/routing/item-out.ts';
import { t } from '../../shared/texts/text.ts';
import { CommandError, refused } from '../outcome.ts';
import { decisionOf, withDeadline } from '../temporal-context.ts';
import { command } from './command.ts';
import { oneOf } from './read-values.ts';

/** The target is the shipment that was to bring it back. */
export const settleItem = command({
  name: 'settleItem',
  right: 'decide',
  why: 'needed',
  input: z.strictObject({ became: oneOf(itemBecame) }),
  async flowOf({ client }, shipmentUid: string): Promise<null> {
    const { status } = await client.workflow
      .getHandle(itemOutId(shipmentUid))
      .describe()
      .catch((cause: unknown) => {
        if (!(cause instanceof WorkflowNotFoundError)) throw cause;
        throw new CommandError('notFound', 'ItemNotFound', t`no item of ${shipmentUid} is out`, { cause });
      });
    if (status.name !== 'RUNNING')
      throw refused('AlreadySettled', t`the item of ${shipmentUid} is settled already`);
    return null;
  },
  preview: async (): Promise<null> => null,
  async act(commandContext, shipmentUid, { became }) {
    const decision: SettleItem = { ...decisionOf(commandContext), became };
    const handle = commandContext.client.workflow.getHandle(itemOutId(shipmentUid));
    return await withDeadline(commandContext, () =>
      handle.executeUpdate<SettleItem, [SettleItem]>('settle', { args: [decision] }),
    );
  },
  formatPreview: () => t`the entry ends`,
  formatResult: ({ became }) => (became === 'Back' ? t`it is back` : t`it is written off`),
});
