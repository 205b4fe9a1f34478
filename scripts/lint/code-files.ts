// Every file of code by its path below the root, with its text; also one that is not committed yet.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path/posix';

const root = join(import.meta.dirname, '../..');

export function codeFiles(): ReadonlyMap<string, string> {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  });
  const paths = listed
    .split('\n')
    .filter((path) => /\.(?:tsx?|mjs)$/.test(path) && !path.startsWith('test/histories/'))
    // One that is removed stays in the index until the commit.
    .filter((path) => existsSync(join(root, path)));
  return new Map(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]));
}
