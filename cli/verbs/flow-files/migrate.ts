// `migrate`: brings running processes to another version of their definition, or tells what would become of them.
import { existsSync } from 'node:fs';
import { type Command, Option } from 'commander';
import type { MigrationInput, MigrationStatus, PlanData } from '../../../contract/flows/migrations.ts';
import {
  controlMigration,
  type DryRun,
  dryRun,
  followed,
  haltedOn,
  migrateOne,
  startMigration,
  targetOf,
} from '../../../processes/migrations.ts';
import { escapeControlCharacters } from '../../../shared/terminal/escape-control-characters.ts';
import { CommandFailed, wrongUse } from '../../../shared/terminal/exit-codes.ts';
import { report, wantsJson } from '../../../shared/terminal/report.ts';
import type { Terminal } from '../../../shared/terminal/terminal.ts';
import { wholeNumber } from '../../options.ts';
import { atTemporal } from '../../temporal.ts';
import { readPlan, writtenPlan } from './migration-plan-file.ts';

interface Options {
  readonly to?: string;
  readonly dryRun?: true;
  readonly apply?: true;
  readonly pause?: true;
  readonly resume?: true;
  readonly back?: true;
  readonly plan?: string;
  readonly by?: string;
  readonly why?: string;
  readonly key?: string;
  readonly halted?: true;
  readonly query?: string;
  readonly first: number;
  readonly rate: number;
  readonly wait?: true;
  readonly maxRefused: number;
}

export function addMigrate(program: Command, terminal: Terminal): void {
  program
    .command('migrate')
    .description(
      'bring running processes to another version of their flow: a dry run says what would become of each, and ' +
        'writes a plan with its gaps. A process that has halted because its file is wrong takes its event again',
    )
    .argument('[flow]', 'the flow, built in or published; not needed with --key')
    .option('--to <version>', 'the version: a number, or current', 'current')
    .addOption(new Option('--dry-run', 'only say what would become of them').conflicts('apply'))
    .option('--apply', 'do it')
    .addOption(new Option('--pause', 'pause the batch').conflicts(['apply', 'dryRun']))
    .addOption(
      new Option('--resume', 'let the batch go on, and follow it').conflicts(['apply', 'dryRun', 'pause']),
    )
    .option('--back', 'to a version that they had; exactly as they were where nothing has happened since')
    .option(
      '--plan <file>',
      'what the new file does not say itself, as YAML; a dry run writes it if there is none, and never over one',
    )
    .option('--key <key>', 'only this process')
    .option('--halted', 'only processes that have halted at a step that failed')
    .option('--query <query>', "only processes that this query in Temporal's own language finds")
    .option('--by <name>', 'who migrates them')
    .option('--why <reason>', 'why')
    .option('--first <count>', 'so many go first; then the batch looks at them', wholeNumber(0, 10_000), 10)
    .option('--rate <count>', 'processes a second', wholeNumber(1, 1_000), 20)
    .option('--wait', 'come back to processes that cannot be carried where they are now')
    .option('--max-refused <share>', 'stop above this share of refusals, or of halted ones', share, 0.2)
    .addHelpText('after', EXAMPLES)
    .action((flow: string | undefined, options: Options, command: Command) =>
      options.key === undefined
        ? many(terminal, command, flow, options)
        : one(terminal, command, options.key, options),
    );
}

const EXAMPLES = `
Examples:
  lockerflow migrate DeviceLoan --to 4 --dry-run
  lockerflow migrate DeviceLoan --to 4 --plan device-loan.3-4.migration.yaml --apply --by anna --why "shorter deadline"
  lockerflow migrate DeviceLoan --halted --apply --by anna --why "the sum was wrong"
  lockerflow migrate --key loan-7 --to 4 --apply --by anna --why "the sum was wrong"`;

async function one(terminal: Terminal, command: Command, key: string, options: Options): Promise<void> {
  await atTemporal(terminal, async ({ client }) => {
    const { only: _, ...target } = await targetOf(client, { key }, options.to ?? 'current');
    const input = { ...target, ...(await inputOf(options)) };
    const { outcome, reasons, notes } = await migrateOne(client, input, key, options.apply === true);
    const isCarried = outcome === 'migrated' || outcome === 'already';
    const done = options.apply ? 'is' : 'would be';
    const how = outcome === 'already' ? ' already' : '';
    const lines = [
      `${key} ${isCarried ? `${done} on ${target.flow}@${target.to}${how}` : `is not carried: ${outcome}`}`,
      ...reasons.flatMap(({ reason, remedy }) => [`  ${reason}`, `    ${remedy}`]),
      ...notes.map((note) => `  ${note}`),
    ];
    report(terminal, command, { text: lines, data: { key, outcome, reasons, notes } });
    if (!isCarried) throw new CommandFailed('failed', `${key} is not migrated`);
  });
}

