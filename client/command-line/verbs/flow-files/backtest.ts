// `backtest`: plays what happened to processes through a flow file that is not published yet, and says what it would have decided
// otherwise. It reads histories, and changes nothing.
import type { Command } from 'commander';
import { backtestReport, formatReport } from '../../../../flows/language/simulation/backtest-report.ts';
import { backtested, type WhichProcesses } from '../../../../processes/views/backtest/backtest.ts';
import { CommandFailed } from '../../../../shared/terminal/exit-codes.ts';
import { report, type Terminal } from '../../../../shared/terminal/terminal.ts';
import { soundFile } from '../../flow-file-text.ts';
import { wholeNumber } from '../../options.ts';
import { atTemporal } from '../../temporal.ts';

export function addBacktest(program: Command, terminal: Terminal): void {
  program
    .command('backtest')
    .description(
      'play what happened to processes through a changed flow file, in virtual time: which would have gone as they did, ' +
        'and which otherwise. Reads histories, changes nothing, needs no worker',
    )
    .argument('<file>', 'the changed flow file, YAML or JSON')
    .option('--last <number>', 'how many processes, the newest first', wholeNumber(1, 100_000), 100)
    .option('--open', 'processes that run, too: as far as they have come')
    .option('--query <query>', "only processes that this query in Temporal's own language finds")
    .addHelpText('after', EXAMPLES)
    .action(async (path: string, which: WhichProcesses, command: Command) => {
      const file = await soundFile(path);
      const all = await atTemporal(terminal, ({ client }) => backtested(client, file, which));
      if (all.length === 0)
        throw new CommandFailed(
          'failed',
          `no process of ${file.name} was found${which.open ? '; expected at least one' : ' that has ended; --open plays those that still run'}`,
        );
      const data = { ...backtestReport(file.name, all), each: all };
      report(terminal, command, { words: formatReport(data), data });
    });
}

const EXAMPLES = `
Examples:
  lockerflow backtest device-loan.flow.yaml
  lockerflow backtest device-loan.flow.yaml --last 1000 --open`;
