// Starts the workflow that does one command for many processes, or for one where a command has several steps.
import { createHash } from 'node:crypto';
import { queried } from '../client/queried.ts';
import type {
  BatchInput,
  BatchMemo,
  BatchOutcome,
  OutcomePage,
  OutcomesWanted,
  SavedBatch,
} from '../contract/flows/batches.ts';
import { BATCH } from '../contract/flows/flow-types.ts';
import { internalIds } from '../contract/flows/internal-ids.ts';
import { shownAsText } from '../shared/markdown/shown-as-text.ts';
import { bulkRate } from './bulk.ts';
import { CommandError, refused } from './outcome.ts';
import { attributionOf, type CommandContext, withDeadline } from './temporal-context.ts';

interface Run {
  /** Of one that has run before. */
  readonly saved?: SavedBatch;
  /** The same id again is the batch that runs, or else a new one; unless given, it is refused. */
  readonly isRepeatable?: true;
}

/** Throws WorkflowExecutionAlreadyStartedError. */
export async function runBatch(
  { client, taskQueue }: CommandContext,
  id: string,
  input: BatchInput,
  { saved, isRepeatable }: Run = {},
) {
  const { command, who, keys, undoes } = input;
  return await client.workflow.start(BATCH, {
    taskQueue,
    workflowId: `${internalIds.batch}${id}`,
    args: saved ? [input, saved] : [input],
    workflowIdConflictPolicy: isRepeatable ? 'USE_EXISTING' : 'FAIL',
    workflowIdReusePolicy: saved || isRepeatable ? 'ALLOW_DUPLICATE' : 'REJECT_DUPLICATE',
    memo: {
      batch: { command, who, total: keys.length, ...(undoes !== undefined && { undoes }) },
    } satisfies BatchMemo,
    staticSummary: `${shownAsText(command)} for ${keys.length === 1 ? keys[0] : `${keys.length} processes`}`,
  });
}

interface Steps {
  readonly command: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly key: string;
  /** The flow of the process, on which who acts may do all of it. */
  readonly flow: string;
}

/** A person waits for it. */
const WITHIN_MS = 25_000;

/**
 * The steps of a command to one process, as a batch of one: they are done to their end, also where whoever has asked is gone. The
 * same again while it runs is the same batch. Throws CommandError.
 */
export async function takeSteps<Result>(
  commandContext: CommandContext,
  { command, fields, key, flow }: Steps,
): Promise<Result> {
  const id = createHash('sha256')
    .update(JSON.stringify([command, key, fields]))
    .digest('base64url')
    .slice(0, 32);
  const batch = await runBatch(
    commandContext,
    id,
    {
      command,
      fields,
      who: attributionOf(commandContext),
      identity: commandContext.client.options.identity,
      flows: [flow],
      rate: bulkRate.usual,
      keys: [key],
    },
    { isRepeatable: true },
  );
  const ended = async () => {
    await withDeadline(commandContext, () => batch.result(), WITHIN_MS);
    const wanted = { from: 0, size: 1 };
    const read = () => batch.query<OutcomePage, [OutcomesWanted]>('outcomes', wanted);
    return (await queried(commandContext, read)).outcomes;
  };
  const [outcome] = await ended().catch((cause): readonly BatchOutcome[] => {
    throw new CommandError(
      'unreachable',
      'NotDoneYet',
      `${command} ${key} is still under way, and goes on by itself: lockerflow batch show ${id}`,
      { cause },
    );
  });
  if (outcome?.outcome === 'done') return outcome.result as Result;
  if (!outcome) throw refused('BatchCancelled', `${command} ${key} was cancelled`);
  throw new CommandError(
    outcome.outcome === 'refused' ? 'refused' : 'unreachable',
    outcome.code,
    outcome.message,
  );
}
