// `backtest`: plays what happened to processes through a flow file that is not published yet, and says what it would have
// decided otherwise. It reads histories, and changes nothing.
import type { Command } from 'commander';
import pLimit from 'p-limit';
import type { FlowFile } from '../../../flow-files/flow-file.ts';
import { type Backtested, backtest } from '../../../flow-files/playing/backtest.ts';
import {
  backtestReport,
  markdownOfReport,
  wordsOfReport,
} from '../../../flow-files/playing/backtest-report.ts';
import { CommandFailed } from '../../../runtime/terminal/exit-codes.ts';
import { report } from '../../../runtime/terminal/report.ts';
import type { Terminal } from '../../../runtime/terminal/terminal.ts';
import { NotBacktestable, recordedProcess } from '../../flow-files/recorded-process.ts';
import { soundFile } from '../flow-file-text.ts';
import { flowQuery } from '../flow-query.ts';
import { everyFound } from '../found-flows.ts';
import { type AtTemporal, atTemporal } from '../temporal.ts';
import { wholeNumber } from '../whole-number.ts';

interface Options {
  readonly last: number;
  readonly open?: true;
  readonly query?: string;
  readonly markdown?: true;
}

export function addBacktest(program: Command, terminal: Terminal): void {
  program
    .command('backtest')
    .description(
      'play what happened to processes through a changed flow file, in virtual time: which would have gone as they did, ' +
        'and which otherwise. Reads histories, changes nothing, needs no worker',
    )
    .argument('<file>', 'the changed flow file, YAML or JSON; its name says whose processes')
    .option('--last <number>', 'how many processes, the newest first', wholeNumber(1, 100_000), 100)
    .option('--open', 'processes that run, too: as far as they have come')
    .option('--query <query>', "only processes that this query in Temporal's own language finds")
    .option('--markdown', 'for a comment on a pull request')
    .addHelpText('after', EXAMPLES)
    .action(async (path: string, options: Options, command: Command) => {
      const file = await soundFile(path);
      const all = await atTemporal(terminal, (temporal) => backtested(temporal, file, options));
      if (all.length === 0)
        throw new CommandFailed(
          'failed',
          `no process of ${file.name} was found${options.open ? '' : ' that has ended'}; expected at least one`,
        );
      const data = { ...backtestReport(file.name, all), each: all };
      report(terminal, command, {
        words: options.markdown ? markdownOfReport(data) : wordsOfReport(data),
        data,
      });
    });
}

const EXAMPLES = `
Examples:
  lockerflow backtest device-loan.flow.yaml
  lockerflow backtest device-loan.flow.yaml --last 1000 --open
  lockerflow backtest device-loan.flow.yaml --markdown > comment.md`;

// A history is a request or two to Temporal, which others use too.
const AT_ONCE = 8;

async function backtested(
  { client }: AtTemporal,
  file: FlowFile,
  { last, open, query }: Options,
): Promise<Backtested[]> {
  const found: string[] = [];
  const wanted = { flow: [file.name], ...(!open && { closed: true as const }), ...(query && { query }) };
  for await (const { workflowId, status } of everyFound(client, flowQuery(wanted))) {
    if (status !== 'ContinuedAsNew' && !found.includes(workflowId)) found.push(workflowId);
    if (found.length === last) break;
  }
  const oneAtATime = pLimit(AT_ONCE);
  return await Promise.all(
    found.map((workflowId) =>
      oneAtATime(async () => {
        try {
          return backtest(await recordedProcess(client, workflowId), file);
        } catch (error) {
          if (error instanceof NotBacktestable) return untold(workflowId, error.message);
          throw error;
        }
      }),
    ),
  );
}

const nothing = { end: 'unknown', tookMs: null, questions: 0, calls: {}, emits: {} } as const;

const untold = (key: string, why: string): Backtested => ({
  ...{ key, version: 0, verdict: 'cannotTell', why, before: nothing, after: nothing },
});
