// `diff`: what differs between two versions of a flow in meaning, and what would become of the processes that run.
import { type Command, Option } from 'commander';
import type { MigrationGroup, MigrationInput, PlanData } from '../../../../contract/flows/migrations.ts';
import { mermaid } from '../../../../engine/chart/mermaid.ts';
import { bothCharts, svgOfDiff } from '../../../../flows/language/diff/both-charts.ts';
import { type Comparison, comparison, type FlowDiff } from '../../../../flows/language/diff/flow-diff.ts';
import {
  escaped,
  formatDiff,
  formatStateVerdicts,
  markdownOfDiff,
} from '../../../../flows/language/diff/format-diff.ts';
import { isGap, type StateVerdict, stateVerdicts } from '../../../../flows/language/diff/state-verdicts.ts';
import type { FlowFile } from '../../../../flows/language/flow-file.ts';
import type { Published } from '../../../../flows/language/registry.ts';
import type { AtTemporal } from '../../../../processes/at-temporal.ts';
import { type DryRun, dryRun, namesBetween, publishedVersion } from '../../../../processes/migrations.ts';
import { CommandFailed, wrongUse } from '../../../../shared/terminal/exit-codes.ts';
import { report } from '../../../../shared/terminal/report.ts';
import { plain } from '../../../../shared/terminal/table.ts';
import type { Terminal } from '../../../../shared/terminal/terminal.ts';
import { publishedFlow } from '../../../flow-files/published-flows.ts';
import { isFilePath, soundFile } from '../../flow-file-text.ts';
import { atTemporal } from '../../temporal.ts';
import { carriedHow, formatGroups, formatNotes, HISTORIES, readPlan } from './migrate.ts';

interface Options {
  readonly against: string;
  readonly open?: true;
  readonly histories?: true;
  readonly plan?: string;
  readonly markdown?: true;
  readonly chart?: 'svg' | 'mermaid';
}

export function addDiff(program: Command, terminal: Terminal): void {
  program
    .command('diff')
    .description(
      'what differs between two versions of a flow file, in meaning: comments and formatting do not count. And what would ' +
        'become of the processes that run: by their state, and with --open for each of them. Changes nothing',
    )
    .argument('<file>', 'the changed flow file, YAML or JSON')
    .option(
      '--against <version>',
      'published (the newest version), a file, or a version such as Parcel@3',
      'published',
    )
    .option('--open', 'ask every open process what would become of it')
    .addOption(new Option('--histories', HISTORIES).implies({ open: true }))
    .option('--plan <file>', 'the plan of the migration, as YAML')
    .option('--markdown', 'for a comment on a pull request')
    .addOption(new Option('--chart <form>', 'only both charts in one').choices(['svg', 'mermaid']))
    .addHelpText('after', EXAMPLES)
    .action(async (path: string, options: Options, command: Command) => {
      const plan = options.plan === undefined ? {} : await readPlan(options.plan);
      const compared = await fileDiff(terminal, await soundFile(path), options, plan);
      if (options.chart) return terminal.write(await drawingOf(compared, options.chart));
      const { diff, open } = compared;
      const { flow: name, against, changes, states } = diff;
      const verdict = worst(states, open);
      const data = { flow: name, against, verdict, changes, states, ...(open && { open }) };
      const words = options.markdown ? markdown(diff, open) : text(diff, open);
      report(terminal, command, { words, data });
      if (verdict !== 'carried') throw failures[verdict]();
    });
}

const EXAMPLES = `
Examples:
  lockerflow diff parcel.flow.yaml
  lockerflow diff parcel.flow.yaml --open
  lockerflow diff parcel.flow.yaml --against Parcel@3 --chart svg > parcel.svg
  lockerflow diff parcel.flow.yaml --against published --open --markdown > comment.md

It ends with exit code 0 if all processes are carried, 6 if a plan is needed or may be, 7 if some are not carried.`;

interface Diff extends FlowDiff {
  readonly against: string;
  readonly states: readonly StateVerdict[];
  readonly charts: Comparison;
}

interface Compared {
  readonly diff: Diff;
  readonly open: DryRun | undefined;
}

const drawingOf = async ({ diff: { charts } }: Compared, form: 'svg' | 'mermaid'): Promise<string> =>
  form === 'svg' ? await svgOfDiff(charts) : `${mermaid(bothCharts(charts))}\n`;

async function fileDiff(
  terminal: Terminal,
  file: FlowFile,
  options: Options,
  plan: PlanData,
): Promise<Compared> {
  const { against } = options;
  const isOffline = isFilePath(against) && !options.open;
  const { both, open } = isOffline
    ? { both: await againstFile(file, against), open: undefined }
    : await atTemporal(terminal, (temporal) => compared(temporal, file, options, plan));
  const { flow, changes } = both;
  return {
    diff: { flow, against, changes, states: stateVerdicts(both.compared, plan), charts: both },
    open,
  };
}

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
  { against, open, histories }: Options,
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
  return { both, open: await dryRun(client, input, { unpublished: to, playsHistories: histories }) };
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

/** Where every process was asked, its answer counts; else what holds for everybody in a state, and what a plan could say. */
function worst(states: readonly StateVerdict[], open: DryRun | undefined): Verdict {
  const all: readonly string[] = open
    ? open.groups.map(({ outcome }) => outcome)
    : states.map(({ verdict, obstacles }) =>
        verdict === 'depends' && obstacles.some(({ code }) => isGap(code)) ? 'needsPlan' : verdict,
      );
  if (all.includes('refused') || all.includes('unanswered')) return 'refused';
  return all.includes('needsPlan') ? 'needsPlan' : 'carried';
}

const failures: Readonly<Record<Exclude<Verdict, 'carried'>, () => CommandFailed>> = {
  needsPlan: () => new CommandFailed('needsPlan', 'not every process would be carried without a plan'),
  refused: () => new CommandFailed('notCarried', 'not every process would be carried'),
};

const text = ({ states, ...diff }: Diff, open: DryRun | undefined): string =>
  [formatDiff(diff), '', open ? formatOpen(open) : formatStateVerdicts(states)].map(plainLines).join('\n');

/** Names come from files of others. */
const plainLines = (words: string): string => words.split('\n').map(plain).join('\n');

function formatOpen(open: DryRun): string {
  const { carried, groups } = open;
  return [
    `${carried} open ${carried === 1 ? 'process' : 'processes'} would be carried${carriedHow(open)}`,
    ...formatGroups(groups),
    ...formatNotes(open),
  ].join('\n');
}

function markdown({ states, charts, ...diff }: Diff, open: DryRun | undefined): string {
  if (!open) return markdownOfDiff(diff, states, charts);
  const row = ({ count, outcome, reason, remedy, example }: MigrationGroup) =>
    `| ${count} | ${outcome} | ${escaped(reason)} | ${escaped(remedy)} | ${escaped(example)} |`;
  return [
    markdownOfDiff(diff, states, charts),
    ...['', `**Open processes:** ${open.carried} would be carried${carriedHow(open)}.`],
    ...(open.groups.length > 0
      ? ['', '| | | reason | remedy | such as |', '|--:|---|---|---|---|', ...open.groups.map(row)]
      : []),
  ].join('\n');
}
