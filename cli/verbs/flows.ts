// `flows`: lists the flows with their meaning and input; with --chart it prints the chart of one, with --file its flow file.
import { type Command, Option } from 'commander';
import { schemasOfFile } from '../../client/flow-schemas.ts';
import { flowTypes } from '../../contract/flows/flow-types.ts';
import type { ChartView } from '../../engine/chart/chart-view.ts';
import { drawingOf } from '../../engine/chart/drawing.ts';
import { getOwn } from '../../engine/chart/messages.ts';
import { svg } from '../../engine/chart/svg.ts';
import type { EventStartData, FlowFile } from '../../flows/language/flow-file.ts';
import { nearestOf } from '../../flows/language/nearest-names.ts';
import { asWritten } from '../../flows/language/reading/calendars.ts';
import { twinOf } from '../../flows/language/reading/walk.ts';
import { yamlText } from '../../flows/language/reading/yaml-text.ts';
import type { TemporalContext } from '../../processes/temporal-context.ts';
import { formatData } from '../../processes/views/flow-events.ts';
import {
  chartOf,
  publishedAs,
  type ShownFlow,
  shippedFlow,
  unpublishedFlow,
} from '../../processes/views/flow-registry.ts';
import {
  builtInFlows,
  describeFlow,
  type FlowList,
  type FlowRow,
  readFlows,
} from '../../processes/views/flows.ts';
import { readSchedules, type ShownSchedule } from '../../processes/views/schedules.ts';
import { CommandFailed, exitCodes, wrongUse } from '../../shared/terminal/exit-codes.ts';
import { report } from '../../shared/terminal/report.ts';
import { table } from '../../shared/terminal/table.ts';
import type { Terminal } from '../../shared/terminal/terminal.ts';
import { isFilePath, soundFile } from '../flow-file-text.ts';
import { builtInNamed } from '../start-input.ts';
import { atTemporal } from '../temporal.ts';

export function addFlows(program: Command, terminal: Terminal): void {
  program
    .command('flows')
    .description('list the flows, built in and published: what each is for, and which deadlines it takes')
    .argument('[Flow]', 'only this one; or a flow file, as YAML or JSON')
    .addOption(
      new Option('--chart <form>', 'the chart that one flow runs: json for programs, svg to look at').choices(
        Object.keys(chartForms),
      ),
    )
    .addOption(
      new Option('--file', 'the flow file of one flow, to be copied: YAML, or with --json JSON').conflicts(
        'chart',
      ),
    )
    .addHelpText('after', EXAMPLES)
    .action(async (name: string | undefined, { chart, file: asFile }: Options, command: Command) => {
      if (name === undefined && chart)
        throw wrongUse(`--chart shows the chart of one flow; ${ONE_OF_THEM} before it`);
      if (name === undefined && asFile)
        throw wrongUse(`--file prints the file of one flow; ${ONE_OF_THEM} before it`);
      if (name === undefined) {
        const data = await allFlows(terminal);
        return report(terminal, command, { text: formatFlows(data.items), data });
      }
      const { data, inputs, declared, file, view } = await oneFlow(terminal, name);
      if (asFile) {
        return report(terminal, command, { text: yamlText(file).trimEnd().split('\n'), data: file });
      }
      if (chart) return terminal.write(await chartForms[chart](declared, view));
      report(terminal, command, { text: [...formatFlows([data]), ...inputs], data });
    });
}

async function oneFlow(terminal: Terminal, name: string) {
  const { flow, schedules } = await foundFlow(terminal, name);
  const { file } = flow;
  return {
    data: describeFlow(flow, schedules),
    // What a built-in flow takes is a whole request of the locker API.
    inputs:
      flow.kind === 'shipped'
        ? []
        : [...inputLines(flow.file), ...scheduleLines(flow.file, schedules), ...eventLines(flow.file)],
    declared: file,
    file: asWritten(file),
    view: chartOf(flow),
  };
}

interface FoundFlow {
  readonly flow: ShownFlow;
  readonly schedules: readonly ShownSchedule[];
}

async function foundFlow(terminal: Terminal, name: string): Promise<FoundFlow> {
  const builtIn = builtInNamed(name);
  if (builtIn) return { flow: shippedFlow(builtIn), schedules: [] };
  if (isFilePath(name)) return { flow: unpublishedFlow(await soundFile(name)), schedules: [] };
  return await publishedFlow(terminal, name);
}

const ONE_OF_THEM = `expected one of ${flowTypes.join(', ')}`;

interface Options {
  readonly chart?: keyof typeof chartForms;
  readonly file?: true;
}

