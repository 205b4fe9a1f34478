// `publish` and `backtest`: a flow file at Temporal.
import type { Command } from 'commander';
import { backtestReport, formatReport } from '../../../flows/simulation/backtest.ts';
import { publish, publishVersion } from '../../../processes/commands/publish.ts';
import { orThrow } from '../../../processes/outcome.ts';
import { backtested, type WhichProcesses } from '../../../processes/views/backtest/backtest.ts';
import { CommandFailed, wrongUse } from '../../../shared/terminal/exit-codes.ts';
import { report } from '../../../shared/terminal/report.ts';
import type { Terminal } from '../../../shared/terminal/terminal.ts';
import {
  calendarsBeside,
  flowFilePaths,
  flowFileText,
  isFilePath,
  namesAtHand,
  soundFile,
} from '../../flow-file-text.ts';
import { wholeNumber } from '../../options.ts';
import { atTemporal, commandContextIn } from '../../temporal.ts';

export function addPublish(program: Command, terminal: Terminal): void {
  program
    .command('publish')
    .description(
      'check flow files and publish them, all or none; the same content is the same version, other content the next ' +
        'one, and former content makes its version the current one again. Processes that run stay on the version that they began with, and it says how many. A worker must be running',
    )
    .argument(
      '<path...>',
      'flow files, YAML or JSON, or folders that have some; with --version the name of one flow',
    )
    .option('--version <number>', 'a former version is the current one again', wholeNumber(1, 1_000_000))
    .addHelpText('after', EXAMPLES)
    .action(
      async (given: readonly string[], { version }: { readonly version?: number }, command: Command) => {
        if (version !== undefined) return await takeBack(terminal, command, given, version);
        const paths = await flowFilePaths(given);
        const shared = paths.flatMap((path) => calendarsBeside(path) ?? []);
        const files = await Promise.all(
          [...new Set([...paths, ...shared])].map(async (path) => ({ path, text: await flowFileText(path) })),
        );
        await atTemporal(terminal, async (temporal) => {
          const done = orThrow(await publish.do(commandContextIn(terminal, temporal), null, { files }));
          report(terminal, command, { text: publish.formatResult(done).split('\n'), data: done });
        });
      },
    );
}

const EXAMPLES = `
Examples:
  lockerflow publish device-loan.flow.yaml
  lockerflow publish flows --json
  lockerflow publish DeviceLoan --version 1`;

async function takeBack(
  terminal: Terminal,
  command: Command,
  [flow = '', ...others]: readonly string[],
  version: number,
): Promise<void> {
  if (others.length > 0 || isFilePath(flow))
    throw wrongUse('--version takes the name of one flow, as in: lockerflow publish DeviceLoan --version 1');
  await atTemporal(terminal, async (temporal) => {
    const done = orThrow(await publishVersion.do(commandContextIn(terminal, temporal), flow, { version }));
    report(terminal, command, { text: publishVersion.formatResult(done).split('\n'), data: done });
  });
}

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
    .addHelpText('after', BACKTEST_EXAMPLES)
    .action(async (path: string, which: WhichProcesses, command: Command) => {
      const file = await soundFile(path, { ...namesAtHand, mayBeBuiltIn: true });
      const all = await atTemporal(terminal, (temporal) => backtested(temporal, file, which));
      if (all.length === 0)
        throw new CommandFailed(
          'failed',
          `no process of ${file.name} was found${which.open ? '; expected at least one' : ' that has ended; --open plays those that still run'}`,
        );
      const data = { ...backtestReport(file.name, all), each: all };
      report(terminal, command, { text: formatReport(data), data });
    });
}

const BACKTEST_EXAMPLES = `
Examples:
  lockerflow backtest device-loan.flow.yaml
  lockerflow backtest device-loan.flow.yaml --last 1000 --open
  lockerflow backtest Issue.flow.yaml`;
