// The first thing that `npm start` and `npm test` run: installs what the lock names when it must, then runs the
// command on the project's own Node. A copy of its scripts in a small project, with a stand-in for npm.
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isInstalled } from '../../scripts/dependencies.mjs';
import { standIn, startSetUp, temporaryFolder } from '../support/set-up-process.ts';

type Packages = Record<string, { version: string; integrity: string; optional?: boolean }>;

const wanted: Packages = {
  'node_modules/node': { version: '24.0.0', integrity: 'sha512-node' },
  'node_modules/xstate': { version: '5.0.0', integrity: 'sha512-xstate' },
  'node_modules/another-platform': { version: '1.0.0', integrity: 'sha512-another', optional: true },
};
const { 'node_modules/another-platform': _, ...installed } = wanted;

async function writePackages(path: string, packages: Packages): Promise<void> {
  await writeFile(path, JSON.stringify({ packages }));
}

/** A project in which nothing is installed, and an npm that counts its calls and does what a good one does. */
async function project() {
  const folder = await temporaryFolder();
  const root = join(folder, 'project');
  const programs = join(folder, 'programs');
  const calls = join(folder, 'calls');
  for (const script of ['scripts/with-set-up.mjs', 'scripts/dependencies.mjs', 'local/file-lock.mjs'])
    await cp(join(import.meta.dirname, '../..', script), join(root, script));
  await writeFile(join(root, 'scripts/set-up.ts'), `console.error('obtaining Temporal');`);
  await writePackages(join(root, 'package-lock.json'), wanted);
  await npm(`
    const modules = ${JSON.stringify(join(root, 'node_modules'))};
    fs.mkdirSync(modules + '/node/bin', { recursive: true });
    fs.mkdirSync(modules + '/.bin', { recursive: true });
    fs.symlinkSync(process.execPath, modules + '/node/bin/node');
    fs.symlinkSync('../node/bin/node', modules + '/.bin/node');
    fs.writeFileSync(modules + '/.package-lock.json', ${JSON.stringify(JSON.stringify({ packages: installed }))});`);
  async function npm(script: string): Promise<void> {
    const count = `fs.appendFileSync(${JSON.stringify(calls)}, process.argv.slice(2).join(' ') + '\\n');`;
    await standIn(join(programs, 'npm'), count + script);
  }
  return {
    root,
    npm,
    run: (...command: string[]) => startSetUp([join(root, 'scripts/with-set-up.mjs'), ...command], programs),
    calls: async () => (await readFile(calls, 'utf8')).trim().split('\n'),
  };
}

test('a fresh clone is installed, and the command runs on the Node that was installed', async () => {
  const { root, run, calls } = await project();
  const setUp = run('node', '-p', '"ran on a Node of " + process.env.PATH');
  expect(await setUp.exitCode).toBe(0);
  expect(setUp.said()).toContain('installing the locked dependencies');
  expect(setUp.said()).toContain('obtaining Temporal');
  expect(setUp.said()).toContain(`ran on a Node of ${join(root, 'node_modules/.bin')}`);
  expect(await calls()).toHaveLength(1);
});

test('a second run installs nothing', async () => {
  const { run, calls } = await project();
  await run().exitCode;
  expect(await run().exitCode).toBe(0);
  expect(await calls()).toHaveLength(1);
});

test('two first runs at once install once', async () => {
  const { run, calls } = await project();
  const runs = [run('node', '-p', '"ran"'), run('node', '-p', '"ran"')];
  for (const setUp of runs) {
    expect(await setUp.exitCode).toBe(0);
    expect(setUp.said()).toContain('ran');
  }
  expect(await calls()).toHaveLength(1);
});

test('the exit code of the command is passed on', async () => {
  const { run } = await project();
  expect(await run('node', '-e', 'process.exit(7)').exitCode).toBe(7);
});

test('a failed npm ci is reported in one line, and nothing is run', async () => {
  const { run, npm } = await project();
  await npm('process.exit(9);');
  const setUp = run('node', '-p', '"ran"');
  expect(await setUp.exitCode).toBe(1);
  const [, ...lines] = setUp.said().trim().split('\n');
  expect(lines).toEqual(['lockerflow: npm ci failed (exit code 9); what it said is above']);
});

test('an npm that may not run install scripts is reported, with what to do', async () => {
  const { root, run, npm } = await project();
  await npm(`
    fs.mkdirSync(${JSON.stringify(join(root, 'node_modules'))});
    fs.writeFileSync(${JSON.stringify(join(root, 'node_modules/.package-lock.json'))},
      ${JSON.stringify(JSON.stringify({ packages: installed }))});`);
  const setUp = run('node', '-p', '"ran"');
  expect(await setUp.exitCode).toBe(1);
  expect(setUp.said()).toContain('npm ci --ignore-scripts=false');
  expect(setUp.said()).not.toContain('ran');
});

test.each<[string, Packages, boolean]>([
  ['the same packages, less those of other platforms, are up to date', installed, true],
  [
    'a package at another version is stale',
    { ...installed, 'node_modules/xstate': { version: '5.0.1', integrity: 'sha512-other' } },
    false,
  ],
  [
    'a package that is not there is stale',
    { 'node_modules/node': { version: '24.0.0', integrity: 'sha512-node' } },
    false,
  ],
  [
    'one more, that a developer put there, is up to date',
    { ...installed, 'node_modules/more': { version: '1.0.0', integrity: 'sha512-more' } },
    true,
  ],
])('%s', async (_title, packages, upToDate) => {
  const folder = await temporaryFolder();
  await writePackages(join(folder, 'package-lock.json'), wanted);
  await mkdir(join(folder, 'node_modules/node/bin'), { recursive: true });
  await symlink(process.execPath, join(folder, 'node_modules/node/bin/node'));
  await writePackages(join(folder, 'node_modules/.package-lock.json'), packages);
  expect(isInstalled(folder)).toBe(upToDate);
});

const { scripts } = JSON.parse(await readFile(join(import.meta.dirname, '../../package.json'), 'utf8')) as {
  scripts: Readonly<Record<string, string>>;
};

test('a program that stops at a signal replaces the shell of npm, which would die without passing the signal on', () => {
  for (const name of ['start', 'test', 'service', 'worker', 'receiver'])
    expect(scripts[name]).toMatch(/^exec node scripts\/with-set-up\.mjs /);
});

test('every script works as the first command in a fresh clone, on any Node: it sets up first', () => {
  // It only puts a file back, and runs after prepack.
  const { postpack: _, ...others } = scripts;
  for (const [name, command] of Object.entries(others))
    expect(command, name).toMatch(/(?:^|exec |=\w+ )node scripts\/with-set-up\.mjs( |$)/);
});
