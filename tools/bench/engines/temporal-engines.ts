// Temporal on this machine, each server with two engines on it: the declared flows on our worker, and the flow by hand. Its
// development server with a file, as npm start has it, and its production server by its roles on Postgres, as npm run
// cluster has it. Both sync each commit. Reports come as signals by Temporal's client.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { LockerFlows } from '../../../client/locker-flows.ts';
import { searchAttributes } from '../../../contract/flows/search-attributes.ts';
import { clusterDatabase } from '../../../local/cluster/database-part.ts';
import type { ClusterPrograms } from '../../../local/cluster/programs.ts';
import { databases } from '../../../local/cluster/temporal/databases.ts';
import { ensureNamespace } from '../../../local/cluster/temporal/namespace.ts';
import { temporalRoleParts } from '../../../local/cluster/temporal/role-parts.ts';
import type { Part, RunningPart } from '../../../local/parts/part.ts';
import { freePort, LOOPBACK } from '../../../local/ports.ts';
import { startTemporalServer } from '../../../local/temporal/server.ts';
import { nodeOptions } from '../../../worker/node-options.ts';
import { bundleWorkflows } from '../../../worker/workflow-bundle.ts';
import type { Engine } from './engine.ts';
import { FLOW, type LoanRequest, REPORTS } from './full-circle.ts';
import { postgresBytes, sqliteBytes } from './usage.ts';
import { WorkerProcess } from './worker-process.ts';

export interface TemporalServer extends AsyncDisposable {
  /** As it stands in the table. */
  readonly words: string;
  readonly address: string;
  readonly folder: string;
  storedBytes(): Promise<number>;
}

export async function startDevelopmentServer(home: string): Promise<TemporalServer> {
  const folder = join(home, 'temporal-development');
  await mkdir(folder, { recursive: true });
  const databaseFile = join(folder, 'temporal.sqlite');
  const { address, stop } = await startTemporalServer({ databaseFile, searchAttributes });
  return {
    words: "Temporal's development server",
    ...{ address, folder },
    storedBytes: async () => sqliteBytes(databaseFile),
    [Symbol.asyncDispose]: stop,
  };
}

export interface ProductionServer extends TemporalServer {
  /** The address of one of the databases in its Postgres. */
  urlOf(name: keyof typeof databases): string;
  /** Where each of its processes tells its metrics. */
  readonly metrics: readonly string[];
  /** Kills all processes of the server at once, but not its Postgres, and starts them again. */
  kill(): Promise<void>;
}

export async function startProductionServer(
  home: string,
  programs: ClusterPrograms,
): Promise<ProductionServer> {
  const folder = join(home, 'temporal-production');
  const frontendPort = await freePort();
  const address = `${LOOPBACK}:${frontendPort}`;
  const database = clusterDatabase(folder, await freePort(), programs.temporalTables);
  const running: RunningPart[] = [];
  let roles: readonly Part[] = [];
  const stop = async () => {
    for (const part of running.reverse()) await part.stop();
  };
  const say = () => undefined;
  try {
    running.push(await database.start(say));
    roles = await temporalRoleParts({
      home: folder,
      server: programs.temporalServer,
      postgresUrl: database.url,
      frontendPort,
      onceAnswering: () => ensureNamespace(address),
    });
    // Alone: it writes in the database what the others then only read.
    const [first, ...others] = roles;
    if (first) running.push(await first.start(say));
    running.push(...(await Promise.all(others.map((part) => part.start(say)))));
  } catch (error) {
    await stop();
    throw error;
  }
  const urlOf = (name: keyof typeof databases) => new URL(`/${databases[name]}`, database.url()).href;
  return {
    words: "Temporal's production server on Postgres",
    ...{ address, folder, urlOf },
    metrics: running.flatMap(({ line }) => /http\S+\/metrics/.exec(line) ?? []),
    kill: async () => {
      await Promise.all(running.splice(1).map((part) => part.kill()));
      running.push(...(await Promise.all(roles.map((part) => part.start(say)))));
    },
    storedBytes: async () =>
      (await postgresBytes(urlOf('temporal'))) + (await postgresBytes(urlOf('visibility'))),
    [Symbol.asyncDispose]: stop,
  };
}

export const kinds = ['declared', 'by hand'] as const;
export type Kind = (typeof kinds)[number];

/** The workflows of this kind, in a file. A development build is for tests. */
export async function bundleIn(
  home: string,
  kind: Kind,
  mode: 'production' | 'development' = 'production',
): Promise<string> {
  const flow = join(import.meta.dirname, 'temporal-flow.ts');
  const interceptors = join(import.meta.dirname, 'reached-interceptors.ts');
  const options = {
    declared: { workflowInterceptorModules: [interceptors] },
    'by hand': { workflowsPath: flow, preloadModules: [flow] },
  };
  const path = join(home, `${kind.replace(' ', '-')}-workflows.js`);
  await writeFile(path, await bundleWorkflows({ ...options[kind], mode }));
  return path;
}

export interface TemporalEngineOptions {
  readonly kind: Kind;
  readonly server: TemporalServer;
  /** The file of this kind. */
  readonly bundle: string;
  readonly lockerUrl: string;
}

/** The server is the caller's to stop. */
export async function startTemporalEngine(options: TemporalEngineOptions): Promise<Engine> {
  const { kind, server, bundle, lockerUrl } = options;
  const taskQueue = kind;
  const worker = new WorkerProcess({
    file: join(import.meta.dirname, 'temporal-worker.ts'),
    args: [kind, server.address, taskQueue, bundle, lockerUrl],
    // As `npm run worker` has them.
    nodeOptions: kind === 'declared' ? nodeOptions : [],
  });
  await worker.start();
  const connection = await Connection.connect({ address: server.address });
  const client = new Client({ connection });
  const flows = new LockerFlows(client, { taskQueue });
  const start = {
    declared: (workflowId: string, request: LoanRequest) => flows.start(FLOW, workflowId, { request }),
    'by hand': (workflowId: string, request: LoanRequest) =>
      client.workflow.start('fullCircle', { workflowId, taskQueue, args: [{ request }] }),
  } satisfies Record<Kind, unknown>;
  return {
    name: `${kind}, ${server.words}`,
    worker,
    folder: server.folder,
    async begin(flowId, request) {
      await start[kind](flowId, request);
    },
    report: (flowId, report) => client.workflow.getHandle(flowId).signal(REPORTS, report),
    result: (flowId) => client.workflow.getHandle(flowId).result(),
    storedBytes: server.storedBytes,
    async [Symbol.asyncDispose]() {
      await connection.close();
      await worker.kill();
    },
  };
}
