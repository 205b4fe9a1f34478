// A command for one flow by its key, or for all flows of a query. It counts those first and asks for confirmation.
import type { Client } from '@temporalio/client';
import { Option, type Command as Verb } from 'commander';
import { startBatch } from '../processes/batches/start-batch.ts';
import { bulkRate, forMany } from '../processes/bulk.ts';
import type { Command } from '../processes/commands/command.ts';
import type { Values } from '../processes/commands/read-values.ts';
import type { CommandError, Outcome } from '../processes/outcome.ts';
import type { CommandContext, TemporalContext } from '../processes/temporal-context.ts';
import { FAILED } from '../processes/views/counts.ts';
import { type FlowQueryOptions, flowQuery, isNarrowed } from '../processes/views/flow-query.ts';
import { everyFound, type FoundFlow } from '../processes/views/found-flows.ts';
import { olderRunsOf } from '../processes/views/newest-runs.ts';
import { unknownNames } from '../processes/views/unknown-names.ts';
import { WantedAtStart } from '../processes/views/wanted-at-start.ts';
import { addYesOption, type ConfirmOptions, confirm } from '../shared/terminal/confirm.ts';
import { escapeControlCharacters } from '../shared/terminal/escape-control-characters.ts';
import { CommandFailed, wrongUse } from '../shared/terminal/exit-codes.ts';
import { wantsJson } from '../shared/terminal/report.ts';
import type { Terminal } from '../shared/terminal/terminal.ts';
import { commandErrorMessage } from './failure-messages.ts';
import { inTimeOfTerminal } from './moments.ts';
import { addQueryOptions, wholeNumber } from './options.ts';

export interface ChoiceOptions extends FlowQueryOptions, ConfirmOptions {
  readonly all?: true;
  readonly dryRun?: true;
  readonly perSecond?: number;
  readonly detach?: true;
}

/** @param state which flows a query finds: nothing else can be done to one that has ended than starting it again */
export function addChoiceOptions(command: Verb, state: 'open' | 'failed' = 'open'): Verb {
  return addYesOption(
    addQueryOptions(command.argument('[key]', 'the business key of one flow'), state)
      .option('--all', `every ${state} flow`)
      .option('--dry-run', ONLY_SHOW)
      .addOption(
        new Option(
          '--detach',
          'leave it to a batch, which goes on without this program: batch show',
        ).conflicts('dryRun'),
      )
      .option(
        '--per-second <number>',
        `how many flows to begin with in a second, 1 to ${bulkRate.most}`,
        wholeNumber(1, bulkRate.most),
        bulkRate.usual,
      ),
  );
}

export const ONLY_SHOW = 'only show what would become of which flows';

/** @param state as for the options */
export async function chosenFlows(
  terminal: Terminal,
  temporal: TemporalContext,
  key: string | undefined,
  options: ChoiceOptions,
  state: 'open' | 'failed' = 'open',
): Promise<readonly string[]> {
  const byQuery = isNarrowed(options) || options.all === true;
  if (key !== undefined && byQuery) throw wrongUse('a key and a query are both given; expected one of them');
  if (key !== undefined) return [key];
  if (!byQuery)
    throw wrongUse(
      `no flow is named; expected a key, a query like ${state === 'open' ? '--phase Overdue' : '--flow Issue'}, or --all`,
    );
  const found = state === 'open' ? await openFlows(temporal, options) : await failedFlows(temporal, options);
  for (const each of await unknownNames(temporal, options, found)) terminal.complain(each);
  return found.map(({ workflowId }) => workflowId);
}

const openFlows = ({ client, taskQueue }: TemporalContext, options: ChoiceOptions): Promise<FoundFlow[]> =>
  allFound(client, flowQuery({ ...options, open: true }, taskQueue));

async function failedFlows(
  { client, taskQueue }: TemporalContext,
  options: ChoiceOptions,
): Promise<readonly FoundFlow[]> {
  const { pickUpPoint, ...searched } = options;
  const failed = await allFound(client, flowQuery({ ...searched, also: [FAILED] }, taskQueue));
  // What has become of a key since is not undone by its old failure.
  const older = await olderRunsOf(client, failed);
  const newest = failed.filter(({ runId }) => !older.has(runId));
  return pickUpPoint === undefined ? newest : await wantedAt(client, pickUpPoint, newest);
}

async function allFound(client: Client, query: string): Promise<FoundFlow[]> {
  const runs: FoundFlow[] = [];
  for await (const run of everyFound(client, query)) runs.push(run);
  return runs;
}

/** What has booked nothing is at no pick up point that a search could find: where it was to be stands in its input. */
async function wantedAt(
  client: Client,
  pickUpPoint: string,
  failed: readonly FoundFlow[],
): Promise<readonly FoundFlow[]> {
  const wanted = await new WantedAtStart({ client }).of(failed.filter((run) => run.pickUpPoint === null));
  return failed.filter((run) => (run.pickUpPoint ?? wanted.get(run.runId)?.pupUid) === pickUpPoint);
}

interface Action<Input, Preview, Result> {
  readonly commandContext: CommandContext;
  readonly command: Command<Input, Preview, Result>;
  readonly input: Input;
  /** What the input was read from. */
  readonly fields: Values;
  /** As in "cancel 12 flows". */
  readonly verb: string;
  /** What a person should know before it is done. */
  readonly warning?: string | undefined;
  /** What is typed to take back what became of it; null: nothing takes it back. */
  undoing(result: Result, key: string): string | null;
}

