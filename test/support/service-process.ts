// The service as a process of its own, as people run it: started, killed in the middle of its work, started again. Where its
// end does not matter, the same runs within the test's process.

import { createInterface } from 'node:readline';
import { heapInUse, tellsHeap } from '../../scripts/bench/heap-in-use.ts';
import { createLog } from '../../service/log.ts';
import { type RunningService, startService } from '../../service/run.ts';
import { readSettings } from '../../service/settings.ts';
import { nodeProgram } from './processes/node-program.ts';

export interface ServiceProcess {
  readonly address: string;
  /** What it said last on its standard error, once it has ended, by itself or not; undefined while it runs. */
  readonly lastLines: string | undefined;
  /** Its log lines of level error and above. */
  readonly errorLines: readonly string[];
  /** As when the machine fails: no signal handler runs, no connection is closed in order. */
  kill(): Promise<void>;
  /** What its heap holds after a garbage collection, in bytes. */
  heapUsed(): Promise<number>;
}

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
  const child = nodeProgram([tellsHeap, 'service/main.ts'], {
    env: { ...process.env, SERVICE_MODE: 'staging', ...variables },
    hasChannel: true,
    keptLength: 4_000,
  });
  const errorLines: string[] = [];
  createInterface({ input: child.stdout ?? process.stdin }).on('line', (line) => {
    if (JSON.parse(line).level >= ERROR_LEVEL) errorLines.push(line);
  });
  const { address } = await child.logged('service started');
  return {
    address: String(address),
    errorLines,
    get lastLines() {
      return child.hasEnded() ? child.err() : undefined;
    },
    kill: child.kill,
    heapUsed: () => heapInUse(child),
  };
}
