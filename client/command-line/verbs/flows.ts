// `flows`: which flows there are, what each is for and takes; with --chart the chart that one runs.
import { type Command, Option } from 'commander';
import { flowRules } from '../../../contract/flows/flow-rules.ts';
import { type FlowType, flowTypes } from '../../../contract/flows/flow-types.ts';
import type { FlowFile } from '../../../flow-files/flow-file.ts';
import { wrongUse } from '../../../terminal/exit-codes.ts';
import { report } from '../../../terminal/report.ts';
import { table } from '../../../terminal/table.ts';
import type { Terminal } from '../../../terminal/terminal.ts';
import { drawingOfFile } from '../drawing/flow-file-drawing.ts';
import { mermaid } from '../drawing/mermaid.ts';
import { svg } from '../drawing/svg.ts';
import { isFilePath, soundFile } from '../flow-file-text.ts';
import { type ChartForm, chartForms, chartOf, type FlowPage, flowPages } from '../flow-pages.ts';
import { asFlowType } from '../start-input.ts';

interface Row {
  readonly flow: string;
  readonly meaning: string;
  readonly operation: string;
  readonly deadlines: readonly string[];
}

export function addFlows(program: Command, terminal: Terminal): void {
  program
    .command('flows')
    .description('list the flows: what each is for, and which deadlines it takes')
    .argument('[Flow]', 'only this one; or a flow file, as YAML or JSON')
    .addOption(
      new Option('--chart <form>', 'the chart that one flow runs, for programs, documents or eyes').choices(
        chartForms,
      ),
    )
    .addHelpText('after', EXAMPLES)
    .action(async (name: string | undefined, { chart }: { chart?: ChartForm }, command: Command) => {
      if (name !== undefined && isFilePath(name)) {
        const file = await soundFile(name);
        if (chart) return terminal.write(await fileCharts[chart](file));
        const row = { flow: file.name, meaning: file.meaning, operation: '', deadlines: [] };
        return report(terminal, command, { words: words([row]), data: [row] });
      }
      const only = name === undefined ? null : asFlowType(name);
      if (chart) return terminal.write(await chartOf(oneFlow(only), chart));
      const pages = await flowPages();
      const rows = flowTypes
        .filter((type) => only === null || type === only)
        .map((type) => rowOf(type, pages));
      report(terminal, command, { words: words(rows), data: rows });
    });
}

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
    rows.map(({ flow, meaning, deadlines }) => [flow, meaning, deadlines.join(', ')]),
  ).join('\n');
