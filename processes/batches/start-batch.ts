// Starts a batch: one command for many processes, in a workflow of its own. What is wrong for every process is refused here.
import { randomUUID } from 'node:crypto';
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import type { BatchInput } from '../../contract/flows/batches.ts';
import { flowTypes } from '../../contract/flows/flow-types.ts';
import { bulkRate, wholesFirst } from '../bulk.ts';
import { type ProcessCommand, requireReason } from '../commands/command.ts';
import { bulkNames, commands, type DescribedName } from '../commands/commands.ts';
import type { Values } from '../commands/read-values.ts';
import { CommandError, orThrow, wrongInput } from '../outcome.ts';
import { runBatch } from '../run-batch.ts';
import { attributionOf, type CommandContext } from '../temporal-context.ts';

// Temporal takes 2 MB at once: keys, and later what became of each.
export const MAX_KEYS = 5_000;
const MAX_KEY_BYTES = 500_000;
const MAX_FIELD_BYTES = 500;

export interface NewBatch {
  readonly command: string;
  readonly fields: Values;
  readonly keys: readonly string[];
  /** Processes a second. */
  readonly rate?: number | undefined;
  /** The same id again is the same batch. */
  readonly id?: string | undefined;
}

/** Gives its id. Throws CommandError. */
export async function startBatch(
  commandContext: CommandContext,
  { command: name, fields, keys, rate = bulkRate.usual, id = randomUUID() }: NewBatch,
): Promise<string> {
  const command = commands[bulkCommand(name)];
  orThrow(command.read(fields));
  requireReason(command, commandContext);
  if (JSON.stringify(fields).length > MAX_FIELD_BYTES)
    throw tooLarge('fields', `must have at most ${MAX_FIELD_BYTES} characters as JSON`);
  const flows = await flowsFor(commandContext, command);
  const input: BatchInput = {
    command: name,
    fields,
    who: attributionOf(commandContext),
    identity: commandContext.client.options.identity,
    flows,
    rate,
    keys: wholesFirst(keysIn(keys)).flat(),
  };
  try {
    await runBatch(commandContext, id, input);
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
  return id;
}

/** Throws CommandError where no batch can do it. */
function bulkCommand(name: string): DescribedName {
  const found = bulkNames.find((each) => each === name);
  if (found) return found;
  const words = `must be one of ${bulkNames.join(', ')}`;
  throw wrongInput(`command ${words}`, { command: words });
}

function keysIn(given: readonly string[]): readonly string[] {
  const keys = [...new Set(given)];
  if (keys.length === 0)
    throw wrongInput('no process is named, and none is found', { keys: 'must name at least one process' });
  if (keys.length > MAX_KEYS)
    throw tooLarge('keys', `must be at most ${MAX_KEYS}, not ${keys.length}: start several batches`);
  if (Buffer.byteLength(JSON.stringify(keys)) > MAX_KEY_BYTES)
    throw tooLarge('keys', `must have at most ${MAX_KEY_BYTES} bytes as JSON: start several batches`);
  return keys;
}

const tooLarge = (field: string, problem: string): CommandError =>
  wrongInput(`${field} ${problem}`, { [field]: problem });

/** On which they may do it; null: on every flow. Throws CommandError where there is none. */
export async function flowsFor(
  { may, flows, by }: CommandContext,
  { name, right, alsoNeeds }: Pick<ProcessCommand<unknown, unknown>, 'name' | 'right' | 'alsoNeeds'>,
): Promise<readonly string[] | null> {
  if (!may) return null;
  const published = await flows.published();
  const all = [...flowTypes, ...published.map(({ file }) => file.name)];
  const needed = [right, ...(alsoNeeds ? [alsoNeeds] : [])];
  const allowed = all.filter((flow) => needed.every((each) => may(each, flow)));
  if (allowed.length > 0) return allowed.length === all.length ? null : allowed;
  throw new CommandError('forbidden', 'NotAllowed', `${by} may not ${name}`);
}
