// `backtest`: plays what happened to processes through a flow file that is not published yet, or through a version of a built-in
// flow in this checkout, and says what it would have decided otherwise. It reads histories, and changes nothing.
import type { Command } from 'commander';
import {
  backtestReport,
  formatReport,
  markdownOfReport,
} from '../../../../flows/language/simulation/backtest-report.ts';
import type { AtTemporal } from '../../../../processes/at-temporal.ts';
import {
  backtested,
  backtestedFiles,
  builtInCandidate,
  type Candidate,
  fileCandidate,
  type WhichProcesses,
} from '../../../../processes/views/backtest/backtest.ts';
import { CommandFailed, wrongUse } from '../../../../shared/terminal/exit-codes.ts';
import { report } from '../../../../shared/terminal/report.ts';
import type { Terminal } from '../../../../shared/terminal/terminal.ts';
import { soundFile } from '../../flow-file-text.ts';
import { asFlowType, isBuiltIn } from '../../start-input.ts';
import { atTemporal } from '../../temporal.ts';
import { wholeNumber } from '../../whole-number.ts';

interface Options extends WhichProcesses {
  readonly to?: number;
  readonly file?: readonly string[];
  readonly markdown?: true;
}

export function addBacktest(program: Command, terminal: Terminal): void {
  program
    .command('backtest')
    .description(
      'play what happened to processes through a changed flow file, or through a version of a built-in flow in this ' +
        'checkout, in virtual time: which would have gone as they did, and which otherwise. Reads histories, changes ' +
        'nothing, needs no worker',
    )
    .argument('<flow>', 'the changed flow file, YAML or JSON; or a built-in flow')
    .option(
      '--to <version>',
      'of a built-in flow: the version; the newest if not given',
      wholeNumber(1, 100_000),
    )
    .option('--last <number>', 'how many processes, the newest first', wholeNumber(1, 100_000), 100)
    .option('--open', 'processes that run, too: as far as they have come')
    .option('--query <query>', "only processes that this query in Temporal's own language finds")
    .option(
      '--file <path...>',
      'histories in files or folders, as temporal workflow show --output json writes them; needs no Temporal',
    )
    .option('--markdown', 'for a comment on a pull request')
    .addHelpText('after', EXAMPLES)
    .action(async (flow: string, options: Options, command: Command) => {
      if (options.to !== undefined && !isBuiltIn(flow))
        throw wrongUse('--to names a version of a built-in flow; a flow file is the version that is asked');
      const { candidate, all } = await atTemporal(
        terminal,
        async (temporal) => {
          const asked = await candidateOf(temporal, flow, options.to);
          return { candidate: asked, all: await found(temporal, asked, options) };
        },
        { lazily: options.file !== undefined },
      );
      if (all.length === 0)
        throw new CommandFailed(
          'failed',
          `no process of ${candidate.flow} was found${options.open || options.file ? '; expected at least one' : ' that has ended; --open plays those that still run'}`,
        );
      const data = { ...backtestReport(candidate.flow, all), each: all };
      report(terminal, command, {
        words: options.markdown ? markdownOfReport(data) : formatReport(data),
        data,
      });
    });
}

const candidateOf = async (
  { client }: AtTemporal,
  flow: string,
  to: number | undefined,
): Promise<Candidate> =>
  isBuiltIn(flow)
    ? await builtInCandidate(client, asFlowType(flow), to)
    : fileCandidate(client, await soundFile(flow));

const found = ({ client }: AtTemporal, candidate: Candidate, { file, ...which }: Options) =>
  file ? backtestedFiles(candidate, file) : backtested(client, candidate, which);

const EXAMPLES = `
Examples:
  lockerflow backtest device-loan.flow.yaml
  lockerflow backtest device-loan.flow.yaml --last 1000 --open
  lockerflow backtest device-loan.flow.yaml --markdown > comment.md
  lockerflow backtest Issue --last 1000
  lockerflow backtest Issue --to 2 --file test/histories`;