/** Without Temporal the built-in ones. */
async function allFlows(terminal: Terminal): Promise<FlowList> {
  const all = await readBriefly(terminal, (temporal) => readFlows(temporal));
  if (all) return all;
  terminal.complain(
    'published flow files are not listed: Temporal cannot be reached; check TEMPORAL_ADDRESS',
  );
  return { items: builtInFlows() };
}

async function publishedFlow(terminal: Terminal, name: string): Promise<FoundFlow> {
  const published = await readBriefly(terminal, async (temporal) => {
    const flow = publishedAs(await temporal.flows.publishedAs(name));
    return { flow, schedules: await readSchedules(temporal, flow.file) };
  });
  if (published) return published;
  throw wrongUse(
    `${name} is not a built-in flow${formatSuggestion(name)}, and Temporal cannot be asked for the published ones; start Temporal, or set TEMPORAL_ADDRESS`,
  );
}

function formatSuggestion(name: string): string {
  const near = nearestOf(name, flowTypes);
  return near === undefined ? '' : ` (did you mean ${near}?)`;
}

// A person who lists the flows may have no Temporal, and should not wait long for it.
const LOOK_WITHIN_MS = 1_000;

/** Null if Temporal cannot be reached. */
async function readBriefly<Answer>(
  terminal: Terminal,
  ask: (temporal: TemporalContext) => Promise<Answer>,
): Promise<Answer | null> {
  const answer = atTemporal(terminal, ask, { connectWithinMs: LOOK_WITHIN_MS });
  return await answer.catch((error: unknown) => {
    if (error instanceof CommandFailed && error.exitCode === exitCodes.unreachable) return null;
    throw error;
  });
}

/** A field to a line, as `start` takes it; what is within a field stands in the file. */
function inputLines(file: FlowFile): string[] {
  const { input } = file;
  const twin = twinOf(file);
  const { properties = {}, required = [] } = (input ?? {}) as {
    readonly properties?: Readonly<
      Record<string, { readonly type?: unknown; readonly description?: string }>
    >;
    readonly required?: readonly string[];
  };
  const rows = Object.entries(properties).map(([name, { type, description }]) => [
    `--set request.${name}=`,
    [type ?? 'any'].flat().join(' or '),
    required.includes(name) ? 'required' : 'optional',
    description ?? '',
  ]);
  return [
    ...(twin === undefined ? [] : ['', `It takes what ${twin} takes.`]),
    ...(rows.length > 0 ? ['', ...table(['input', 'type', '', 'meaning'], rows)] : []),
    ...(twin === undefined && rows.length === 0 ? ['', 'It takes no input.'] : []),
  ];
}

/** A file that is not published has no next start, only its cron expressions. */
function scheduleLines({ schedules = {} }: FlowFile, shown: readonly ShownSchedule[]): string[] {
  const rows = Object.entries(schedules).map(([name, { cron, zone, calendar }]) => [
    name,
    cron,
    zone ?? calendar ?? '',
    shown.find((each) => each.name === name)?.text ?? '',
  ]);
  return rows.length === 0 ? [] : ['', ...table(['schedule', 'cron', 'in', ''], rows)];
}

function eventLines(file: FlowFile): string[] {
  const rows = schemasOfFile(file).events.map(({ type, description, data, starts }) => {
    const { key } = getOwn<EventStartData>(file.starts, type) ?? {};
    const what = starts ? `starts ${key ?? 'a process'}` : '';
    return [type, formatData(data), what, description ?? ''];
  });
  return rows.length === 0 ? [] : ['', ...table(['event', 'data', '', 'meaning'], rows)];
}

/** What is declared, or a drawing of it. */
const chartForms = {
  json: (declared: object) => `${JSON.stringify(declared, null, 1)}\n`,
  svg: async (_: object, view: ChartView) => await svg(drawingOf(view)),
};

const EXAMPLES = `
Examples:
  lockerflow flows
  lockerflow flows IssueFromStock --chart svg > issue-from-stock.svg
  lockerflow flows IssueFromStock --chart json
  lockerflow flows IssueFromStock --file > my-issue.flow.yaml
  lockerflow flows device-loan.flow.yaml --chart svg > device-loan.svg`;

function formatFlows(rows: readonly FlowRow[]): string[] {
  return table(
    ['flow', 'for', 'deadlines'],
    rows.map(({ flow, version, meaning, deadlines }) => [
      version === null ? flow : `${flow}@${version}`,
      meaning,
      deadlines.join(', '),
    ]),
  );
}
