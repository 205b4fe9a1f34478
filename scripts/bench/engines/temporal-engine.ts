// Two engines on a server of Temporal: the declared flows on our worker, and the flow by hand. Reports come as signals by
// Temporal's client.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LockerFlows } from '../../../client/locker-flows.ts';
import { nodeOptions } from '../../../worker/node-options.ts';
import { bundleWorkflows } from '../../../worker/workflow-bundle.ts';
import { startOwn } from '../programs.ts';
import type { TemporalServer } from '../temporal-servers.ts';
import type { Engine } from './engine.ts';
import { FLOW, type LoanRequest, REPORTS } from './full-circle.ts';

export type Bundles = Readonly<Record<'declared' | 'by hand', string>>;

/** The workflows of each kind, in a file. */
export async function bundlesIn(home: string): Promise<Bundles> {
  const flow = join(import.meta.dirname, 'temporal-flow.ts');
  const interceptors = join(import.meta.dirname, 'temporal-interceptors.ts');
  const bundles = { declared: join(home, 'declared.js'), 'by hand': join(home, 'by-hand.js') };
  const declared = await bundleWorkflows({ workflowInterceptorModules: [interceptors] });
  await writeFile(bundles.declared, declared);
  const byHand = await bundleWorkflows({ workflowsPath: flow, preloadModules: [flow] });
  await writeFile(bundles['by hand'], byHand);
  return bundles;
}

/** The server is the caller's to stop. */
export async function startTemporalEngine(
  kind: keyof Bundles,
  { address, client, folder, words, storedBytes }: TemporalServer,
  bundles: Bundles,
  lockerUrl: string,
): Promise<Engine> {
  const worker = await startOwn(
    ['scripts/bench/temporal-worker.ts', kind, address, kind, bundles[kind], lockerUrl],
    // As `npm run worker` has them.
    { nodeOptions: kind === 'declared' ? nodeOptions : [] },
  );
  const flows = new LockerFlows(client, { taskQueue: kind });
  const start = {
    declared: (workflowId: string, request: LoanRequest) => flows.start(FLOW, workflowId, { request }),
    'by hand': (workflowId: string, request: LoanRequest) =>
      client.workflow.start('fullCircle', { workflowId, taskQueue: kind, args: [{ request }] }),
  } satisfies Record<typeof kind, unknown>;
  return {
    name: `${kind}, ${words}`,
    worker,
    folder,
    storedBytes,
    begin: start[kind],
    report: (flowId, report) => client.workflow.getHandle(flowId).signal(REPORTS, report),
    result: (flowId) => client.workflow.getHandle(flowId).result(),
    [Symbol.asyncDispose]: () => worker[Symbol.asyncDispose](),
  };
}
