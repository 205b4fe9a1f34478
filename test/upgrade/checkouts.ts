// The two releases that an upgrade is between: the last one from its commit, with its own dependencies, and the next one:
// this checkout with what a release may bring, a new definition of a flow, migrations and changed SQL functions.
import { execFile } from 'node:child_process';
import { appendFile, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { git, lastRelease } from '../service/storage/last-release.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');

export interface Checkout {
  readonly name: string;
  readonly project: string;
  /** Of its workflows. */
  readonly bundle: string;
}

export async function releasedCheckout(folder: string): Promise<Checkout> {
  const { commit, version } = await lastRelease();
  const project = join(folder, `release-${version}`);
  await extract(commit, project);
  if (await hasOurDependencies(project)) await shareDependencies(project);
  else await run('npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund'], { cwd: project });
  return { name: `release-${version}`, project, bundle: await bundleOf(project) };
}

export interface NextCheckout extends Checkout {
  /** The new definition, like Issue@2, and the one that is in use before it. */
  readonly definition: string;
  readonly former: string;
}

export async function nextCheckout(folder: string): Promise<NextCheckout> {
  const project = join(folder, 'next');
  // With what is not committed yet; empty where all is.
  await extract((await git('stash', 'create')) || 'HEAD', project);
  await shareDependencies(project);
  const version = await declareNextIssue(join(project, 'flows/flows.ts'));
  await addMigrations(join(project, 'service/storage/migrations'));
  // Another text is another version of the functions, with a schema of its own.
  await appendFile(join(project, 'service/storage/functions/events.sql'), '\n-- The next release.\n');
  const [definition, former] = [`Issue@${version}`, `Issue@${version - 1}`];
  return { name: 'next', project, bundle: await bundleOf(project), definition, former };
}

/** Whether its lock file names what ours names: then an installation of its own would hold the same. */
async function hasOurDependencies(project: string): Promise<boolean> {
  const [its, ours] = await Promise.all(
    [project, root].map(async (folder) => {
      const lock = JSON.parse(await readFile(join(folder, 'package-lock.json'), 'utf8')) as {
        readonly packages: Readonly<Record<string, object>>;
      };
      const { '': _project, ...packages } = lock.packages;
      return JSON.stringify(packages);
    }),
  );
  return its === ours;
}

const shareDependencies = (project: string): Promise<void> =>
  symlink(join(root, 'node_modules'), join(project, 'node_modules'));

/** On tables that every request uses: columns, a table, and an index that is built while they are used. */
async function addMigrations(folder: string): Promise<void> {
  const count = (await readdir(folder)).length;
  const pathOf = (number: number, name: string) => join(folder, `${String(number).padStart(4, '0')}-${name}`);
  await writeFile(
    pathOf(count + 1, 'next-release.sql'),
    `ALTER TABLE shipments ADD COLUMN next_release text NOT NULL DEFAULT 'added';
     ALTER TABLE lockers ADD COLUMN next_release text NOT NULL DEFAULT 'added';
     CREATE TABLE next_release (id integer PRIMARY KEY);\n`,
  );
  await writeFile(
    pathOf(count + 2, 'by-next-release.concurrent.sql'),
    'CREATE INDEX CONCURRENTLY shipments_by_next_release ON shipments (next_release);\n',
  );
}

/** It is done once the item is in the locker; the former one is done when the item is picked up. Gives its version. */
async function declareNextIssue(file: string): Promise<number> {
  const text = await readFile(file, 'utf8');
  const versions = /^ {2}Issue: \{ (.*) \},$/m.exec(text)?.[1];
  if (versions === undefined) throw new Error(`${file} declares Issue in another form than expected`);
  const next = 1 + Math.max(...[...versions.matchAll(/(\d+):/g)].map(([, number]) => Number(number)));
  const declared = `const nextIssue = {
  ...issue,
  legs: { issue: { ...issue.legs.issue, done: ['ReadyForPickup', 'Completed'] } },
} as const satisfies Declaration;
`;
  const changed = text
    .replace(`  Issue: { ${versions} },`, `  Issue: { ${versions}, ${next}: nextIssue },`)
    .replace('/** A version stays', `${declared}\n/** A version stays`);
  if (!changed.includes(declared)) throw new Error(`${file} has no place for another declaration`);
  await writeFile(file, changed);
  return next;
}

async function extract(commit: string, project: string): Promise<void> {
  await mkdir(project);
  const archive = `${project}.tar`;
  await git('archive', '--output', archive, commit);
  await run('tar', ['-xf', archive, '-C', project]);
}

async function bundleOf(project: string): Promise<string> {
  const script = `import { workflowBundle } from './local/workflow-bundle.ts';
    console.log(await workflowBundle('.lockerflow'));`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: project,
    maxBuffer: 2 ** 26,
  });
  return join(project, stdout.trim().split('\n').at(-1) ?? '');
}
