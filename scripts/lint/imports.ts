// Holds the code to the table of import-rules.ts, and keeps circles out (`npm run check`).
import { dirname, join, normalize } from 'node:path/posix';
import { pathToFileURL } from 'node:url';
import { writeError } from '../../shared/terminal/terminal.ts';
import { circles } from './circles.ts';
import { codeFiles } from './code-files.ts';
import { levels, type Row, table } from './import-rules.ts';

const levelOf = (path: string): number => {
  const [longest = ''] = levels
    .filter((level) => path.startsWith(level))
    .sort((one, other) => other.length - one.length);
  return levels.indexOf(longest);
};

interface Import {
  readonly file: string;
  /** A path below the root, or a package. */
  readonly imported: string;
  readonly isTypeOnly: boolean;
}

const STATEMENT =
  /^\s*(?:(?:import|export)\s+(type\s)?(?:[^;'"]*?\sfrom\s+)?|[^\n]*?\bimport\(\s*)'([^'\n]+)'/gm;

export function importsOf(file: string, text: string): Import[] {
  return [...text.matchAll(STATEMENT)].map(([, type, named = '']) => ({
    file,
    imported: named.startsWith('.') ? normalize(join(dirname(file), named)) : packageOf(named),
    isTypeOnly: type !== undefined,
  }));
}

/** Without the path within it. */
const packageOf = (named: string): string =>
  named.startsWith('node:') ? named : named.split('/', named.startsWith('@') ? 2 : 1).join('/');

/** The row for a file: the one with the longest path. Undefined for files at the root. */
export function rowOf(file: string): readonly [string, Row] | undefined {
  const [longest] = Object.keys(table)
    .filter((path) => file.startsWith(path))
    .sort((one, other) => other.length - one.length);
  const row = longest === undefined ? undefined : table[longest];
  return longest === undefined || row === undefined ? undefined : [longest, row];
}

/** What is wrong with an import, in words; undefined if it is allowed. */
export function problemOf({ file, imported, isTypeOnly }: Import): string | undefined {
  const [folder, row] = rowOf(file) ?? [];
  if (folder === undefined || row === undefined) return undefined;
  if (levelOf(imported) > levelOf(file))
    return `${file} must not import ${imported}: its level is above that of ${folder}`;
  const isForbidden = entriesOf(row.not).some((entry) => matches(entry, imported));
  const isOwn = imported.startsWith(folder);
  const entries = entriesOf(row.may);
  const isAllowed = isOwn || entries.some((entry) => matches(entry, imported));
  if (isAllowed && !isForbidden) return undefined;
  if (!isForbidden && entries.some((entry) => matches(entry.replace(/^type /, ''), imported))) {
    if (isTypeOnly) return undefined;
    return `${file} may import only types of ${imported}, because ${row.because}: write \`import type\``;
  }
  return `${file} must not import ${imported}: ${folder} may import only ${entries.join(', ') || 'itself'}, because ${row.because}`;
}

const entriesOf = (list = ''): string[] =>
  list
    .split(',')
    .map((entry) => entry.trim().replaceAll(/\s+/g, ' '))
    .filter((entry) => entry !== '');

function matches(entry: string, imported: string): boolean {
  if (entry.startsWith('type ')) return false;
  if (entry.includes('*')) return pattern(entry).test(imported);
  return entry.endsWith('/') || entry === 'node:' ? imported.startsWith(entry) : imported === entry;
}

/** `**` goes over slashes, `*` does not. */
const pattern = (entry: string): RegExp =>
  new RegExp(
    `^${entry
      .replaceAll(/[.+]/g, '\\$&')
      .replaceAll('**/', '\0')
      .replaceAll('*', '[^/]*')
      .replaceAll('\0', '(?:.*/)?')}$`,
  );

export function problems(): string[] {
  const files = codeFiles();
  const imports = [...files].flatMap(([file, text]) => importsOf(file, text));
  const within = imports.filter(({ imported }) => files.has(imported));
  return [...imports.flatMap((each) => problemOf(each) ?? []), ...circles(within)];
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const found = problems();
  for (const problem of found) writeError(`${problem}\n`);
  if (found.length > 0) process.exitCode = 1;
}
