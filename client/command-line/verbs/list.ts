// `list`: the flows of a query, newest first, page by page.
import type { Command } from 'commander';
import { type FlowQueryOptions, flowQuery } from '../../../processes/views/flow-query.ts';
import { countedPage, type FoundFlow, statusWordsOf } from '../../../processes/views/found-flows.ts';
import { report } from '../../../runtime/terminal/report.ts';
import { table } from '../../../runtime/terminal/table.ts';
import type { Terminal } from '../../../runtime/terminal/terminal.ts';
import { addQueryOptions } from '../query-options.ts';
import { atTemporal } from '../temporal.ts';
import { wholeNumber } from '../whole-number.ts';

interface ListOptions extends FlowQueryOptions {
  readonly limit: number;
  readonly page?: string;
}

export function addList(program: Command, terminal: Terminal): void {
  const list = program.command('list').description('list flows, newest first; without options all of them');
  addQueryOptions(list)
    .option('--limit <number>', 'how many at a time, 1 to 1000', wholeNumber(1, 1_000), 50)
    .option('--page <page>', 'continue after the previous page')
    .addHelpText('after', EXAMPLES)
    .action(async (options: ListOptions, command: Command) => {
      const query = flowQuery(options);
      await atTemporal(terminal, async ({ client }) => {
        const { flows, next, count } = await countedPage(client, query, {
          size: options.limit,
          from: options.page,
        });
        report(terminal, command, { words: words(flows, count, next), data: { count, flows, next } });
      });
    });
}

const EXAMPLES = `
Examples:
  lockerflow list --phase NeedsPerson
  lockerflow list --open --flow Issue IssueFromStock --pick-up-point pup-central
  lockerflow list --case C-1042 --json
  lockerflow list --closed --started-after 2031-05-01T00:00:00Z --limit 200`;

function words(flows: readonly FoundFlow[], count: number, next: string | null): string {
  if (flows.length === 0) return 'no flows found';
  const rows = flows.map((flow) => [
    flow.workflowId,
    flow.flow,
    statusWordsOf(flow),
    flow.case ?? '',
    flow.pickUpPoint ?? '',
    flow.startedAt?.slice(0, 19).replace('T', ' ') ?? '',
  ]);
  const lines = table(['key', 'flow', 'state', 'case', 'pick up point', 'started (UTC)'], rows);
  const total = `${flows.length} of ${count}${next === null ? '' : `; go on with --page ${next}`}`;
  return [...lines, '', total].join('\n');
}
