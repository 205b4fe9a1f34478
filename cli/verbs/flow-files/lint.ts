// `lint`: the errors of flow files, and valid parts that will not do what the author thinks.
import type { Command } from 'commander';
import type { FlowFile } from '../../../flows/language/flow-file.ts';
import { withDeadline } from '../../../processes/temporal-context.ts';
import { escapeControlCharacters } from '../../../shared/terminal/escape-control-characters.ts';
import { CommandFailed } from '../../../shared/terminal/exit-codes.ts';
import { wantsJson } from '../../../shared/terminal/report.ts';
import type { Terminal } from '../../../shared/terminal/terminal.ts';
import { flowFilePaths } from '../../flow-file-text.ts';
import { connectorsAtHand, formatFound, type LintedFile, lintedFiles } from '../../linted-files.ts';
import { atTemporal } from '../../temporal.ts';

export function addLint(program: Command, terminal: Terminal): void {
  program
    .command('lint')
    .description('check flow files: whether they are valid, and which parts probably do not work as intended')
    .argument('<PATH...>', 'flow files, as YAML or JSON, or folders that have some')
    .option(
      '--connectors <file>',
      'the connectors of the workers, to check their names; unless given, LOCKERFLOW_CONNECTORS',
    )
    .option(
      '--published',
      'ask Temporal for the published flows, to check what the files invoke beside each other',
    )
    .addHelpText('after', EXAMPLES)
    .action(async (given: string[], options: LintOptions, command: Command) => {
      let isClean = true;
      const connectors = await connectorsAtHand(options.connectors);
      const published = options.published ? await allPublished(terminal) : [];
      const paths = await flowFilePaths(given);
      for (const { path, findings } of await lintedFiles(paths, { connectors, published })) {
        isClean &&= findings.length === 0;
        const text = wantsJson(command) ? JSON.stringify({ file: path, findings }) : listed(path, findings);
        terminal.write(`${text}\n`);
      }
      if (!isClean)
        throw new CommandFailed(
          'failed',
          'the files have findings (above); docs/flow-file-reference.md explains each code',
        );
    });
}

const EXAMPLES = `
Examples:
  lockerflow lint device-loan.flow.yaml
  lockerflow lint --json flows
  lockerflow lint --connectors connectors.yaml flows
  lockerflow lint --published parcel.flow.yaml`;

interface LintOptions {
  readonly connectors?: string;
  readonly published?: boolean;
}

const allPublished = (terminal: Terminal): Promise<readonly FlowFile[]> =>
  atTemporal(terminal, (temporal) =>
    withDeadline(temporal, async () => (await temporal.flows.published()).map(({ file }) => file)),
  );

const listed = (path: string, findings: LintedFile['findings']): string =>
  findings.length > 0
    ? [
        escapeControlCharacters(path),
        ...findings.map((each) => `  ${escapeControlCharacters(formatFound(each))}`),
      ].join('\n')
    : `${escapeControlCharacters(path)}: clean`;
