// `backtest`: plays what happened to processes through a flow file that is not published yet, and says what it would have
// decided otherwise. It reads histories, and changes nothing.
import type { Command } from 'commander';
import {
  backtestReport,
  markdownOfReport,
  wordsOfReport,
} from '../../../../flow-files/playing/backtest-report.ts';
import { backtested } from '../../../../processes/views/backtest.ts';
import { CommandFailed } from '../../../../runtime/terminal/exit-codes.ts';
import { report } from '../../../../runtime/terminal/report.ts';
import type { Terminal } from '../../../../runtime/terminal/terminal.ts';
import { soundFile } from '../../flow-file-text.ts';
import { atTemporal } from '../../temporal.ts';
import { wholeNumber } from '../../whole-number.ts';

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
