// `flows`: lists the flows with their meaning and input; with --chart it prints the chart of one.
import { type Command, Option } from 'commander';
import { flowRules } from '../../../contract/flows/flow-rules.ts';
import { type FlowType, flowTypes } from '../../../contract/flows/flow-types.ts';
import { chartView } from '../../../driver/chart/chart-view.ts';
import { drawingOf } from '../../../driver/chart/drawing.ts';
import { mermaid } from '../../../driver/chart/mermaid.ts';
import { svg } from '../../../driver/chart/svg.ts';
import type { FlowFile } from '../../../flow-files/flow-file.ts';
import { idleMachineOf } from '../../../flow-files/machine/machine.ts';
import { nearestOf } from '../../../flow-files/reading/names.ts';
import type { Published } from '../../../flow-files/registry.ts';
import {
  type ChartForm,
  chartForms,
  chartOf,
  type FlowPage,
  flowPages,
} from '../../../processes/views/flow-pages.ts';
import { CommandFailed, exitCodes, wrongUse } from '../../../runtime/terminal/exit-codes.ts';
import { report } from '../../../runtime/terminal/report.ts';
import { table } from '../../../runtime/terminal/table.ts';
import type { Terminal } from '../../../runtime/terminal/terminal.ts';
import type { LockerFlows } from '../../locker-flows.ts';
import { isFilePath, soundFile } from '../flow-file-text.ts';
import { asFlowType, isBuiltIn } from '../start-input.ts';
import { atTemporal } from '../temporal.ts';

interface Row {
  readonly flow: string;
  readonly meaning: string;
  readonly operation: string;
  readonly deadlines: readonly string[];
  /** For a published flow file. */
  readonly version?: number;
  /** For a flow file: the JSON schema of its request. */
  readonly input?: FlowFile['input'];
}

export function addFlows(program: Command, terminal: Terminal): void {
  program
    .command('flows')
    .description('list the flows, built in and published: what each is for, and which deadlines it takes')
    .argument('[Flow]', 'only this one; or a flow file, as YAML or JSON')
    .addOption(
      new Option(
        '--chart <form>',
        'the chart that one flow runs: json for programs, mermaid for documents, svg to look at',
      ).choices(chartForms),
    )
    .addHelpText('after', EXAMPLES)
    .action(async (name: string | undefined, { chart }: { chart?: ChartForm }, command: Command) => {
      if (name !== undefined && !isBuiltIn(name)) {
        const shown = isFilePath(name) ? { file: await soundFile(name) } : await publishedAs(terminal, name);
        if (chart) return terminal.write(await fileCharts[chart](shown.file));
        const row = { ...fileRow(shown), input: shown.file.input };
        const lines = [words([row]), ...inputWords(shown.file)];
        return report(terminal, command, { words: lines.join('\n'), data: [row] });
      }
      const only = name === undefined ? null : asFlowType(name);
      if (chart) return terminal.write(await chartOf(oneFlow(only), chart));
      const rows = only ? await builtInRows([only]) : await allRows(terminal);
      report(terminal, command, { words: words(rows), data: rows });
    });
}

const allRows = async (terminal: Terminal): Promise<Row[]> => [
  ...(await builtInRows(flowTypes)),
  ...(await publishedRows(terminal)),
];

async function builtInRows(types: readonly FlowType[]): Promise<Row[]> {
  const pages = await flowPages();
  return types.map((type) => rowOf(type, pages));
}

async function publishedAs(terminal: Terminal, name: string): Promise<Published> {
  const published = await askedBriefly(terminal, (flows) => flows.publishedAs(name));
  if (published) return published;
  throw wrongUse(
    `${name} is not a built-in flow${nearWords(name)}, and Temporal cannot be asked for the published ones; start Temporal, or set TEMPORAL_ADDRESS`,
  );
}

function nearWords(name: string): string {
  const near = nearestOf(name, flowTypes);
  return near === undefined ? '' : ` (did you mean ${near}?)`;
}

async function publishedRows(terminal: Terminal): Promise<Row[]> {
  const published = await askedBriefly(terminal, (flows) => flows.published());
  if (!published) terminal.complain('published flow files are not listed: Temporal cannot be reached');
  return (published ?? []).map(fileRow);
}

// A person who lists the flows may have no Temporal, and should not wait long for it.
const LOOK_WITHIN_MS = 1_000;

/** Null if Temporal cannot be reached. */
async function askedBriefly<Answer>(
  terminal: Terminal,
  ask: (flows: LockerFlows) => Promise<Answer>,
): Promise<Answer | null> {
  const answer = atTemporal(terminal, ({ flows }) => ask(flows), { connectWithinMs: LOOK_WITHIN_MS });
  return await answer.catch((error: unknown) => {
    if (error instanceof CommandFailed && error.exitCode === exitCodes.unreachable) return null;
    throw error;
  });
}

/** `version`: of one that is published. */
const fileRow = ({ file, version }: { readonly file: FlowFile; readonly version?: number }): Row => ({
  ...{ flow: file.name, meaning: file.meaning, operation: '', deadlines: [] },
  ...(version !== undefined && { version }),
});

/** A field to a line, as `start` takes it; what is within a field stands in the file. */
function inputWords({ input }: FlowFile): string[] {
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
  return rows.length === 0
    ? ['', 'It takes no input.']
    : ['', ...table(['input', 'type', '', 'meaning'], rows)];
}

const drawingOfFile = (file: FlowFile) => drawingOf(chartView(idleMachineOf(file)));

const fileCharts: Readonly<Record<ChartForm, (file: FlowFile) => string | Promise<string>>> = {
  json: (file) => `${JSON.stringify(file, null, 1)}\n`,
  mermaid: (file) => `${mermaid(drawingOfFile(file))}\n`,
  svg: (file) => svg(drawingOfFile(file)),
};

const EXAMPLES = `
Examples:
  lockerflow flows
  lockerflow flows IssueFromStock --chart svg > issue-from-stock.svg
  lockerflow flows IssueFromStock --chart json
  lockerflow flows DeviceLoan --chart svg > device-loan.svg
  lockerflow flows device-loan.flow.yaml --chart mermaid`;

function oneFlow(only: FlowType | null): FlowType {
  if (only === null)
    throw wrongUse(`--chart shows the chart of one flow; expected one of ${flowTypes.join(', ')} before it`);
  return only;
}

function rowOf(flow: (typeof flowTypes)[number], pages: readonly FlowPage[]): Row {
  if (flow === 'OnboardAccount')
    return {
      flow,
      operation: 'CreateOrGetAccount',
      deadlines: [],
      meaning: 'An account is found or created.',
    };
  const { operation, deadlines } = flowRules[flow];
  const meaning = pages.find((page) => page.flow === flow)?.meaning ?? '';
  return { flow, meaning, operation, deadlines: deadlines.map(({ role, stage }) => `${role}.${stage}`) };
}

const words = (rows: readonly Row[]): string =>
  table(
    ['flow', 'for', 'deadlines'],
    rows.map(({ flow, version, meaning, deadlines }) => [
      version === undefined ? flow : `${flow}@${version}`,
      meaning,
      deadlines.join(', '),
    ]),
  ).join('\n');
