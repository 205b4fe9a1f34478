// The titles of all tests, by file, read from the tests themselves: test/interface/statements.test.ts looks for them.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

interface TestFile {
  readonly path: string;
  readonly titles: readonly Title[];
}

interface Title {
  /** Behind the titles of the groups that it is in. */
  readonly title: string;
}

/** A title is the first string in the call, or in the second call after `.each`, `.for` and the like. */
const TITLE =
  /^([ \t]*)(describe|test|it)(?:\.\w+)*(?:\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)|`[^`]*`)?\(\s*(['"`])((?:\\.|(?!\3)[\s\S])*)\3/gm;

/** The groups that a test is in are told by its indentation. */
function titlesIn(text: string): Title[] {
  const groups: { readonly depth: number; readonly title: string }[] = [];
  return [...text.matchAll(TITLE)].flatMap(({ 1: indent = '', 2: kind, 4: words = '' }) => {
    const title = inOneLine(words);
    while ((groups.at(-1)?.depth ?? -1) >= indent.length) groups.pop();
    if (kind === 'describe') {
      groups.push({ depth: indent.length, title });
      return [];
    }
    return [{ title: [...groups.map((group) => group.title), title].join(' › ') }];
  });
}

const inOneLine = (title: string) => title.replaceAll(/\\(['"`])/g, '$1').replaceAll(/\s+/g, ' ');

export function testFiles(): TestFile[] {
  return globSync('test/**/*.test.ts', { cwd: root })
    .map((path) => path.replaceAll('\\', '/'))
    .sort()
    .map((path) => ({ path, titles: titlesIn(readFileSync(join(root, path), 'utf8')) }));
}
