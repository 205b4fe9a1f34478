// Workers and clients on the run's Temporal server, each test on a task queue of its own. A file that lists or counts what there
// is has a namespace of its own too: in the shared one are the processes of all other files.
import { randomUUID } from 'node:crypto';
import { Client, Connection, type WorkflowHandle } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';
import {
  DefaultLogger,
  makeTelemetryFilterString,
  NativeConnection,
  Runtime,
  Worker,
  type WorkerOptions,
} from '@temporalio/worker';
import { inject, onTestFinished, vi } from 'vitest';
import { callInterceptors } from '../../client/closed-calls.ts';
import { registerSearchAttributes } from '../../client/search-attributes.ts';
import { searchAttributes } from '../../contract/flows/search-attributes.ts';
import { startTemporalServer, type TemporalServer } from '../../local/temporal/server.ts';
import { bundleOf } from './bundles.ts';

// A task that fails on purpose is a warning with a stack, and would fill the test's output.
Runtime.install({
  logger: new DefaultLogger('ERROR'),
  telemetryOptions: { logging: { filter: makeTelemetryFilterString({ core: 'ERROR' }) } },
});

export interface RunningClient {
  readonly client: Client;
  close(): Promise<void>;
}

export async function connectClient(
  address = inject('temporalAddress'),
  namespace = 'default',
): Promise<RunningClient> {
  const connection = await Connection.connect({ address, interceptors: callInterceptors });
  return { client: new Client({ connection, namespace }), close: () => connection.close() };
}

/** A separate server, where a process continues as a new run after about so many events. */
export const startServerOfShortRuns = (events = 20): Promise<TemporalServer> =>
  startTemporalServer({
    searchAttributes,
    dynamicConfiguration: { 'limit.historyCount.suggestContinueAsNew': String(events) },
  });

/** A separate server, which reports a process by a search attribute once a worker has failed at it twice. */
export const startServerOfProblems = (): Promise<TemporalServer> =>
  startTemporalServer({
    searchAttributes,
    dynamicConfiguration: { 'system.numConsecutiveWorkflowTaskProblemsToTriggerSearchAttribute': '2' },
  });

const PATIENCE = { timeout: 60_000, interval: 20 };

/** Registers a namespace on the run's server, and gives its name as soon as workers and searches can use it. */
export async function newNamespace({ hasSearchAttributes = true } = {}): Promise<string> {
  const namespace = `test-${randomUUID()}`;
  const { client, close } = await connectClient(undefined, namespace);
  try {
    await client.workflowService.registerNamespace({
      namespace,
      workflowExecutionRetentionPeriod: msToTs('1 day'),
    });
    // Each part of the server learns of a namespace, and of its search attributes, a moment later.
    await vi.waitFor(() => client.workflow.count("WorkflowId = 'nothing'"), PATIENCE);
    if (!hasSearchAttributes) return namespace;
    await vi.waitFor(() => registerSearchAttributes(client), PATIENCE);
    await vi.waitFor(() => client.workflow.count("LockerCase = 'nothing'"), PATIENCE);
    return namespace;
  } finally {
    await close();
  }
}

/** Closed with the test. */
export async function temporalClient(address?: string): Promise<Client> {
  const { client, close } = await connectClient(address);
  onTestFinished(close);
  return client;
}

export interface RunningWorker {
  stop(): Promise<void>;
}

export type TestWorkerOptions = Omit<WorkerOptions, 'taskQueue'> & {
  readonly taskQueue: string;
  /** The project's own if not given. */
  readonly workflows?: string | undefined;
  readonly address?: string;
};

/** Stopped with the test. */
export async function startWorker(options: TestWorkerOptions): Promise<RunningWorker> {
  const worker = await runWorker(options);
  onTestFinished(worker.stop);
  return worker;
}

/** A worker that takes over at once where another one on its task queue was stopped. */
export async function runWorker(options: TestWorkerOptions): Promise<RunningWorker> {
  const { workflows, address = inject('temporalAddress'), ...rest } = options;
  const connection = await NativeConnection.connect({ address });
  const worker = await Worker.create({
    connection,
    workflowBundle: await bundleOf(workflows),
    // Its default of 10 s is how long a task waits for a worker that is gone.
    stickyQueueScheduleToStartTimeout: '300 ms',
    shutdownGraceTime: '100 ms',
    shutdownForceTime: '5 s',
    // Without a thread of its own, which costs 0.3 s of a processor. Workers that are processes have one, as in production.
    debugMode: true,
    ...rest,
  });
  const ended = worker.run();
  let stopped: Promise<void> | undefined;
  const stop = async () => {
    if (worker.getState() === 'RUNNING') worker.shutdown();
    await ended;
    await connection.close();
  };
  return { stop: () => (stopped ??= stop()) };
}

export const newTaskQueue = (): string => `test-${randomUUID()}`;

const ONE_QUERY_MS = 10_000;

/** The first progress of the process that is as it should be. */
export async function untilProgress<P>(
  handle: WorkflowHandle,
  holds: (progress: P) => boolean,
  asked: { readonly context?: boolean } = {},
): Promise<P> {
  return await vi.waitFor(
    async () => {
      // A worker may lose a query of a workflow that has just ended: the next one is answered.
      const query = () => handle.query<P, [object]>('progress', asked);
      const progress = await handle.client.withDeadline(Date.now() + ONE_QUERY_MS, query);
      if (holds(progress)) return progress;
      throw new Error(`${handle.workflowId} is never so that ${holds}: ${JSON.stringify(progress)}`);
    },
    { timeout: 60_000, interval: 30 },
  );
}
