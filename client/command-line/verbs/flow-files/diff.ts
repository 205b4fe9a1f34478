// `diff`: what differs between two versions of a flow file in meaning, and what would become of the processes that run.
import type { Command } from 'commander';
import type { MigrationInput, PlanData } from '../../../../contract/flows/migrations.ts';
import { type Comparison, comparison, formatDiff } from '../../../../flows/language/diff/flow-diff.ts';
import type { FlowFile } from '../../../../flows/language/flow-file.ts';
import type { Published } from '../../../../flows/language/registry.ts';
import type { AtTemporal } from '../../../../processes/at-temporal.ts';
import { type DryRun, dryRun, namesBetween, publishedVersion } from '../../../../processes/migrations.ts';
import { CommandFailed, wrongUse } from '../../../../shared/terminal/exit-codes.ts';
import { plainLines, report, type Terminal } from '../../../../shared/terminal/terminal.ts';
import { publishedFlow } from '../../../flow-files/published-flows.ts';
import { isFilePath, soundFile } from '../../flow-file-text.ts';
import { atTemporal } from '../../temporal.ts';
import { carriedHow, formatGroups, formatNotes, readPlan } from './migrate.ts';

interface Options {
  readonly against: string;
  readonly open?: true;
  readonly plan?: string;
}

export function addDiff(program: Command, terminal: Terminal): void {
  program
    .command('diff')
    .description(
      'what differs between two versions of a flow file, in meaning: comments and formatting do not count. With --open also ' +
        'what would become of the processes that run. Changes nothing',
    )
    .argument('<file>', 'the changed flow file, YAML or JSON')
    .option(
      '--against <version>',
      'published (the newest version), a file, or a version such as Parcel@3',
      'published',
    )
    .option('--open', 'ask every open process what would become of it')
    .option('--plan <file>', 'the plan of the migration, as YAML')
    .addHelpText('after', EXAMPLES)
    .action(async (path: string, options: Options, command: Command) => {
      const plan = options.plan === undefined ? {} : await readPlan(options.plan);
      const file = await soundFile(path);
      const { against } = options;
      const isOffline = isFilePath(against) && !options.open;
      const { both, open } = isOffline
        ? { both: await againstFile(file, against), open: undefined }
        : await atTemporal(terminal, (temporal) => compared(temporal, file, options, plan));
      const { flow, changes } = both;
      const verdict = open ? worst(open) : null;
      const data = { flow, against, verdict, changes, ...(open && { open }) };
      // Names come from files of others.
      const words = plainLines([formatDiff(both), ...(open ? ['', formatOpen(open)] : [])].join('\n'));
      report(terminal, command, { words, data });
      if (verdict !== null && verdict !== 'carried') throw failures[verdict]();
    });
}

const EXAMPLES = `
Examples:
  lockerflow diff parcel.flow.yaml
  lockerflow diff parcel.flow.yaml --open
  lockerflow diff parcel.flow.yaml --against Parcel@3 --json

With --open it ends with exit code 0 if all processes are carried, 6 if a plan is needed, 7 if some are not carried.`;

const dryRunOf = (flow: string, to: number, plan: PlanData): MigrationInput => ({
  flow,
  to,
  by: 'diff',
  why: 'diff',
  plan,
  back: false,
  waits: false,
  held: false,
  query: null,
  first: 0,
  rate: 1,
  maxRefused: 1,
});

async function againstFile(file: FlowFile, path: string): Promise<Comparison> {
  const before = await soundFile(path);
  if (before.name !== file.name)
    throw wrongUse(`--against ${path} is of ${before.name}; expected a version of ${file.name}`);
  return comparison(before, file);
}

interface Both {
  readonly both: Comparison;
  readonly open: DryRun | undefined;
}

async function compared(
  { client }: AtTemporal,
  file: FlowFile,
  { against, open }: Options,
  plan: PlanData,
): Promise<Both> {
  const newest = await publishedFlow(client, file.name);
  if (!newest)
    throw new CommandFailed(
      'notFound',
      `${file.name} is not published, so there is nothing to compare it with; --against FILE compares it with another file`,
    );
  // What is published already is no version of its own.
  const isPublished = comparison(newest.file, file).changes.length === 0;
  const to: Published = isPublished
    ? newest
    : { file, version: newest.version + 1, publishedAt: new Date().toISOString() };
  const both = isFilePath(against)
    ? await againstFile(file, against)
    : await againstVersion(client, to, against === 'published' ? newest : versionIn(file.name, against));
  if (!open) return { both, open: undefined };
  const input = dryRunOf(file.name, to.version, plan);
  return { both, open: await dryRun(client, input, to) };
}

async function againstVersion(
  client: AtTemporal['client'],
  to: Published,
  from: Published | number,
): Promise<Comparison> {
  const flow = to.file.name;
  const before = typeof from === 'number' ? await publishedVersion(client, flow, from) : from;
  if (before.version > to.version)
    throw wrongUse(`--against ${flow}@${before.version} is newer than the file`);
  return comparison(before.file, to.file, await namesBetween(client, before, to));
}

function versionIn(name: string, against: string): number {
  const [flow, version] = against.split('@');
  if (flow === name && Number.isSafeInteger(Number(version)) && Number(version) > 0) return Number(version);
  throw wrongUse(
    `--against ${against} is no version of ${name}; expected published, a file, or a version such as ${name}@3`,
  );
}

type Verdict = 'carried' | 'needsPlan' | 'refused';

function worst(open: DryRun): Verdict {
  const all: readonly string[] = open.groups.map(({ outcome }) => outcome);
  if (all.includes('refused') || all.includes('unanswered')) return 'refused';
  return all.includes('needsPlan') ? 'needsPlan' : 'carried';
}

const failures: Readonly<Record<Exclude<Verdict, 'carried'>, () => CommandFailed>> = {
  needsPlan: () => new CommandFailed('needsPlan', 'not every process would be carried without a plan'),
  refused: () => new CommandFailed('notCarried', 'not every process would be carried'),
};

function formatOpen(open: DryRun): string {
  const { carried, groups } = open;
  return [
    `${carried} open ${carried === 1 ? 'process' : 'processes'} would be carried${carriedHow(open)}`,
    ...formatGroups(groups),
    ...formatNotes(open),
  ].join('\n');
}
