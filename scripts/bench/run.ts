// Runs the benchmarks, each in a process of its own, one after the other: all of them, or those named as arguments. What
// follows the names, from the first option on, is passed on: `npm run bench -- engines --rounds 3`. A signal ends the one that
// runs, and no other begins; the processes that it has started do not outlive it, nor do its files.
import { glob, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { startNode } from '../../local/child-process.ts';
import { shutdownSignal } from '../../shared/terminal/shutdown-signal.ts';
import { write } from '../../shared/terminal/terminal.ts';

const SUFFIX = '.bench.ts';
const files = new Map<string, string>();
for await (const file of glob(`{,engines/}*${SUFFIX}`, { cwd: import.meta.dirname }))
  files.set(basename(file, SUFFIX), join(import.meta.dirname, file));
const names = [...files.keys()].sort();
const given = process.argv.slice(2);
const firstOption = given.findIndex((word) => word.startsWith('-'));
const wanted = firstOption < 0 ? given : given.slice(0, firstOption);
const options = firstOption < 0 ? [] : given.slice(firstOption);
const unknown = wanted.filter((name) => !files.has(name));
if (unknown.length > 0) throw new Error(`No benchmark ${unknown.join(', ')}; there are ${names.join(', ')}`);
if (options.length > 0 && wanted.length === 0)
  throw new Error(`${options[0]} belongs to one benchmark: name it before, one of ${names.join(', ')}`);

const stop = new AbortController();
void shutdownSignal('SIGHUP').then(() => stop.abort());

for (const name of names.filter((each) => wanted.length === 0 || wanted.includes(each))) {
  write(`\n${name}\n`);
  const scratchFolder = await mkdtemp(join(tmpdir(), 'lockerflow-bench-'));
  const child = startNode([files.get(name) ?? '', ...options], {
    env: { ...process.env, TMPDIR: scratchFolder },
    cwd: process.cwd(),
    outputFile: 1,
    showsErrors: true,
    scratchFolder,
  });
  const end = () => void child.stop();
  stop.signal.addEventListener('abort', end);
  const code = await child.exitCode;
  stop.signal.removeEventListener('abort', end);
  if (code !== 0) process.exitCode = 1;
  if (stop.signal.aborted) break;
}