interface Chosen {
  readonly keys: readonly string[];
  readonly options: ChoiceOptions;
  /** By its key, and not by a query. */
  readonly isOne: boolean;
}

const INSTEAD = ', or --dry-run to list them';

/** What is told of a flow. */
interface Message {
  readonly data: object;
  readonly text: string;
}

/**
 * Reports the outcome of each flow, then the totals; throws CommandFailed if one has failed. In a dry run one that cannot be
 * looked at hides no other.
 */
export async function actOnChosen<Input, Preview, Result>(
  terminal: Terminal,
  verb: Verb,
  { keys, options, isOne }: Chosen,
  action: Action<Input, Preview, Result>,
): Promise<void> {
  const { interrupted } = terminal;
  const { dryRun = false, perSecond } = options;
  const json = wantsJson(verb);
  const print = ({ data, text }: Message) =>
    terminal.write(`${json ? JSON.stringify(data) : escapeControlCharacters(text)}\n`);
  const warning = warningOf(action);
  if (!dryRun && !isOne && keys.length > 0)
    await confirm(terminal, verb, options, `${action.verb} ${flowsOf(keys.length)}?${warning}`, INSTEAD);
  if (options.detach) return await detached(print, keys, options, action);
  const counts: Counts = { found: keys.length, done: 0, failed: 0 };
  const act = (key: string, parts?: readonly string[]) => {
    const one = { ...action, commandContext: { ...action.commandContext, parts } };
    return dryRun ? previewing(one, key) : doing(one, key);
  };
  for await (const { key: workflowId, outcome } of forMany(keys, act, { interrupted, perSecond })) {
    if (!outcome.done && isOne) throw outcome.error;
    const { data, text } = outcome.done ? outcome.value : messageOfError(outcome.error, dryRun);
    print({ data: { workflowId, ...data }, text: `${workflowId}: ${text}` });
    counts[outcome.done ? 'done' : 'failed'] += 1;
  }
  if (dryRun) print(previewSum(counts, `${action.verb} ${flowsOf(keys.length)}`, warning));
  else if (!isOne || counts.done === 0) printSum(counts, print);
}

const warningOf = ({ warning }: { readonly warning?: string | undefined }): string =>
  warning === undefined ? '' : ` Warning: ${warning}.`;

/** Nothing is lost if this program ends: the batch has begun, or nothing has. */
async function detached<Input, Preview, Result>(
  print: (started: Message) => void,
  keys: readonly string[],
  { perSecond: rate }: ChoiceOptions,
  { commandContext, command, fields, verb }: Action<Input, Preview, Result>,
): Promise<void> {
  const id = await startBatch(commandContext, { command: command.name, fields, keys, rate });
  const text = `${verb} ${flowsOf(keys.length)} goes on as batch ${id}: npx lockerflow batch show ${id}`;
  print({ data: { batch: id, found: keys.length }, text });
}

interface Counts {
  readonly found: number;
  done: number;
  failed: number;
}

function previewSum({ found, done, failed }: Counts, what: string, warning: string): Message {
  if (done + failed < found)
    throw new CommandFailed('interrupted', `interrupted: ${done + failed} of ${flowsOf(found)} looked at`);
  const refused = failed > 0 ? `; ${failed} would refuse it` : '';
  return {
    data: { summary: { found, refused: failed, dryRun: true } },
    text: `dry run: would ${what}${refused}${warning}`,
  };
}

function printSum({ found, done, failed }: Counts, print: (sum: Message) => void): void {
  const left = found - done - failed;
  const text = [
    `${done} of ${flowsOf(found)}: done`,
    failed && `${failed} failed`,
    left && `${left} not tried`,
  ]
    .filter(Boolean)
    .join(', ');
  print({ data: { summary: { found, done, failed, notTried: left } }, text });
  if (left > 0) throw new CommandFailed('interrupted', `interrupted: ${text}`);
  if (failed > 0) throw new CommandFailed('failed', text);
}

async function previewing<Input, Preview, Result>(
  { command, commandContext, input }: Action<Input, Preview, Result>,
  key: string,
): Promise<Outcome<Message>> {
  const outcome = await command.preview(commandContext, key, input);
  if (!outcome.done) return outcome;
  const would = command.formatPreview(outcome.value);
  return {
    done: true,
    value: { data: { dryRun: true, would, preview: outcome.value }, text: inTimeOfTerminal(would) },
  };
}

async function doing<Input, Preview, Result>(
  { command, commandContext, input, undoing }: Action<Input, Preview, Result>,
  key: string,
): Promise<Outcome<Message>> {
  const outcome = await command.do(commandContext, key, input);
  if (!outcome.done) return outcome;
  const { value } = outcome;
  const data = { done: true, ...(value !== null && { result: value }) };
  const undo = undoing(value, key);
  const text = `${inTimeOfTerminal(command.formatResult(value))}${undo === null ? '' : `; to undo it: ${undo}`}`;
  return { done: true, value: { data, text } };
}

function messageOfError(failure: CommandError, dryRun: boolean): Message {
  const { code } = failure;
  const error = commandErrorMessage(failure);
  return dryRun
    ? { data: { dryRun, refused: code, error }, text: `refused: ${error}` }
    : { data: { done: false, code, error }, text: error };
}

const flowsOf = (count: number) => `${count} ${count === 1 ? 'flow' : 'flows'}`;
