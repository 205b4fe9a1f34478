// Flow files and all that `lint` finds in each of them, checked together.
import { readFile } from 'node:fs/promises';
import { namedTwice } from '../client/flow-files/check-texts.ts';
import type { FlowFile } from '../flows/language/flow-file.ts';
import { lintFindings } from '../flows/language/lint/lint.ts';
import { formatLintFinding, type LintFinding, lintRules } from '../flows/language/lint/lint-finding.ts';
import { type Finding, formatFinding } from '../flows/language/reading/report.ts';
import { type ConnectorNames, connectorNamesIn } from '../shared/settings/connector-names.ts';
import { wrongUse } from '../shared/terminal/exit-codes.ts';
import { builtInInvocables, checkedFile, namesAtHand } from './flow-file-text.ts';

export interface LintedFile {
  readonly path: string;
  /** Null where it is not valid. */
  readonly file: FlowFile | null;
  readonly findings: readonly (Finding | LintFinding)[];
}

interface Surroundings {
  /** Null: their names are not checked. */
  readonly connectors: ConnectorNames | null;
  readonly published: readonly FlowFile[];
}

export async function lintedFiles(
  paths: readonly string[],
  { connectors, published }: Surroundings,
): Promise<LintedFile[]> {
  const names = { ...namesAtHand, connectors };
  const read = await Promise.all(
    paths.map(async (path) => ({ path, placeOf: undefined, ...(await checkedFile(path, names)) })),
  );
  const files = read.flatMap(({ file }) => file ?? []);
  const own = new Set(files.map(({ name }) => name));
  const invocables = { ...builtInInvocables, published: published.filter(({ name }) => !own.has(name)) };
  const repeated = new Map(namedTwice(read).map((each) => [each.path, each]));
  return read.map(({ path, file, findings, placeOf }) => {
    const taken = repeated.get(path);
    return {
      path,
      file,
      findings: [
        ...(taken ? [nameTaken(taken, placeOf?.(['name']))] : []),
        ...(file ? lintFindings(file, { others: files, invocables, placeOf }) : findings),
      ],
    };
  });
}

/** As `publish` refuses it. */
const nameTaken = (
  { name, before }: ReturnType<typeof namedTwice>[number],
  place: Pick<Finding, 'line' | 'column'> = {},
): Finding => ({ code: 'NameTaken', path: 'name', ...place, what: `${name} (of ${before})` });

/** The secret files that it names are not read. Null: no file is named. */
export async function connectorsAtHand(
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

export const formatFound = (finding: Finding | LintFinding): string =>
  isLint(finding) ? formatLintFinding(finding) : formatFinding(finding);

const isLint = (finding: Finding | LintFinding): finding is LintFinding =>
  Object.hasOwn(lintRules, finding.code);
