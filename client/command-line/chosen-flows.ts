// The flows of a command: one by its key, or all flows of a query. It counts those first and asks for confirmation.
import type { Client } from '@temporalio/client';
import type { Command } from 'commander';
import { addYesOption, type ConfirmOptions, confirm } from '../../runtime/terminal/confirm.ts';
import { CommandFailed, wrongUse } from '../../runtime/terminal/exit-codes.ts';
import { wantsJson } from '../../runtime/terminal/report.ts';
import { plain } from '../../runtime/terminal/table.ts';
import type { Terminal } from '../../runtime/terminal/terminal.ts';
import { eachAtOnce } from './at-once.ts';
import { failureWords } from './failure-words.ts';
import { addQueryOptions, type FlowQueryOptions, flowQuery, isNarrowed } from './flow-query.ts';
import { everyFound } from './found-flows.ts';

export interface ChoiceOptions extends FlowQueryOptions, ConfirmOptions {
  readonly all?: true;
  readonly dryRun?: true;
}

export function addChoiceOptions(command: Command): Command {
  return addQueryChoice(command.argument('[key]', 'the business key of one flow'));
}

export function addQueryChoice(command: Command, options: { readonly byShipment?: boolean } = {}): Command {
  return addYesOption(
    addQueryOptions(command, options)
      .option('--all', 'every open flow')
      .option('--dry-run', 'only show which flows would change'),
  );
}

export const isQuery = (options: ChoiceOptions): boolean => isNarrowed(options) || options.all === true;

/** Open flows only: nothing can be done to one that has ended. */
export async function chosenFlows(
  client: Client,
  key: string | undefined,
  options: ChoiceOptions,
): Promise<readonly string[]> {
  const byQuery = isQuery(options);
  if (key !== undefined && byQuery) throw wrongUse('a key and a query are both given; expected one of them');
  if (key !== undefined) return [key];
  if (options.closed) throw wrongUse('a flow that has ended cannot be changed; leave out --closed');
  if (!byQuery) throw wrongUse('no flow is named; expected a key, a query like --phase Overdue, or --all');
  const keys: string[] = [];
  for await (const { workflowId } of everyFound(client, flowQuery({ ...options, open: true })))
    keys.push(workflowId);
  return keys;
}

interface BulkAction {
  /** As in "cancel 12 flows". */
  readonly verb: string;
  /** What a person should know before it is done. */
  readonly warning?: string | undefined;
  /** As in "12 flows cancelled". */
  readonly done: string;
  /** Resolves with what is worth saying of this flow beside that it is done. */
  readonly act: (workflowId: string) => Promise<string | undefined>;
  /** For --dry-run: what would become of this flow. */
  readonly preview?: (workflowId: string) => Promise<string>;
}

interface Chosen {
  readonly keys: readonly string[];
  readonly options: ChoiceOptions;
  /** By its key, and not by a query. */
  readonly isOne: boolean;
}

const INSTEAD = ', or --dry-run to list them';

type Tell = (data: object, words: string) => void;

/** Reports the result of each flow, then the totals; throws CommandFailed if one has failed. */
export async function actOnChosen(
  terminal: Terminal,
  command: Command,
  chosen: Chosen,
  bulkAction: BulkAction,
): Promise<void> {
  const { keys, options, isOne } = chosen;
  const json = wantsJson(command);
  const tell: Tell = (data, words) => terminal.write(`${json ? JSON.stringify(data) : plain(words)}\n`);
  if (options.dryRun) {
    await previewAll(keys, bulkAction, tell);
    return tell(
      { summary: { found: keys.length, dryRun: true } },
      `dry run: would ${bulkAction.verb} ${flows(keys)}${warningOf(bulkAction)}`,
    );
  }
  if (isOne) {
    for (const workflowId of keys)
      await bulkAction.act(workflowId).then((note) => tell(...doneWords(workflowId, bulkAction, note)));
    return;
  }
  const question = `${bulkAction.verb} ${flows(keys)}?${warningOf(bulkAction)}`;
  if (keys.length > 0) await confirm(terminal, command, options, question, INSTEAD);
  await actOnAll(terminal, keys, bulkAction, tell);
}

const warningOf = ({ warning }: BulkAction): string => (warning === undefined ? '' : ` Warning: ${warning}.`);

function doneWords(workflowId: string, { done }: BulkAction, note: string | undefined): [object, string] {
  const words = `${workflowId}: ${done}`;
  return note ? [{ workflowId, done: true, note }, `${words}; ${note}`] : [{ workflowId, done: true }, words];
}

/** A flow that cannot be looked at hides no other. */
async function previewAll(keys: readonly string[], { preview }: BulkAction, tell: Tell): Promise<void> {
  if (!preview) {
    for (const workflowId of keys) tell({ workflowId, dryRun: true }, workflowId);
    return;
  }
  for await (const { item: workflowId, outcome } of eachAtOnce(keys, preview)) {
    const would = outcome.done ? outcome.value : (failureWords(outcome.error).words ?? 'failed');
    tell({ workflowId, dryRun: true, would }, `${workflowId}: ${would}`);
  }
}

async function actOnAll(
  terminal: Terminal,
  keys: readonly string[],
  bulkAction: BulkAction,
  tell: Tell,
): Promise<void> {
  let done = 0;
  let failed = 0;
  for await (const { item: workflowId, outcome } of eachAtOnce(keys, bulkAction.act, terminal)) {
    if (outcome.done) done += 1;
    else failed += 1;
    if (outcome.done) {
      tell(...doneWords(workflowId, bulkAction, outcome.value));
      continue;
    }
    const error = failureWords(outcome.error).words ?? 'failed';
    tell({ workflowId, done: false, error }, `${workflowId}: ${error}`);
  }
  const left = keys.length - done - failed;
  const sum = [
    `${done} of ${flows(keys)}: ${bulkAction.done}`,
    failed && `${failed} failed`,
    left && `${left} not tried`,
  ]
    .filter(Boolean)
    .join(', ');
  tell({ summary: { found: keys.length, done, failed, notTried: left } }, sum);
  if (left > 0) throw new CommandFailed('interrupted', `interrupted: ${sum}`);
  if (failed > 0) throw new CommandFailed('failed', sum);
}

const flows = (keys: readonly string[]) => `${keys.length} ${keys.length === 1 ? 'flow' : 'flows'}`;
