// `npm run size [COMMIT]`: how large the project is, by what a maintainer has to read. Counts files in git: lines by kind and by
// folder, how files are cut, exported names, and places that say the same.
import { execFileSync } from 'node:child_process';
import { extname } from 'node:path';
import { write } from '../shared/terminal/terminal.ts';

const CODE = new Set(['.ts', '.tsx', '.mjs', '.css', '.sql', '.sh', '.py', '.grit']);
const DATA = new Set(['.json', '.history', '.yaml', '.yml']);
/** What no program of the product needs: the gate, benchmarks, checks, the package. */
const TOOLS = ['scripts/bench/', 'scripts/gate/', 'scripts/lint/', 'scripts/package/', 'scripts/size.ts'];
const EXAMPLES = 'docs/examples/';
const SMALL = 30;
const LARGE = 300;
/** As many lines in a row, the same in two places, are said twice. */
const SAME = 6;

const git = (words: readonly string[], input?: string): Buffer =>
  execFileSync('git', words, { input, maxBuffer: 1_000_000_000 });

const commit = process.argv[2] ?? 'HEAD';

/** The texts of files, in their order: each follows a line `<object> blob <bytes>`. */
function* contents(paths: readonly string[]): Generator<string> {
  const all = git(['cat-file', '--batch'], paths.map((path) => `${commit}:${path}\n`).join(''));
  for (let at = 0; at < all.length; ) {
    const begin = all.indexOf('\n', at) + 1;
    const end = begin + Number(all.toString('utf8', at, begin).split(' ')[2]);
    yield all.toString('utf8', begin, end);
    at = end + 1;
  }
}

const paths = git(['ls-tree', '-r', '--name-only', commit])
  .toString()
  .trimEnd()
  .split('\n')
  .filter((path) => CODE.has(extname(path)) || DATA.has(extname(path)) || path.endsWith('.md'));
const texts = [...contents(paths)];
const sources = paths.map((path, index) => ({ path, lines: (texts[index] ?? '').trimEnd().split('\n') }));
type Source = (typeof sources)[number];

const topOf = ({ path }: Source) => (path.includes('/') ? path.slice(0, path.indexOf('/')) : '.');
const linesOf = (some: readonly Source[]) => some.reduce((sum, { lines }) => sum + lines.length, 0);
const code = sources.filter(({ path }) => CODE.has(extname(path)));
const isBelow =
  (...folders: readonly string[]) =>
  (source: Source) =>
    folders.some((folder) => source.path.startsWith(folder));
const tools = code.filter(isBelow(...TOOLS));
const tests = code.filter(isBelow('test/'));
const examples = sources.filter(isBelow(EXAMPLES));
const docs = code.filter((source) => isBelow('docs/')(source) && !examples.includes(source));
const product = code.filter((source) => !isBelow(...TOOLS, 'test/', 'docs/', '.ci/')(source));

function print(title: string, rows: readonly (readonly [string, ...(string | number)[]])[]): void {
  write(`\n${title}\n`);
  for (const [name, ...figures] of rows)
    write(
      `  ${name.padEnd(34)}${figures.map((figure) => figure.toLocaleString('en').padStart(10)).join('')}\n`,
    );
}

const row = (name: string, some: readonly Source[]) => [name, linesOf(some), some.length] as const;

write(git(['log', '-1', '--format=%h %s', commit]).toString());
print('lines; files', [
  row('product', product),
  row('tools', tools),
  row('tests', tests),
  row(
    'docs, pages',
    sources.filter(({ path }) => path.endsWith('.md')),
  ),
  row('docs, code', docs),
  row(
    'examples, with flow files',
    examples.filter(({ path }) => !path.endsWith('.md')),
  ),
  row(
    'JSON and histories',
    sources.filter(({ path }) => ['.json', '.history'].includes(extname(path))),
  ),
]);

const folders = [...new Set(product.map(topOf))].sort();
print(
  'product by folder: lines; files',
  folders.map((folder) =>
    row(
      folder,
      product.filter((source) => topOf(source) === folder),
    ),
  ),
);

const lengths = product.map(({ lines }) => lines.length).sort((one, two) => one - two);
const exported = product.flatMap(({ lines }) =>
  lines.filter((line) => /^export (?!\*|\{|type \{)/.test(line)),
);
const share = (count: number) => `${Math.round((100 * count) / lengths.length)} %`;
const small = lengths.filter((length) => length < SMALL).length;
print('product', [
  ['lines of a file, in the middle', lengths[Math.floor(lengths.length / 2)] ?? 0],
  [`files under ${SMALL} lines`, small, share(small)],
  [`files over ${LARGE} lines`, lengths.filter((length) => length > LARGE).length],
  ['exported names', exported.length],
  [`places of ${SAME} lines that stand twice`, repeated(product)],
  ['folders at the top', new Set(sources.map(topOf).filter((top) => !top.startsWith('.'))).size],
]);

/** Runs of lines that stood in an earlier place; imports and single brackets do not count. */
function repeated(some: readonly Source[]): number {
  const seen = new Map<string, string>();
  let places = 0;
  for (const { path, lines } of some) {
    const said = lines
      .map((line) => line.trim())
      .filter((line) => line.length > 2 && !/^(import|\} from)\b/.test(line));
    for (let at = 0; at + SAME <= said.length; at++) {
      const run = said.slice(at, at + SAME).join('\n');
      if (!seen.has(run)) {
        seen.set(run, path);
        continue;
      }
      places++;
      at += SAME - 1;
    }
  }
  return places;
}
