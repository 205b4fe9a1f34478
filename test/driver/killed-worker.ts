// A worker process that is killed, and replaced by another, as often as a test likes.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { inject } from 'vitest';
import { bundleOf } from '../support/bundles.ts';

const program = join(import.meta.dirname, 'processes/worker.ts');

export interface KilledWorker extends AsyncDisposable {
  /** With SIGKILL, at any moment; then the next one begins. */
  kill(): Promise<void>;
}

export async function killedWorker(workflows: string, taskQueue: string): Promise<KilledWorker> {
  const { codePath } = await bundleOf(workflows);
  const start = async () => {
    const child = spawn(process.execPath, [program, inject('temporalAddress'), taskQueue, codePath], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    await Promise.race([once(child.stdout, 'data'), endedEarly(child)]);
    return child;
  };
  const end = async (child: ChildProcess) => {
    const exit = once(child, 'exit');
    child.kill('SIGKILL');
    await exit;
  };
  let worker = await start();
  return {
    kill: async () => {
      await end(worker);
      worker = await start();
    },
    [Symbol.asyncDispose]: () => end(worker),
  };
}

async function endedEarly(child: ChildProcess): Promise<never> {
  const [code] = await once(child, 'exit');
  throw new Error(`the worker process has ended by itself, with code ${code}`);
}
