// Reads and checks the texts of flow files that are published together. It asks nobody: what is published already is given to
// it, so that a thread can do it.
import { invokeSchemas } from '../../contract/flow-schemas/flow-schemas.ts';
import { builtInFlows } from '../../contract/index.ts';
import type { FlowFile } from '../../flows/language/flow-file.ts';
import { refusingFindings } from '../../flows/language/lint/lint.ts';
import { formatLintFinding } from '../../flows/language/lint/lint-finding.ts';
import { readFlowFile } from '../../flows/language/reading/read-flow-file.ts';
import { formatFinding, type KnownConnectors } from '../../flows/language/reading/report.ts';
import { folderOf, isCalendarsPath, readCalendars } from '../../flows/language/reading/shared-calendars.ts';
import { parsedText } from '../../flows/language/reading/yaml.ts';
import { flowNameOf } from './published-in-use.ts';

/** The text of a flow file, or of the shared calendars of its folder, and its name in errors. */
export interface FlowFileText {
  readonly path: string;
  readonly text: string;
}

export interface TextsToCheck {
  readonly texts: readonly FlowFileText[];
  /** As contentsOf gives them. */
  readonly contents: readonly unknown[];
  readonly published: readonly FlowFile[];
  /** Null where the operator has not set any up: then their names are not checked. */
  readonly connectors: KnownConnectors | null;
}

export interface Checked {
  readonly files: readonly FlowFile[];
  /** One line for each finding, as far as a person reads; the last one says how many more there are. */
  readonly lines: readonly string[];
}

/** What is in each text, checked or not; null where it cannot be read. */
export const contentsOf = (texts: readonly FlowFileText[]): unknown[] =>
  texts.map(({ text }) => parsedText(text)).map(({ data, findings }) => (findings.length > 0 ? null : data));

export function checkTexts({ texts, contents, published, connectors }: TextsToCheck): Checked {
  const names = [...published.map(({ name }) => name), ...contents.flatMap((data) => flowNameOf(data) ?? [])];
  const known = { builtIn: builtInFlows, published: names, connectors };
  const shared = texts
    .filter(({ path }) => isCalendarsPath(path))
    .map(({ path, text }) => ({ path, ...readCalendars(text) }));
  const calendarsOf = (path: string) =>
    shared.find((each) => folderOf(each.path) === folderOf(path))?.calendars ?? {};
  const read = texts
    .filter(({ path }) => !isCalendarsPath(path))
    .map(({ path, text }) => ({ path, ...readFlowFile(text, { ...known, calendars: calendarsOf(path) }) }));
  const files = read.flatMap(({ file }) => file ?? []);
  const own = new Set(files.map(({ name }) => name));
  const others = published.filter(({ name }) => !own.has(name));
  const invocables = { builtIn: builtInFlows, schemasOf: invokeSchemas, published: others };
  const ofShared = shared.flatMap(({ path, findings }) =>
    findings.map((finding) => `${path}: ${formatFinding(finding)}`),
  );
  const lines = read.flatMap(({ path, file, findings, ...rest }) => [
    ...findings.map((finding) => `${path}: ${formatFinding(finding)}`),
    ...(file
      ? refusingFindings(file, { others: files, invocables, ...rest }).map(
          (finding) => `${path}: ${formatLintFinding(finding)}`,
        )
      : []),
  ]);
  const twice = namedTwice(read).map(
    ({ path, name, before }) =>
      `${path}: NameTaken: name: ${name} is the name of ${before} too; give one of them another name`,
  );
  return { files, lines: firstLines([...ofShared, ...lines, ...twice]) };
}

/** Characters of the lines of all files together. An answer over HTTP has them. */
const MAX_LINES_LENGTH = 256 * 1024;

function firstLines(lines: readonly string[]): readonly string[] {
  let left = MAX_LINES_LENGTH;
  const end = lines.findIndex((line, index) => {
    left -= line.length + 1;
    return left < 0 && index > 0;
  });
  if (end < 0) return lines;
  return [
    ...lines.slice(0, end),
    `${lines.length - end} more findings are not listed here; correct the listed ones first`,
  ];
}

interface NamedTwice {
  readonly path: string;
  readonly name: string;
  /** The path of the first file with that name. */
  readonly before: string;
}

/** The files that have the name of one before them. */
export function namedTwice(
  read: readonly { readonly path: string; readonly file: FlowFile | null }[],
): NamedTwice[] {
  const first = new Map<string, string>();
  return read.flatMap(({ path, file }) => {
    if (!file) return [];
    const { name } = file;
    const before = first.get(name);
    if (before !== undefined) return [{ path, name, before }];
    first.set(name, path);
    return [];
  });
}
