// The service as a process of its own, as people run it: started, killed in the middle of its work, started again. Where its
// end does not matter, the same runs within the test's process.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createLog } from '../../service/log.ts';
import { type RunningService, startService } from '../../service/run.ts';
import { readSettings } from '../../service/settings.ts';

export interface ServiceProcess {
  readonly address: string;
  /** What it said last on its standard error, once it has ended, by itself or not; undefined while it runs. */
  readonly lastWords: string | undefined;
  /** Its log lines of level error and above. */
  readonly errorLines: readonly string[];
  /** As when the machine fails: no signal handler runs, no connection is closed in order. */
  kill(): Promise<void>;
  /** What its heap holds after a garbage collection, in bytes. */
  heapUsed(): Promise<number>;
}

const entry = join(import.meta.dirname, '../../service/main.ts');
const heapReporter = join(import.meta.dirname, 'processes/report-heap.ts');
const ERROR_LEVEL = 50;

/** In the test's process, with all that a process of the service does before it serves. */
export async function startServiceHere(variables: Readonly<Record<string, string>>): Promise<RunningService> {
  const all = { ...process.env, SERVICE_MODE: 'staging', ...variables };
  return await startService(readSettings(all), all, createLog('silent'));
}

/** Resolves once it serves; rejects, with what it said last, when it ends before. */
export async function startServiceProcess(
  variables: Readonly<Record<string, string>>,
): Promise<ServiceProcess> {
  const env = { ...process.env, SERVICE_MODE: 'staging', ...variables };
  const child = spawn(process.execPath, ['--import', heapReporter, entry], {
    env,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const errorLines: string[] = [];
  let words = '';
  child.stderr?.on('data', (chunk) => {
    words = `${words}${chunk}`.slice(-2_000);
  });
  const ended = once(child, 'exit');
  const address = await new Promise<string>((resolve, reject) => {
    createInterface(child.stdout ?? process.stdin).on('line', (line) => {
      const { msg, level, address: listening } = JSON.parse(line);
      if (level >= ERROR_LEVEL) errorLines.push(line);
      if (msg === 'service started') resolve(listening);
    });
    child.once('exit', () => reject(new Error(`the service ended before it served: ${words}`)));
  });
  return {
    address,
    errorLines,
    get lastWords() {
      return child.exitCode === null && child.signalCode === null ? undefined : words;
    },
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
    async heapUsed() {
      const answer = once(child, 'message');
      child.send('heapUsed');
      const [bytes] = await answer;
      return Number(bytes);
    },
  };
}
