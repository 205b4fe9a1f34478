// docs/declare-a-flow.md, done as it is written, in a copy of this tree: the flow is declared, recorded, changed into its
// second version, and both versions' recordings are replayed; the new one runs on everything real.
import { execFile } from 'node:child_process';
import { cp, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/set-up-process.ts';

const root = join(import.meta.dirname, '../..');
const page = await readFile(join(root, 'docs/declare-a-flow.md'), 'utf8');
const [first = '', second = ''] = page.split('\n## 5. ');
const FLOW = 'HandOver';
const PATIENCE_MS = 600_000;
const NOT_COPIED = new Set(['node_modules', '.git', '.lockerflow', 'dist']);

test('the flow of the page has a definition that can be started, and so has its second version', async () => {
  const copy = await copyOfTree();
  for (const edit of editsOf(first)) await copy.apply(edit);
  expect(await definitionsIn(copy)).toEqual(['1']);
  for (const edit of editsOf(second)) await copy.apply(edit);
  expect(await definitionsIn(copy)).toEqual(['1', '2']);
});

/** The versions of the page's flow, each of them built. */
async function definitionsIn(copy: TreeCopy): Promise<unknown> {
  const script = `
    const { ${FLOW}: { definitions } } = await import('./workflows/index.ts');
    for (const build of Object.values(definitions)) build();
    console.log(JSON.stringify(Object.keys(definitions)));`;
  return JSON.parse(await copy.run('node', '--input-type=module', '-e', script));
}

// It runs the compiler, two recordings and a test runner inside: the long suite alone.
test('the flow of the page runs, its second version too, and the processes of both are replayed', {
  tags: 'long',
  timeout: PATIENCE_MS,
}, async () => {
  const copy = await copyOfTree();
  const recorded = () => readdir(join(copy.folder, 'test/histories'));

  for (const edit of editsOf(first)) await copy.apply(edit);
  await copy.run('npm', 'run', 'docs');
  await copy.run('npm', 'run', 'record-histories');
  expect(await recorded()).toContain(`${FLOW}@1`);

  for (const edit of editsOf(second)) await copy.apply(edit);
  await copy.run('npm', 'run', 'docs');
  await copy.run('npx', 'tsc');
  await copy.run('npx', 'biome', 'check', '--error-on-warnings', ...edited(page));
  await copy.run('npm', 'run', 'record-histories');
  expect(await recorded()).toEqual(expect.arrayContaining([`${FLOW}@1`, `${FLOW}@2`]));

  const said = await copy.run('npx', 'vitest', 'run', ...TESTS, '-t', `${FLOW}|flow takes|of the flows is`);
  for (const name of SHOWN) expect(said).toContain(name);
});

const edited = (text: string) => [...new Set(editsOf(text).map(({ path }) => path))];

/** Of those that the page has run, the ones in which the new flow is told apart from the others. */
const TESTS = [
  'test/end-to-end/every-flow.test.ts',
  'test/workflows/replay.test.ts',
  'test/isolated/definitions.test.ts',
  'test/flows/built-in/flow-rules.test.ts',
  '--reporter=verbose',
];

const SHOWN = [
  `with our service > ${FLOW} ends as its story says`,
  `with a basic service > ${FLOW} ends as its story says`,
  `${FLOW}@1/done is replayed with the same commands, states and result`,
  `${FLOW}@2/done is replayed with the same commands, states and result`,
  `${FLOW}@1/cancelled is replayed`,
];

test('the page runs the tests that this test runs', () => {
  const folders = commandsOf(page)
    .filter((line) => line.startsWith('npm test -- '))
    .flatMap((line) => line.split(' ').slice(3));
  for (const path of TESTS.filter((each) => each.startsWith('test/')))
    expect(
      folders.some((folder) => path.startsWith(`${folder}/`)),
      path,
    ).toBe(true);
});

// The page as steps that can be done in a copy of the tree. What it names but the copy does not have is an error.

interface Edit {
  readonly path: string;
  readonly kind: 'ts' | 'diff';
  readonly text: string;
}

/** Blocks of code that come right after a line which begins with a file's path and ends with a colon. */
function editsOf(page: string): Edit[] {
  const blocks = page.matchAll(/(?:^|file )`([\w./@-]+\.ts)`[^\n]*:\n\n```(ts|diff)\n([\s\S]*?)```/gm);
  return [...blocks].map(([, path = '', kind, text = '']) => ({ path, kind: kind as Edit['kind'], text }));
}

/** The lines of the blocks marked sh, without their remarks. */
function commandsOf(page: string): string[] {
  return [...page.matchAll(/^```sh\n([\s\S]*?)```/gm)].flatMap(([, block = '']) =>
    block
      .replaceAll('\\\n', ' ')
      .split('\n')
      .map((line) => line.replace(/\s+# .*$/, '').trim())
      .filter((line) => line !== ''),
  );
}

interface TreeCopy {
  readonly folder: string;
  apply(edit: Edit): Promise<void>;
  /** What it said; throws with that where it fails. */
  run(program: string, ...args: string[]): Promise<string>;
}

/** Removed with the test. What is installed is shared. */
async function copyOfTree(): Promise<TreeCopy> {
  const folder = await temporaryFolder();
  for (const name of await readdir(root))
    if (!NOT_COPIED.has(name))
      await cp(join(root, name), join(folder, name), {
        recursive: true,
        filter: (path) => basename(path) !== 'node_modules',
      });
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  return {
    folder,
    apply: async ({ path, kind, text }) => {
      const file = join(folder, path);
      if (kind === 'ts') return await writeFile(file, text, { flag: 'wx' });
      await writeFile(file, changed(path, await readFile(file, 'utf8'), text));
    },
    run: async (program, ...args) => {
      try {
        const { stdout, stderr } = await promisify(execFile)(program, args, {
          cwd: folder,
          env: { ...process.env, VITEST: undefined, NO_COLOR: '1' },
          maxBuffer: 64_000_000,
        });
        return `${stdout}${stderr}`;
      } catch (error) {
        const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
        throw new Error(`${program} ${args.join(' ')} failed:\n${stdout}${stderr}`, { cause: error });
      }
    },
  };
}

/** The lines that a diff keeps or takes away must be there, together, exactly once. */
function changed(path: string, text: string, diff: string): string {
  const lines = diff.split('\n').slice(0, -1);
  const without = (mark: string) =>
    lines.filter((line) => !line.startsWith(mark)).map((line) => `${line.slice(1)}\n`);
  const before = without('+').join('');
  const found = text.split(before).length - 1;
  if (found !== 1) throw new Error(`${path} has these lines ${found} times, expected once:\n${before}`);
  return text.replace(before, () => without('-').join(''));
}