async function many(
  terminal: Terminal,
  command: Command,
  flow: string | undefined,
  options: Options,
): Promise<void> {
  if (flow === undefined) throw wrongUse('no flow is named; expected a flow like DeviceLoan, or --key');
  await atTemporal(terminal, async ({ client, taskQueue }) => {
    const { only, ...target } = await targetOf(client, { flow }, options.to ?? 'current');
    const toItsEnd = async (): Promise<MigrationStatus> => {
      // A terminal shows the progress; a script gets only errors beside the result.
      const isWatched = terminal.isInteractive && !wantsJson(command);
      const status = await followed(client, target, (each) => {
        if (isWatched)
          terminal.write(`${formatStatus(target, each).map(escapeControlCharacters).join('\n')}\n`);
      });
      report(terminal, command, { text: formatStatus(target, status), data: status });
      const isClean = status.phase === 'done' && status.groups.every(({ outcome }) => outcome === 'ended');
      if (!isClean) throw new CommandFailed('failed', 'not all processes are migrated');
      return status;
    };
    const who = { by: options.by ?? client.options.identity, ...(options.why && { why: options.why }) };
    if (options.pause) {
      const status = await controlMigration(client, target, 'pause', who);
      report(terminal, command, { text: formatStatus(target, status), data: status });
      return;
    }
    if (options.resume) {
      await controlMigration(client, target, 'resume', who);
      await toItsEnd();
      return;
    }
    const given = await inputOf(options);
    const input: MigrationInput = { ...target, ...given, query: both(only, given.query) };
    if (!options.apply) {
      await reportDryRun(terminal, command, input, options, await dryRun(client, input));
      return;
    }
    await startMigration(client, input, taskQueue);
    const { migrated } = await toItsEnd();
    const halted = options.halted && migrated === 0 ? await haltedOn(client, target) : 0;
    if (halted > 0)
      throw new CommandFailed(
        'failed',
        `${halted} of ${target.flow} stand still on version ${target.to} itself: correct the file and publish it first`,
      );
  });
}

async function reportDryRun(
  terminal: Terminal,
  command: Command,
  input: MigrationInput,
  options: Options,
  result: DryRun,
): Promise<void> {
  const { path, lines, failure } = await writtenPlan(result, options.plan, input);
  const { flow, to } = input;
  report(terminal, command, {
    text: [...formatDryRun(input, result), ...lines],
    data: { flow, to, ...result, plan: path, ...(failure !== undefined && { planFailure: failure }) },
  });
  if (failure !== undefined) throw new CommandFailed('failed', failure);
}

/** In Temporal's query language; null: no condition. */
const both = (one: string | null, other: string | null): string | null =>
  one === null || other === null ? (one ?? other) : `(${one}) AND (${other})`;

/** A dry run needs nobody's name. */
async function inputOf(options: Options): Promise<Omit<MigrationInput, 'flow' | 'to'>> {
  const { by, why, apply, back, wait, halted, query = null, first, rate, maxRefused } = options;
  if (apply && (!by || !why))
    throw wrongUse('expected --by and --why: each process keeps who migrated it, and why');
  return {
    by: by ?? 'dry run',
    why: why ?? 'dry run',
    plan: await planOf(options),
    back: back === true,
    waits: wait === true,
    halted: halted === true,
    query,
    first,
    rate,
    maxRefused,
  };
}

/** A dry run may name a plan that it is to write; that of one process writes none. */
async function planOf({ plan, apply, key }: Options): Promise<PlanData> {
  const isToCome = plan !== undefined && !apply && key === undefined && !existsSync(plan);
  return plan === undefined || isToCome ? {} : await readPlan(plan);
}

function share(text: string): number {
  const value = Number(text);
  if (value >= 0 && value <= 1) return value;
  throw wrongUse(`--max-refused ${text} is not a share; expected a number from 0 to 1`);
}

function formatDryRun({ flow, to }: MigrationInput, result: DryRun): string[] {
  const { carried, groups } = result;
  return [
    `${carried} ${carried === 1 ? 'process' : 'processes'} of ${flow} would be carried to version ${to}${carriedHow(result)}`,
    ...formatGroups(groups),
    ...formatNotes(result),
  ];
}

/** What is otherwise than one may expect: an event that no longer leaves a state, for one. */
const formatNotes = ({ notes }: DryRun): string[] =>
  Object.entries(notes).map(([note, count]) => `${count} x ${note}`);

/** What else there is to say of those that are carried. */
const carriedHow = ({ overdue }: DryRun): string =>
  overdue > 0 ? `, ${overdue} with a timer that is due at once` : '';

const formatGroups = (groups: MigrationStatus['groups']): string[] =>
  groups.flatMap(({ count, outcome, reason, remedy, example }) => [
    `${count} ${outcomeTexts[outcome]}: ${reason || outcome} (such as ${example})`,
    ...(remedy ? [`  ${remedy}`] : []),
  ]);

const outcomeTexts = {
  migrated: 'carried',
  already: 'carried before',
  waits: 'wait',
  needsPlan: 'need the plan',
  refused: 'refused',
  ended: 'have ended',
  unanswered: 'did not answer',
} as const;

function formatStopped({ phase, stopped }: MigrationStatus): string {
  const goesOn = '--resume lets it go on';
  if (stopped) return ` (${stopped}; ${goesOn})`;
  return phase === 'paused' ? ` (${goesOn})` : '';
}

const formatStatus = (
  { flow, to }: Pick<MigrationInput, 'flow' | 'to'>,
  status: MigrationStatus,
): string[] => [
  `${flow} to version ${to}: ${status.phase}${formatStopped(status)}, ${status.migrated} migrated`,
  ...formatGroups(status.groups),
];
