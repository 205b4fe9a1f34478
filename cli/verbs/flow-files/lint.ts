// `lint`: the errors of flow files, and valid parts that will not do what the author thinks.
import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import type { FlowFile } from '../../../flows/language/flow-file.ts';
import { lintFindings } from '../../../flows/language/lint/lint.ts';
import { formatLintFinding, type LintFinding, lintRules } from '../../../flows/language/lint/lint-finding.ts';
import { type Finding, formatFinding } from '../../../flows/language/reading/report.ts';
import { answered } from '../../../processes/at-temporal.ts';
import { type ConnectorNames, connectorNamesIn } from '../../../shared/settings/connector-names.ts';
import { escapeControlCharacters } from '../../../shared/terminal/escape-control-characters.ts';
import { CommandFailed, wrongUse } from '../../../shared/terminal/exit-codes.ts';
import { wantsJson } from '../../../shared/terminal/report.ts';
import type { Terminal } from '../../../shared/terminal/terminal.ts';
import { builtInInvocables, checkedFile, namesAtHand } from '../../flow-file-text.ts';
import { atTemporal } from '../../temporal.ts';

export function addLint(program: Command, terminal: Terminal): void {
  program
    .command('lint')
    .description('check flow files: whether they are valid, and which parts probably do not work as intended')
    .argument('<FILE...>', 'flow files, as YAML or JSON')
    .option(
      '--connectors <file>',
      'the connectors of the workers, to check their names; unless given, LOCKERFLOW_CONNECTORS',
    )
    .option(
      '--published',
      'ask Temporal for the published flows, to check what the files invoke beside each other',
    )
    .addHelpText('after', EXAMPLES)
    .action(async (paths: string[], options: LintOptions, command: Command) => {
      let isClean = true;
      const names = { ...namesAtHand, connectors: await connectorsAtHand(options.connectors) };
      const read = await Promise.all(
        paths.map(async (path) => ({ path, placeOf: undefined, ...(await checkedFile(path, names)) })),
      );
      const files = read.flatMap(({ file }) => file ?? []);
      const published = options.published ? await allPublished(terminal) : [];
      const invocables = { ...builtInInvocables, published };
      const show = (path: string, found: readonly (Finding | LintFinding)[]) => {
        isClean &&= found.length === 0;
        const text = wantsJson(command)
          ? JSON.stringify({ file: path, findings: found })
          : listed(path, found);
        terminal.write(`${text}\n`);
      };
      for (const { path, file, findings, placeOf } of read) {
        show(path, file ? lintFindings(file, { others: files, invocables, placeOf }) : findings);
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
  lockerflow lint --json flows/*.flow.yaml
  lockerflow lint --connectors connectors.yaml flows/*.flow.yaml
  lockerflow lint --published parcel.flow.yaml`;

interface LintOptions {
  readonly connectors?: string;
  readonly published?: boolean;
}

const allPublished = (terminal: Terminal): Promise<readonly FlowFile[]> =>
  atTemporal(terminal, (temporal) =>
    answered(temporal, async () => (await temporal.flows.published()).map(({ file }) => file)),
  );

/** The secret files that it names are not read. Null: no file is named. */
async function connectorsAtHand(
  path = process.env.LOCKERFLOW_CONNECTORS || undefined,
): Promise<ConnectorNames | null> {
  if (path === undefined) return null;
  try {
    return connectorNamesIn(await readFile(path, 'utf8'));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw wrongUse(
      `${path} cannot be read (${reason}); expected a file of connectors, see docs/connectors.md`,
    );
  }
}

const listed = (path: string, findings: readonly (Finding | LintFinding)[]): string =>
  findings.length > 0
    ? [
        escapeControlCharacters(path),
        ...findings.map((each) => `  ${escapeControlCharacters(formatFound(each))}`),
      ].join('\n')
    : `${escapeControlCharacters(path)}: clean`;

const formatFound = (finding: Finding | LintFinding): string =>
  isLint(finding) ? formatLintFinding(finding) : formatFinding(finding);

const isLint = (finding: Finding | LintFinding): finding is LintFinding =>
  Object.hasOwn(lintRules, finding.code);
