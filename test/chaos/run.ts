// `npm run chaos [-- --cluster] [--short]`: the proofs of this folder in their long form, on one machine or on the cluster.
// What the cluster lacks is built first.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { obtainClusterPrograms } from '../../local/cluster/programs.ts';

const ON_CLUSTER = 'test/chaos/cluster';

const { values } = parseArgs({
  options: { cluster: { type: 'boolean', default: false }, short: { type: 'boolean', default: false } },
});
if (values.cluster) await obtainClusterPrograms({ env: process.env, say: (line) => console.log(line) });
const tests = values.cluster ? [ON_CLUSTER] : ['test/chaos', '--exclude', `${ON_CLUSTER}/**`];
const { status } = spawnSync('vitest', ['run', '--config', 'vitest.prove.config.ts', ...tests], {
  cwd: join(import.meta.dirname, '../..'),
  env: { ...process.env, PROVE: values.short ? '' : '1' },
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
