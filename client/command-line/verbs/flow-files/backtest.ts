// `backtest`: plays what happened to processes through a flow file that is not published yet, and says what it would have decided
// otherwise. It reads histories, and changes nothing.
import type { Command } from 'commander';
import {
  backtestReport,
  formatReport,
  markdownOfReport,
} from '../../../../flows/language/simulation/backtest-report.ts';
import {
  backtested,
  backtestedFiles,
  type WhichProcesses,
} from '../../../../processes/views/backtest/backtest.ts';
import { CommandFailed } from '../../../../shared/terminal/exit-codes.ts';
import { report } from '../../../../shared/terminal/report.ts';
import type { Terminal } from '../../../../shared/terminal/terminal.ts';
import { soundFile } from '../../flow-file-text.ts';
import { atTemporal } from '../../temporal.ts';
import { wholeNumber } from '../../whole-number.ts';

interface Options extends WhichProcesses {
  readonly file?: readonly string[];
  readonly markdown?: true;
}

export function addBacktest(program: Command, terminal: Terminal): void {
  program
    .command('backtest')
    .description(
      'play what happened to processes through a changed flow file, in virtual time: which would have gone as they did, and which otherwise. Reads histories, changes ' +
        'nothing, needs no worker',
    )
    .argument('<file>', 'the changed flow file, YAML or JSON')
    .option('--last <number>', 'how many processes, the newest first', wholeNumber(1, 100_000), 100)
    .option('--open', 'processes that run, too: as far as they have come')
    .option('--query <query>', "only processes that this query in Temporal's own language finds")
    .option(
      '--file <path...>',
      'histories in files or folders, as temporal workflow show --output json writes them; needs no Temporal',
    )
    .option('--markdown', 'for a comment on a pull request')
    .addHelpText('after', EXAMPLES)
    .action(async (path: string, options: Options, command: Command) => {
      const { file: histories, ...which } = options;
      const { file, all } = await atTemporal(
        terminal,
        async ({ client }) => {
          const changed = await soundFile(path);
          return {
            file: changed,
            all: histories
              ? await backtestedFiles(client, changed, histories)
              : await backtested(client, changed, which),
          };
        },
        { lazily: histories !== undefined },
      );
      if (all.length === 0)
        throw new CommandFailed(
          'failed',
          `no process of ${file.name} was found${options.open || options.file ? '; expected at least one' : ' that has ended; --open plays those that still run'}`,
        );
      const data = { ...backtestReport(file.name, all), each: all };
      report(terminal, command, {
        words: options.markdown ? markdownOfReport(data) : formatReport(data),
        data,
      });
    });
}

const EXAMPLES = `
Examples:
  lockerflow backtest device-loan.flow.yaml
  lockerflow backtest device-loan.flow.yaml --last 1000 --open
  lockerflow backtest device-loan.flow.yaml --markdown > comment.md`;
