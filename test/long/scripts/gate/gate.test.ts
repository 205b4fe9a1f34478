// What the gate says of tests that fail: planted ones, in a project of its own with a history of its own.
import { execFile } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { nodeProgramOfTest } from '../../../support/processes/node-program.ts';
import { temporaryFolder } from '../../../support/set-up-process.ts';

const root = join(import.meta.dirname, '../../../..');
const run = promisify(execFile);

const passing = "import { test } from 'vitest'; test('passes', () => {});";
const failing = "import { expect, test } from 'vitest'; test('fails', () => expect(1).toBe(2));";
/** Fails at its first run; what it wrote then lets it pass. */
const everyOtherTime = `
  import { existsSync, writeFileSync } from 'node:fs'; import { expect, test } from 'vitest';
  test('fails every other time', () => {
    const ran = existsSync('ran'); writeFileSync('ran', '');
    expect(ran, 'with seed 4711').toBe(true);
  });`;
const holdsAPort = `
  import { createServer } from 'node:net'; import { setTimeout } from 'node:timers/promises'; import { test } from 'vitest';
  test('holds a port', async () => { const server = createServer().listen(18_099, '127.0.0.1'); await setTimeout(3_000); server.close(); });`;
const needsThatPort = `
  import { createServer } from 'node:net'; import { once } from 'node:events'; import { setTimeout } from 'node:timers/promises';
  import { test } from 'vitest';
  test('needs that port', async () => {
    await setTimeout(500); const server = createServer().listen(18_099, '127.0.0.1'); await once(server, 'listening'); server.close();
  });`;

/** What the gate says of a project with these files of tests, of which the last commit edits some. */
async function gateOf(
  files: Readonly<Record<string, string>>,
  edited: Readonly<Record<string, string>> = {},
) {
  const folder = await temporaryFolder();
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  const config = {
    reporters: ['default', join(root, 'scripts/gate/reporter.ts')],
    tags: ['invariant', 'long'].map((name) => ({ name, description: name })),
    maxWorkers: 2,
  };
  const git = (...words: string[]) =>
    run('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...words], { cwd: folder });
  const write = async (all: Readonly<Record<string, string>>) => {
    for (const [name, text] of Object.entries(all)) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), text);
    }
  };
  await git('init', '--quiet');
  await write({
    ...files,
    'vitest.config.js': `export default { test: ${JSON.stringify(config)} };`,
    '.gitignore': 'node_modules\nran\n',
  });
  await git('add', '.');
  await git('commit', '--quiet', '--message', 'what has landed');
  await write({ ...edited, 'change.txt': 'a change' });
  await git('add', '.');
  await git('commit', '--quiet', '--message', 'the change');
  const PATH = `${join(root, 'node_modules/.bin')}:${process.env.PATH}`;
  const gate = (...words: string[]) => {
    const env = { PATH, HOME: folder, XDG_CACHE_HOME: join(folder, 'node_modules-cache') };
    return nodeProgramOfTest([join(root, 'scripts/gate/gate.ts'), ...words], { env, cwd: folder });
  };
  const [first] = [gate('test')];
  const code = await first.exitCode;
  await first.ended;
  return { code, said: first.said(), gate };
}

test('a test that fails is run once more, and is red when it fails again', async () => {
  const { code, said } = await gateOf({ 'test/good.test.js': passing, 'test/bad.test.js': failing });
  expect(code).toBe(1);
  expect(said).toContain('gate: running test/bad.test.js once more, alone');
  expect(said).toMatch(
    /RED: test\/bad\.test\.js > fails \(failed, and again when it ran alone\)\n +expected 1 to be 2/,
  );
  expect(said).toContain('1 passed, 1 failed');
});

test('a test that fails every other time is green, is listed with its seed, and the next run names it', async () => {
  const { code, said, gate } = await gateOf({ 'test/odd.test.js': everyOtherTime });
  expect(said).toMatch(
    /FLAKY test\/odd\.test\.js > fails every other time \(seed 4711\): failed, then passed alone/,
  );
  expect([code, said]).toEqual([0, expect.stringMatching(/1 passed, 0 failed\n.*: green\n$/)]);
  const next = gate('test');
  await next.ended;
  expect(next.said()).toMatch(/earlier, \d{4}-\S+ at \w+: FLAKY test\/odd\.test\.js/);
});

test('a test that fails only beside others is green and listed', async () => {
  const { code, said } = await gateOf({
    'test/holds.test.js': holdsAPort,
    'test/needs.test.js': needsThatPort,
  });
  expect(said).toContain('FLAKY test/needs.test.js > needs that port');
  expect(code).toBe(0);
});

test.each([
  [
    'the change edits',
    { 'test/odd.test.js': passing },
    { 'test/odd.test.js': everyOtherTime },
    'this change edits it',
  ],
  [
    'guards an invariant',
    { 'test/odd.test.js': `// @module-tag invariant\n${everyOtherTime}` },
    {},
    'it guards an invariant',
  ],
])('a test that %s has no second run', async (_, files, edited, why) => {
  const { code, said } = await gateOf(files, edited);
  expect(code).toBe(1);
  expect(said).toContain(`RED: test/odd.test.js > fails every other time (not run again: ${why})`);
});

test('where four files fail, none is run again', async () => {
  const four = Object.fromEntries([1, 2, 3, 4].map((number) => [`test/bad-${number}.test.js`, failing]));
  const { code, said } = await gateOf(four);
  expect([code, said]).toEqual([1, expect.stringContaining('not run again: 4 files failed, more than 3')]);
});

test.each([
  [
    'an error outside any test',
    "import { test } from 'vitest'; test('leaves', () => { setTimeout(() => { throw new Error('too late'); }); });",
    'too late',
  ],
  [
    'a skip without a listed reason',
    "import { test } from 'vitest'; test('rests', ({ skip }) => skip('the moon is full'));",
    'rests: the moon is full',
  ],
  ['a file that cannot be read', "import '../../../scripts/gate/nothing.js';", '(the file as a whole)'],
])('%s is red, and the last lines say why', async (_, text, words) => {
  const { code, said } = await gateOf({ 'test/good.test.js': passing, 'test/other.test.js': text });
  expect(code).toBe(1);
  expect(said.slice(said.indexOf('RED: '))).toContain(words);
});
