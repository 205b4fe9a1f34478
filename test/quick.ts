// `npm run test:quick [folder…]`: of the tests, those that a change of these folders needs most, in under a minute on two
// quiet cores. Without a folder: of the folders that differ from main, and from the last commit.
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const table = JSON.parse(readFileSync(join(import.meta.dirname, 'quick.json'), 'utf8')) as Record<
  string,
  readonly string[]
>;

const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n');

/** The folders of the files that the working tree changes, and of the commits since the branch left main. */
function changedFolders(): string[] {
  const base = git('merge-base', 'HEAD', 'main')[0] ?? 'HEAD';
  const paths = [...git('diff', '--name-only', base), ...git('ls-files', '--others', '--exclude-standard')];
  return [...new Set(paths.flatMap((path) => folderOf(path) ?? []))];
}

/** The deepest folder of the table that holds the file. */
const folderOf = (path: string): string | undefined =>
  Object.keys(table)
    .filter((folder) => path.startsWith(`${folder}/`))
    .sort((one, other) => other.length - one.length)[0];

const named = process.argv.slice(2);
const unknown = named.filter((folder) => !(folder in table));
if (unknown.length > 0) {
  console.error(
    `${unknown.join(', ')}: unknown folder; expected one or more of ${Object.keys(table).join(', ')}`,
  );
  process.exit(2);
}
const folders = named.length > 0 ? named : changedFolders();
if (folders.length === 0) {
  console.error(`Nothing is changed. Name a folder: npm run test:quick ${Object.keys(table)[0]}`);
  process.exit(0);
}
console.error(`test:quick ${folders.join(' ')}`);
const paths = [...new Set(folders.flatMap((folder) => table[folder] ?? []))];
const { status } = spawnSync('vitest', ['run', ...paths], { cwd: root, stdio: 'inherit' });
process.exitCode = status ?? 1;
