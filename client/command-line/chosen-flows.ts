// A command for one flow by its key, or for all flows of a query. It counts those first and asks for confirmation.
import type { Client } from '@temporalio/client';
import type { Command as Verb } from 'commander';
import type { Acting } from '../../processes/at-temporal.ts';
import { type BulkOptions, bulkRate, doAll, previewAll } from '../../processes/bulk.ts';
import type { Command } from '../../processes/commands/command.ts';
import { orThrow } from '../../processes/outcome.ts';
import { type FlowQueryOptions, flowQuery, isNarrowed } from '../../processes/views/flow-query.ts';
import { everyFound } from '../../processes/views/found-flows.ts';
import { addYesOption, type ConfirmOptions, confirm } from '../../shared/terminal/confirm.ts';
import { CommandFailed, wrongUse } from '../../shared/terminal/exit-codes.ts';
import { plain, type Terminal, wantsJson } from '../../shared/terminal/terminal.ts';
import { refusalMessage } from './failure-messages.ts';
import { addQueryOptions, wholeNumber } from './options.ts';

export interface ChoiceOptions extends FlowQueryOptions, ConfirmOptions {
  readonly all?: true;
  readonly dryRun?: true;
  readonly perSecond?: number;
}

export function addChoiceOptions(command: Verb): Verb {
  return addYesOption(
    addQueryOptions(command.argument('[key]', 'the business key of one flow'))
      .option('--all', 'every open flow')
      .option('--dry-run', ONLY_SHOW)
      .option(
        '--per-second <number>',
        `how many flows to begin with in a second, 1 to ${bulkRate.most}`,
        wholeNumber(1, bulkRate.most),
        bulkRate.usual,
      ),
  );
}

export const ONLY_SHOW = 'only show what would become of which flows';

/** Open flows only: nothing can be done to one that has ended. */
export async function chosenFlows(
  client: Client,
  key: string | undefined,
  options: ChoiceOptions,
): Promise<readonly string[]> {
  const byQuery = isNarrowed(options) || options.all === true;
  if (key !== undefined && byQuery) throw wrongUse('a key and a query are both given; expected one of them');
  if (key !== undefined) return [key];
  if (options.closed) throw wrongUse('a flow that has ended cannot be changed; leave out --closed');
  if (!byQuery) throw wrongUse('no flow is named; expected a key, a query like --phase Overdue, or --all');
  const keys: string[] = [];
  for await (const { workflowId } of everyFound(client, flowQuery({ ...options, open: true })))
    keys.push(workflowId);
  return keys;
}

interface Action<Input, Would, Did> {
  readonly acting: Acting;
  readonly command: Command<Input, Would, Did>;
  readonly input: Input;
  /** As in "cancel 12 flows". */
  readonly verb: string;
  /** What a person should know before it is done. */
  readonly warning?: string | undefined;
}

interface Chosen {
  readonly keys: readonly string[];
  readonly options: ChoiceOptions;
  /** By its key, and not by a query. */
  readonly isOne: boolean;
}

const INSTEAD = ', or --dry-run to list them';

type Tell = (data: object, words: string) => void;

interface Telling extends BulkOptions {
  readonly tell: Tell;
}

/** Reports the outcome of each flow, then the totals; throws CommandFailed if one has failed. */
export async function actOnChosen<Input, Would, Did>(
  terminal: Terminal,
  verb: Verb,
  { keys, options, isOne }: Chosen,
  action: Action<Input, Would, Did>,
): Promise<void> {
  const json = wantsJson(verb);
  const tell: Tell = (data, words) => terminal.write(`${json ? JSON.stringify(data) : plain(words)}\n`);
  const pace = { interrupted: terminal.interrupted, perSecond: options.perSecond };
  if (options.dryRun) return await previewOf(keys, isOne, action, { ...pace, tell });
  const { acting, command, input } = action;
  if (isOne) {
    for (const key of keys) tellDone(key, orThrow(await command.do(acting, key, input)), action, tell);
    return;
  }
  const question = `${action.verb} ${flows(keys)}?${warningOf(action)}`;
  if (keys.length > 0) await confirm(terminal, verb, options, question, INSTEAD);
  await actOnAll(keys, action, { ...pace, tell });
}

const warningOf = ({ warning }: { readonly warning?: string | undefined }): string =>
  warning === undefined ? '' : ` Warning: ${warning}.`;

function tellDone<Input, Would, Did>(
  workflowId: string,
  value: Did,
  { command }: Action<Input, Would, Did>,
  tell: Tell,
): void {
  const data = { workflowId, done: true, ...(value !== null && { result: value }) };
  tell(data, `${workflowId}: ${command.did(value)}`);
}

/** A flow that cannot be looked at hides no other. */
async function previewOf<Input, Would, Did>(
  keys: readonly string[],
  isOne: boolean,
  action: Action<Input, Would, Did>,
  { tell, ...options }: Telling,
): Promise<void> {
  const { acting, command, input } = action;
  let refused = 0;
  let seen = 0;
  for await (const { key: workflowId, outcome } of previewAll(command, acting, keys, input, options)) {
    seen += 1;
    if (outcome.done) {
      const would = command.would(outcome.value);
      tell({ workflowId, dryRun: true, would, preview: outcome.value }, `${workflowId}: ${would}`);
      continue;
    }
    if (isOne) throw outcome.refusal;
    refused += 1;
    const { code } = outcome.refusal;
    const error = refusalMessage(outcome.refusal);
    tell({ workflowId, dryRun: true, refused: code, error }, `${workflowId}: refused: ${error}`);
  }
  if (seen < keys.length)
    throw new CommandFailed('interrupted', `interrupted: ${seen} of ${flows(keys)} looked at`);
  tell(
    { summary: { found: keys.length, refused, dryRun: true } },
    `dry run: would ${action.verb} ${flows(keys)}${refused > 0 ? `; ${refused} would refuse it` : ''}${warningOf(action)}`,
  );
}

async function actOnAll<Input, Would, Did>(
  keys: readonly string[],
  action: Action<Input, Would, Did>,
  { tell, ...options }: Telling,
): Promise<void> {
  const { acting, command, input } = action;
  let done = 0;
  let failed = 0;
  for await (const { key: workflowId, outcome } of doAll(command, acting, keys, input, options)) {
    if (outcome.done) {
      done += 1;
      tellDone(workflowId, outcome.value, action, tell);
      continue;
    }
    failed += 1;
    const error = refusalMessage(outcome.refusal);
    tell({ workflowId, done: false, code: outcome.refusal.code, error }, `${workflowId}: ${error}`);
  }
  const left = keys.length - done - failed;
  const sum = [`${done} of ${flows(keys)}: done`, failed && `${failed} failed`, left && `${left} not tried`]
    .filter(Boolean)
    .join(', ');
  tell({ summary: { found: keys.length, done, failed, notTried: left } }, sum);
  if (left > 0) throw new CommandFailed('interrupted', `interrupted: ${sum}`);
  if (failed > 0) throw new CommandFailed('failed', sum);
}

const flows = (keys: readonly string[]) => `${keys.length} ${keys.length === 1 ? 'flow' : 'flows'}`;
