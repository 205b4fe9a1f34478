// The page docs/tests.md: for each rule the tests that hold it, and every test's title under the file that has it.
// Read from the tests themselves: what a test file cites in its comments, and the titles that are written in it.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

interface Title {
  /** Behind the titles of the groups that it is in. */
  readonly title: string;
  /** The rules that the comment above it cites. */
  readonly cites: readonly string[];
}

interface TestFile {
  readonly path: string;
  /** The comment that the file opens with. */
  readonly about: string;
  /** The rules that the file cites anywhere: `interface: Callbacks`, `assumptions: Chains`. */
  readonly cites: readonly string[];
  readonly titles: readonly Title[];
}

/** A title is the first string in the call, or in the second call after `.each`, `.for` and the like. */
const TITLE =
  /^([ \t]*)(describe|test|it)(?:\.\w+)*(?:\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)|`[^`]*`)?\(\s*(['"`])((?:\\.|(?!\3)[\s\S])*)\3/gm;
/** Up to the next one, where several stand in one comment. */
const CITATION =
  /\b(interface|assumptions|architecture): ([A-Z](?:(?!(?:interface|assumptions|architecture): [A-Z])[^\n])*)/g;

/** The comments as running text: a citation may be broken over two lines. */
const unbroken = (text: string) => text.replaceAll(/\n\s*(?:\/\/|\*) ?/g, ' ');
/** By heading of a page, what stands in the first column of its tables: the names of its rules. */
function rulesOf(page: string): ReadonlyMap<string, readonly string[]> {
  const sections = read(page).split(/^##+ /m).slice(1);
  return new Map(
    sections.map((section) => {
      const [heading = '', ...lines] = section.split('\n');
      const [, table = ''] = lines.join('\n').split(/^\| (?:Left open|Operation) \|.*\n\|-.*\n/m);
      const rows = table.split(/\n(?!\|)/)[0]?.split('\n') ?? [];
      return [heading, rows.flatMap((row) => /^\| (.*?) \|/.exec(row)?.[1] ?? [])];
    }),
  );
}

const pages = {
  assumptions: rulesOf('docs/assumptions.md'),
  architecture: rulesOf('docs/architecture.md'),
} as const;

const longest = (words: readonly string[]) =>
  words.toSorted((one, other) => other.length - one.length).at(0) ?? null;

/** The rule in the words of its page: its heading, and the row of that heading's table where the citation names one. */
function ruleOf(page: string, rest: string): string | null {
  if (page === 'interface') return `interface: ${rest.match(/^[A-Z][\w ]*\w/)?.[0] ?? rest}`;
  const rules = pages[page as keyof typeof pages];
  const heading = longest([...rules.keys()].filter((each) => rest.startsWith(each)));
  if (heading === null) return null;
  const named = rest.slice(heading.length + 2);
  const rows = rules.get(heading) ?? [];
  const row =
    longest(rows.filter((each) => named.startsWith(each))) ??
    rows.find((each) => named && each.startsWith(named));
  return `${page}: ${heading}${row ? `, ${row}` : ''}`;
}

function rulesIn(text: string): string[] {
  const cited = [...unbroken(text).matchAll(CITATION)];
  return [...new Set(cited.flatMap(([, page = '', rest = '']) => ruleOf(page, rest.trim()) ?? []))];
}

function testFile(path: string): TestFile {
  const text = read(path);
  const [about = ''] = /^(?:\/\/.*\n)+/.exec(text) ?? [];
  return {
    path,
    about: about
      .replaceAll(/^\/\/ ?/gm, '')
      .replaceAll('\n', ' ')
      .trim(),
    cites: rulesIn(text),
    titles: titlesIn(text),
  };
}

/** The groups that a test is in are told by its indentation. */
function titlesIn(text: string): Title[] {
  const groups: { readonly depth: number; readonly title: string }[] = [];
  return [...text.matchAll(TITLE)].flatMap(({ index, 1: indent = '', 2: kind, 4: words = '' }) => {
    const title = inOneLine(words);
    while ((groups.at(-1)?.depth ?? -1) >= indent.length) groups.pop();
    if (kind === 'describe') {
      groups.push({ depth: indent.length, title });
      return [];
    }
    const above = commentAbove(text, index);
    return [{ title: [...groups.map((group) => group.title), title].join(' › '), cites: rulesIn(above) }];
  });
}

function commentAbove(text: string, index: number): string {
  const lines = text.slice(0, index).trimEnd().split('\n');
  const first = lines.findLastIndex((line) => !/^\s*\/\//.test(line)) + 1;
  return lines.slice(first).join('\n');
}

const inOneLine = (title: string) => title.replaceAll(/\\(['"`])/g, '$1').replaceAll(/\s+/g, ' ');

export function testFiles(): TestFile[] {
  return globSync('test/**/*.test.ts', { cwd: root })
    .map((path) => path.replaceAll('\\', '/'))
    .sort()
    .map(testFile);
}

/** Every rule of docs/assumptions.md that has a name, and whatever else tests cite; with the tests that hold it. */
export function rulesWithTests(
  files: readonly TestFile[] = testFiles(),
): ReadonlyMap<string, readonly string[]> {
  const own = [...pages.assumptions].flatMap(([heading, rows]) =>
    rows.map((row) => `assumptions: ${heading}, ${row}`),
  );
  const cited = files.flatMap(({ cites }) => cites).sort();
  return new Map([...new Set([...own, ...cited])].map((rule) => [rule, holders(rule, files)]));
}

/** The titles of the tests that cite the rule; the file where it stands above no test of its own. */
function holders(rule: string, files: readonly TestFile[]): string[] {
  return files
    .filter(({ cites }) => cites.includes(rule))
    .flatMap(({ path, titles }) => {
      const citing = titles.filter(({ cites }) => cites.includes(rule));
      return citing.length > 0 ? citing.map(({ title }) => `${title} (${link(path)})`) : [link(path)];
    });
}

const escaped = (text: string) => text.replaceAll('|', '\\|');
const link = (path: string) => `[${path.replace(/^test\//, '')}](../${path})`;

export function testsPage(): string {
  const files = testFiles();
  const rules = [...rulesWithTests(files)].map(
    ([rule, tests]) => `| ${rule} | ${tests.map(escaped).join('<br>')} |`,
  );
  const titles = files.map(({ path, about, titles: each }) =>
    [`### ${link(path)}`, '', about, '', ...each.map(({ title }) => `- ${escaped(title)}`), ''].join('\n'),
  );
  return [
    '# Tests',
    '',
    '<!-- Written by `npm run docs:tests` from test/; not kept in git. -->',
    '',
    'Which test holds a rule, and what each test says. A test cites a rule in a comment as the code does:',
    '`assumptions: <heading>, <row>` of [assumptions.md](assumptions.md), `architecture: <heading>` of',
    '[architecture.md](architecture.md), `interface: <section>` of the published interface. In a title, `%s` and `$name` stand',
    'for each case of a table.',
    '',
    '## By rule',
    '',
    '| Rule | Tests |',
    '|---|---|',
    ...rules,
    '',
    '## By file',
    '',
    ...titles,
  ].join('\n');
}
