// `list`: the flows of a query, newest first, page by page.
import type { Command } from 'commander';
import { type FlowQueryOptions, flowQuery } from '../../../processes/views/flow-query.ts';
import { countedPage } from '../../../processes/views/found-flows.ts';
import { type ProcessPage, readProcessPage } from '../../../processes/views/process-list.ts';
import { ProcessSummaries } from '../../../processes/views/summaries.ts';
import { report, type Terminal, table, wantsJson } from '../../../shared/terminal/terminal.ts';
import { addQueryOptions, wholeNumber } from '../options.ts';
import { atTemporal } from '../temporal.ts';

interface ListOptions extends FlowQueryOptions {
  readonly limit: number;
  readonly page?: string;
  readonly summaries: boolean;
}

export function addList(program: Command, terminal: Terminal): void {
  const list = program.command('list').description('list flows, newest first; without options all of them');
  addQueryOptions(list)
    .option('--limit <number>', 'how many at a time, 1 to 1000', wholeNumber(1, 1_000), 50)
    .option('--page <page>', 'continue after the previous page')
    .option('--no-summaries', 'with --json: do not ask the open flows where they stand')
    .addHelpText('after', EXAMPLES)
    .action(async (options: ListOptions, command: Command) => {
      const query = flowQuery(options);
      await atTemporal(terminal, async (temporal) => {
        const search = countedPage(temporal.client, query, { size: options.limit, from: options.page });
        // The table does not show where they stand.
        const asks = options.summaries && wantsJson(command);
        const summaries = asks ? new ProcessSummaries(temporal) : null;
        const page = await readProcessPage(search, summaries);
        report(terminal, command, { words: words(page), data: page });
      });
    });
}

const EXAMPLES = `
Examples:
  lockerflow list --phase NeedsPerson
  lockerflow list --open --flow Issue IssueFromStock --pick-up-point pup-central
  lockerflow list --case C-1042 --json
  lockerflow list --closed --started-after 2031-05-01T00:00:00Z --limit 200`;

function words({ items, count, next }: ProcessPage): string {
  if (items.length === 0) return 'no flows found';
  const rows = items.map((row) => [
    row.key,
    row.flow,
    row.phase ?? row.status,
    row.caseNo ?? '',
    row.pickUpPoint ?? '',
    row.startedAt?.slice(0, 19).replace('T', ' ') ?? '',
  ]);
  const lines = table(['key', 'flow', 'state', 'case', 'pick up point', 'started (UTC)'], rows);
  const total = `${items.length} of ${count}${next === null ? '' : `; go on with --page ${next}`}`;
  return [...lines, '', total].join('\n');
}
