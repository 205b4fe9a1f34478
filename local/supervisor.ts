// Process between this project and a program that it runs (supervised-process.ts starts it): ends the program when its standard
// input closes. The kernel closes that pipe however the process at its other end goes, so that no program is left.
import { spawn } from 'node:child_process';

/** A program that has not stopped so long after SIGTERM, in ms, is killed: longer than Temporal and Postgres take. */
const STOP_WITHIN_MS = 10_000;

const [program, ...args] = process.argv.slice(2);
if (program === undefined) throw new TypeError('expected the program to run and its arguments');

const child = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit'] });
child.on('error', (error) => {
  console.error(error.message);
  process.exit(1);
});
child.on('exit', (code) => process.exit(code ?? 1));

let stopping = false;
function stop(): void {
  if (stopping) return;
  stopping = true;
  child.kill('SIGTERM');
  setTimeout(() => child.kill('SIGKILL'), STOP_WITHIN_MS);
}

process.stdin.on('end', stop).on('error', stop).resume();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
