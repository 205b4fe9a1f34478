// The modules that workflows are made of are evaluated once for all workflows of a worker: one that keeps something would
// tell it to the next process, and no replay would come to the same decisions. So none has anything to keep it in.
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const tree = fileURLToPath(new URL('../../', import.meta.url));
const folders = ['workflows', 'engine', 'flows', 'contract/machines'];

/** What a module keeps, by the line that declares it; lines within functions and classes are indented. */
function kept(source: string): string[] {
  return source
    .split('\n')
    .filter(
      (line) =>
        /^(export )?(let|var) /.test(line) || /^(export )?const \w+[^=]*= (new |\[\];|\{\};)/.test(line),
    )
    .filter((line) => !/: Readonly(Map|Set)</.test(line));
}

async function sourcesIn(folder: string): Promise<string[]> {
  const entries = await readdir(`${tree}${folder}`, { recursive: true });
  return entries.filter((name) => name.endsWith('.ts')).map((name) => `${folder}/${name}`);
}

const files = (await Promise.all(folders.map(sourcesIn))).flat();

test.each(files)('%s keeps nothing', async (file) => {
  expect(kept(await readFile(`${tree}${file}`, 'utf8'))).toEqual([]);
});

describe('what is found', () => {
  test.each([
    'let count = 0;',
    'export let last;',
    'const seen = new Map<string, number>();',
    'const known = new WeakMap<object, string>(); // a memo',
    'export const all = [];',
    'const cache: Record<string, string> = {};',
  ])('%s', (line) => {
    expect(kept(`import x from 'x';\n${line}\n`)).toEqual([line]);
  });

  test.each([
    'const names: ReadonlySet<string> = new Set(["a"]);',
    '  const local = new Map();',
    "const words = ['a', 'b'];",
  ])('not %s', (line) => {
    expect(kept(line)).toEqual([]);
  });
});
