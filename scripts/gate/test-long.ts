// `npm run test:long`: every test, for a release, in one run with one page at its end. With files as arguments: these alone.
import { spawnSync } from 'node:child_process';
import { write } from '../../shared/terminal/terminal.ts';
import { obtainClusterPrograms } from '../cluster/programs.ts';

const words = process.argv.slice(2);
const say = (line: string) => write(`${line}\n`);

// The tests of the cluster are left out without its programs; they are built once for each machine, within minutes.
if (words.length === 0) {
  await obtainClusterPrograms({ env: process.env, say }).catch((error: Error) => say(error.message));
}
const { status } = spawnSync('vitest', ['run', '--maxWorkers=2', ...words], {
  env: { ...process.env, LONG_SUITE_PAGE: 'yes' },
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
