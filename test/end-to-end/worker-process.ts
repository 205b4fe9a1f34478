// The worker as a process of its own, from its environment alone, that can be killed as a machine that dies kills it.

import { execFileSync } from 'node:child_process';
import { inject } from 'vitest';
import { nodeOptions } from '../../worker/node-options.ts';
import { productionBundle } from '../support/bundles.ts';
import { demoSettings } from '../support/caller.ts';
import { nodeProgram } from '../support/processes/node-program.ts';
import type { Installation } from './installation.ts';

/** The service that it calls, and what it is told of it. */
export interface WorkedFor {
  readonly service: Pick<Installation['service'], 'address'>;
  readonly vendor: Pick<Installation['vendor'], 'settings'>;
}

export interface WorkerProcess {
  readonly residentMegabytes: number;
  /** At once, without a last word. */
  kill(): Promise<void>;
  /** As a deploy does it: what is under way is finished. */
  stop(): Promise<void>;
}

/** Resolves when it has started. */
export async function startWorkerProcess(
  { service, vendor }: WorkedFor,
  variables: Readonly<Record<string, string>>,
): Promise<WorkerProcess> {
  const child = nodeProgram([...nodeOptions, 'worker/main.ts'], {
    variables: {
      HOME: inject('bundles'),
      TEMPORAL_ADDRESS: inject('temporalAddress'),
      ...demoSettings(service.address),
      WORKER_PORT: '0',
      WORKER_WORKFLOW_BUNDLE: variables.WORKER_WORKFLOW_BUNDLE ?? (await productionBundle()),
      ...vendor.settings,
      ...variables,
    },
    keptLength: 4_000,
  });
  await child.logged('worker started');
  const processId = await child.processId;
  return {
    get residentMegabytes() {
      const kilobytes = execFileSync('ps', ['-o', 'rss=', '-p', String(processId)], { encoding: 'utf8' });
      return Number(kilobytes) / 1_000;
    },
    kill: child.kill,
    stop: child.stop,
  };
}
