// Takes back what a batch did, where that was to move ends: another batch puts each end back that still is where the first one put it.
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { startedWith } from '../../client/started-with.ts';
import type { BatchInput, BatchMemo, BatchOutcome } from '../../contract/flows/batches.ts';
import { BATCH } from '../../contract/flows/flow-types.ts';
import { undoExtension } from '../commands/extend.ts';
import { canBeTakenBack, type MoveBack, moveBack } from '../commands/moved-end.ts';
import { orThrow, refused } from '../outcome.ts';
import { runBatch } from '../run-batch.ts';
import { attributionOf, type CommandContext } from '../temporal-context.ts';
import { describeBatch, undoIdOf, undoUntil } from './read-batches.ts';
import { allOutcomes } from './read-outcomes.ts';
import { flowsFor } from './start-batch.ts';

/** Gives the id of the batch that takes it back: asked again, it is the same one. Throws CommandError. */
export async function undoBatch(commandContext: CommandContext, id: string): Promise<string> {
  const found = await describeBatch(commandContext, id);
  const { batch } = (found.memo ?? {}) as Partial<BatchMemo>;
  if (found.type !== BATCH || !canBeTakenBack(batch?.command ?? ''))
    throw refused(
      'NotUndoable',
      `what the batch ${id} did cannot be taken back: only an extension or a shortening can`,
    );
  if (!found.closeTime)
    throw refused(
      'BatchRuns',
      `the batch ${id} runs: cancel it, or wait until it has ended, and then take it back`,
    );
  if (undoUntil(found.closeTime) < Date.now())
    throw refused('TooLate', `the batch ${id} ended more than ten minutes ago: move the ends anew`);
  const flows = await flowsFor(commandContext, undoExtension);
  const moves = (await allOutcomes(commandContext, id)).flatMap(moveBackOf);
  if (moves.length === 0) throw refused('NothingDone', `the batch ${id} has moved no end`);
  const fieldsOfEach = moves.map(({ fields }) => fields);
  if (JSON.stringify(fieldsOfEach).length > MAX_FIELD_CHARACTERS)
    throw refused('TooLarge', `the batch ${id} has moved too many ends to take them back at once`);
  const { input } = await startedWith(commandContext.client, found.workflowId, found.runId);
  const undoId = undoIdOf(id, found.runId);
  try {
    await runBatch(commandContext, undoId, {
      command: undoExtension.name,
      fields: {},
      who: attributionOf(commandContext),
      identity: commandContext.client.options.identity,
      flows,
      rate: (input as BatchInput).rate,
      keys: moves.map(({ key }) => key),
      fieldsOfEach,
      undoes: id,
    });
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
  return undoId;
}

/** Temporal takes 2 MB at once, with the keys. */
const MAX_FIELD_CHARACTERS = 1_300_000;

/** None for what was not done. */
function moveBackOf(each: BatchOutcome): MoveBack[] {
  const move = each.outcome === 'done' ? moveBack(each.result, each.key) : null;
  if (move) orThrow(undoExtension.read(move.fields));
  return move ? [move] : [];
}
