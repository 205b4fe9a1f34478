// What the flows run on, each part a process of its own: Postgres with Temporal's production server by its roles on it, the
// service, the receiver and one worker. As `npm run cluster`, with one of each of ours.
import { join } from 'node:path';
import { TASK_QUEUE } from '../../../contract/flows/flow-types.ts';
import { obtainClusterPrograms } from '../../../local/cluster/programs.ts';
import { workflowBundle } from '../../../local/workflow-bundle.ts';
import { cacheFolder } from '../../../runtime/terminal/user-cache.ts';
import { type ProductionServer, startProductionServer } from '../engines/temporal-engines.ts';
import { newDatabase } from '../loaded-service.ts';
import { type FlowProcesses, startFlowProcesses } from '../whole-flows/processes.ts';

export interface Surroundings extends FlowProcesses {
  readonly server: ProductionServer;
  /** The address of the service's database. */
  readonly serviceUrl: string;
  readonly cachedWorkflows: number;
}

export interface SurroundingsOptions {
  readonly home: string;
  /** That the worker keeps in memory. */
  readonly cachedWorkflows: number;
  say(line: string): void;
}

export async function startSurroundings({
  home,
  cachedWorkflows,
  say,
}: SurroundingsOptions): Promise<Surroundings> {
  await using stack = new AsyncDisposableStack();
  const programs = await obtainClusterPrograms({ env: process.env, say });
  const server = stack.use(await startProductionServer(home, programs));
  const serviceUrl = await newDatabase(server.urlOf('temporal'));
  const running = stack.use(
    await startFlowProcesses({
      databaseUrl: serviceUrl,
      temporalAddress: server.address,
      taskQueue: TASK_QUEUE,
      bundle: await workflowBundle(join(cacheFolder(process.env), 'cluster')),
      variables: {
        // Its listing each minute belongs to the installation, not to a flow.
        worker: { LOCKER_RECONCILE_SECONDS: '0', WORKER_CACHED_WORKFLOWS: String(cachedWorkflows) },
      },
    }),
  );
  const owned = stack.move();
  return {
    ...running,
    ...{ server, serviceUrl, cachedWorkflows },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
