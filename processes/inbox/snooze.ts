// Snoozed entries of Work: each is a workflow that ends at its moment, so that whoever opens the page, and whatever is restarted, sees
// the same. Nothing becomes of the process.
import { createHash } from 'node:crypto';
import { WorkflowNotFoundError } from '@temporalio/client';
import { SNOOZED_ENTRY } from '../../contract/flows/flow-types.ts';
import { internalIds } from '../../contract/flows/internal-ids.ts';
import type { SnoozedEntryInput, SnoozeMemo } from '../../contract/flows/snooze.ts';
import { t } from '../../shared/texts/text.ts';
import { wrongInput } from '../outcome.ts';
import {
  attributionOf,
  type CommandContext,
  callTemporal,
  type TemporalContext,
} from '../temporal-context.ts';
import { onTaskQueue } from '../views/flow-query.ts';

/** Whatever is put off for longer is forgotten. */
const LONGEST_MS = 31 * 86_400_000;

/** An entry's id has the key of its process, which may be as long as an id of Temporal. */
const workflowIdOf = (entry: string): string =>
  `${internalIds.snoozed}${createHash('sha256').update(entry).digest('base64url')}`;

/** The same entry again gets the new moment. Throws CommandError. */
export async function snooze(commandContext: CommandContext, entry: string, until: Date): Promise<void> {
  const ms = until.getTime();
  if (!(ms > Date.now()))
    throw wrongInput(t`until must be in the future`, { until: t`must be in the future` });
  if (ms > Date.now() + LONGEST_MS)
    throw wrongInput(t`until must be within 31 days`, { until: t`must be within 31 days` });
  const memo: SnoozeMemo = { entry, until: until.toISOString(), who: attributionOf(commandContext) };
  const input: SnoozedEntryInput = { until: ms };
  await callTemporal(commandContext, () =>
    commandContext.client.workflow.start(SNOOZED_ENTRY, {
      workflowId: workflowIdOf(entry),
      taskQueue: commandContext.taskQueue,
      args: [input],
      memo: { snooze: memo },
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      workflowIdConflictPolicy: 'TERMINATE_EXISTING',
      staticSummary: t`An entry of Work that is snoozed`,
    }),
  );
}

/** Also if it is not snoozed any more. */
export async function wake(commandContext: CommandContext, entry: string): Promise<void> {
  const handle = commandContext.client.workflow.getHandle(workflowIdOf(entry));
  await callTemporal(commandContext, () => handle.terminate(`woken by ${commandContext.by}`)).catch(
    (error: unknown) => {
      if (!(error instanceof WorkflowNotFoundError)) throw error;
    },
  );
}

/** By the id of the entry. */
export async function snoozedEntries({
  client,
  taskQueue,
}: TemporalContext): Promise<ReadonlyMap<string, SnoozeMemo>> {
  const query = `WorkflowType = '${SNOOZED_ENTRY}' AND ExecutionStatus = 'Running' AND ${onTaskQueue(taskQueue)}`;
  const found = new Map<string, SnoozeMemo>();
  for await (const { memo } of client.workflow.list({ query })) {
    const { snooze: kept } = (memo ?? {}) as { readonly snooze?: SnoozeMemo };
    if (kept) found.set(kept.entry, kept);
  }
  return found;
}
