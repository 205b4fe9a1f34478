// Who holds the locks of flow files, who waits for them, and how far rate limits are used.
import { WorkflowNotFoundError } from '@temporalio/client';
import { z } from 'zod';
import type { PermitQueueView, PermitSource } from '../contract/flows/correlation.ts';
import { permitQueueId, queueTypes } from '../shared/routing/mailboxes.ts';
import { eachAtOnce } from './at-once.ts';
import { type AtTemporal, answered } from './at-temporal.ts';

const holder = z.object({
  process: z.string().meta({ description: 'The key of the process' }),
  invoke: z.string().meta({ description: 'The id of the invoke in its file' }),
  since: z.string().meta({ description: 'Since when it holds the lock, or waits' }),
});

export const permitQueues = z
  .object({
    items: z.array(
      z.object({
        src: z.enum(['lock', 'rate']),
        key: z.string(),
        holders: z.array(holder),
        waiting: z.array(holder).meta({ description: 'The next one first; the first ones of many' }),
        waitingCount: z.int(),
        given: z
          .int()
          .optional()
          .meta({ description: 'Of a rate limit: how many within the present period' }),
      }),
    ),
  })
  .meta({ title: 'Locks' });

/** More are on no page. */
const MAX_LISTED = 200;

/** Null: nobody holds it and nobody waits for it. */
export async function readQueue(
  client: AtTemporal['client'],
  src: PermitSource,
  key: string,
): Promise<PermitQueueView | null> {
  return await viewAt(client, permitQueueId(src, key));
}

/** Those for which most wait first; not those that have ended meanwhile. */
export async function readQueues(client: AtTemporal['client']): Promise<readonly PermitQueueView[]> {
  const types = Object.values(queueTypes)
    .map((type) => `'${type}'`)
    .join(', ');
  const query = `WorkflowType IN (${types}) AND ExecutionStatus = 'Running'`;
  const ids: string[] = [];
  for await (const { workflowId } of client.workflow.list({ query })) {
    ids.push(workflowId);
    if (ids.length === MAX_LISTED) break;
  }
  const views: PermitQueueView[] = [];
  for await (const { outcome } of eachAtOnce(ids, (id) => viewAt(client, id))) {
    if (!outcome.done) throw outcome.error;
    if (outcome.value) views.push(outcome.value);
  }
  return views.sort(
    (one, other) => other.waitingCount - one.waitingCount || one.key.localeCompare(other.key),
  );
}

async function viewAt(client: AtTemporal['client'], workflowId: string): Promise<PermitQueueView | null> {
  try {
    const handle = client.workflow.getHandle(workflowId);
    const { status } = await handle.describe();
    if (status.name !== 'RUNNING') return null;
    return await answered({ client }, () => handle.query<PermitQueueView>('permits'));
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return null;
    throw error;
  }
}
