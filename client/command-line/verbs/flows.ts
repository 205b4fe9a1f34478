// `flows`: which flows there are, what each is for and takes; with --mermaid its diagram.
import type { Command } from 'commander';
import { flowRules } from '../../../contract/flows/flow-rules.ts';
import { flowTypes } from '../../../contract/flows/flow-types.ts';
import { wrongUse } from '../exit-codes.ts';
import { type FlowPage, flowPages } from '../flow-pages.ts';
import { report } from '../report.ts';
import { asFlowType } from '../start-input.ts';
import { table } from '../table.ts';
import type { Terminal } from '../terminal.ts';

interface Row {
  readonly flow: string;
  readonly meaning: string;
  readonly operation: string;
  readonly deadlines: readonly string[];
}

export function addFlows(program: Command, terminal: Terminal): void {
  program
    .command('flows')
    .description('which flows there are, what each is for, and which deadlines it takes')
    .argument('[Flow]', 'only this one')
    .option('--mermaid', 'the diagram of one flow, as Mermaid')
    .addHelpText('after', EXAMPLES)
    .action(async (name: string | undefined, { mermaid }: { mermaid?: true }, command: Command) => {
      const only = name === undefined ? null : asFlowType(name);
      const pages = await flowPages();
      if (mermaid) return terminal.write(diagram(pages, only));
      const rows = flowTypes
        .filter((type) => only === null || type === only)
        .map((type) => rowOf(type, pages));
      report(terminal, command, { words: words(rows), data: rows });
    });
}

const EXAMPLES = `
Examples:
  lockerflow flows
  lockerflow flows IssueFromStock --mermaid > issue-from-stock.mmd`;

function diagram(pages: readonly FlowPage[], only: string | null): string {
  const shown = pages.find(({ flow }) => flow === only);
  if (!shown)
    throw wrongUse(
      `--mermaid shows one flow with shipments; expected one of ${pages.map(({ flow }) => flow).join(', ')}`,
    );
  return shown.diagram;
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
