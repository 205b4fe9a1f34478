// Runs the benchmarks, each in a process of its own, one after the other: all of them, or those named as arguments.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

const SUFFIX = '.bench.ts';
const known = (await readdir(import.meta.dirname)).filter((file) => file.endsWith(SUFFIX)).sort();
const names = known.map((file) => file.slice(0, -SUFFIX.length));
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !names.includes(name));
if (unknown.length > 0) throw new Error(`No benchmark ${unknown.join(', ')}; there are ${names.join(', ')}`);

for (const name of names.filter((each) => wanted.length === 0 || wanted.includes(each))) {
  process.stdout.write(`\n${name}\n`);
  const child = spawn(process.execPath, [join(import.meta.dirname, name + SUFFIX)], { stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  if (code !== 0) process.exitCode = 1;
}
