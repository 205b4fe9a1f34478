// Pauses, resumes and cancels a batch or a migration, and tries again what a batch could not do.
import { WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError } from '@temporalio/client';
import { startedWith } from '../../client/started-with.ts';
import type { BatchInput, BatchStatus, ControlName } from '../../contract/flows/batches.ts';
import { BATCH } from '../../contract/flows/flow-types.ts';
import { commands, type DescribedName } from '../commands/commands.ts';
import { refused } from '../outcome.ts';
import { runBatch } from '../run-batch.ts';
import { attributionOf, type CommandContext, withDeadline } from '../temporal-context.ts';
import { batchHandle, describeBatch } from './read-batches.ts';
import { allOutcomes } from './read-outcomes.ts';
import { flowsFor } from './start-batch.ts';

/** Those under way are done to their end. Throws CommandError. */
export async function controlBatch(
  commandContext: CommandContext,
  id: string,
  what: ControlName,
): Promise<void> {
  const { runId } = await describeBatch(commandContext, id);
  const handle = commandContext.client.workflow.getHandle(batchHandle(commandContext, id).workflowId, runId);
  try {
    await withDeadline(commandContext, () =>
      handle.executeUpdate(what, { args: [attributionOf(commandContext)] }),
    );
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) throw refused('BatchEnded', `the batch ${id} has ended`);
    throw error;
  }
}

/** Those that were refused, and those that did not answer. It is the same batch: what was done stays. Throws CommandError. */
export async function retryFailed(commandContext: CommandContext, id: string): Promise<void> {
  const { type, status, workflowId, runId } = await describeBatch(commandContext, id);
  if (type !== BATCH) throw refused('NotPossibleNow', `${id} is a migration: migrate again`);
  if (status.name === 'RUNNING')
    throw refused('BatchRuns', `the batch ${id} runs: once it has ended, its failed ones can be tried again`);
  const handle = commandContext.client.workflow.getHandle(workflowId, runId);
  const { phase } = (await handle.result()) as BatchStatus;
  if (phase === 'cancelled')
    throw refused('BatchCancelled', `the batch ${id} was cancelled: start another one`);
  const { input } = await startedWith(commandContext.client, workflowId, runId);
  const before = input as BatchInput;
  const flows = await flowsFor(commandContext, commands[before.command as DescribedName]);
  const who = { ...attributionOf({ ...commandContext, why: commandContext.why ?? before.who.why }) };
  const outcomes = (await allOutcomes(commandContext, id)).filter(({ outcome }) => outcome !== 'refused');
  if (outcomes.length === before.keys.length && outcomes.every(({ outcome }) => outcome === 'done'))
    throw refused('NothingFailed', `nothing of the batch ${id} has failed`);
  try {
    await runBatch(
      commandContext,
      id,
      { ...before, who, flows, identity: commandContext.client.options.identity },
      { saved: { outcomes, sweep: 0, control: { what: 'retry', who } } },
    );
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    throw refused('BatchRuns', `the batch ${id} runs already`);
  }
}
