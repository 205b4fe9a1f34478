// Service, receiver and worker, each a process of its own, and the clients by which a benchmark plays flows through them.
import { Client, Connection, type WorkflowClientInterceptor } from '@temporalio/client';
import { LockerFlows } from '../../../client/locker-flows.ts';
import { nodeOptions } from '../../../worker/node-options.ts';
import { clientOf, type ServiceClient, serviceVariables } from '../loaded-service.ts';
import { type LocalProcess, type LocalProcessOptions, startLocalProcess } from '../local-process.ts';

export const parts = ['service', 'receiver', 'worker'] as const;
export type PartName = (typeof parts)[number];
type Variables = Readonly<Record<string, string>>;

export interface FlowProcessesOptions {
  /** With the tables and the demo data. */
  readonly databaseUrl: string;
  readonly temporalAddress: string;
  readonly taskQueue: string;
  /** The path of the worker's bundle. */
  readonly bundle: string;
  readonly variables?: Partial<Record<PartName, Variables>>;
  /** A file that each process loads before all others. */
  readonly loadedFirst?: string;
  /** Interceptors of the client that starts the flows. */
  readonly interceptors?: readonly WorkflowClientInterceptor[];
}

export interface FlowProcesses extends AsyncDisposable {
  readonly flows: LockerFlows;
  readonly service: ServiceClient;
  readonly processes: Readonly<Record<PartName, LocalProcess>>;
  /**
   * Resolves when the worker's log says that the flow is booked: to ask the flow for it all the time would cost the worker
   * as much as the flow. To be called before the flow is started.
   */
  booked(workflowId: string): Promise<void>;
}

const KEY = 'whsec_dGhlIGtleSBvZiB0aGUgYmVuY2htYXJrISEhISEhISE=';

/** By which our programs use the service as tenant demo. */
export const lockerSettings = (address: string) => ({
  LOCKER_API_URL: address,
  LOCKER_AUTH_URL: address,
  LOCKER_CLIENT_ID: 'demo',
  LOCKER_CLIENT_SECRET: 'demo-secret',
  LOCKER_CAPABILITIES: 'getShipments,idempotencyKey,accessCodes,accessMessages',
});

export async function startFlowProcesses(options: FlowProcessesOptions): Promise<FlowProcesses> {
  const { databaseUrl, temporalAddress, taskQueue, bundle, variables = {}, interceptors = [] } = options;
  await using stack = new AsyncDisposableStack();
  const awaited = new Map<string, () => void>();
  const start = async (
    name: PartName,
    entry: string,
    given: Variables,
    { nodeOptions: own = [], ...others }: LocalProcessOptions = {},
  ) => {
    const all = [...own, ...(options.loadedFirst ? [`--import=${options.loadedFirst}`] : [])];
    const started = startLocalProcess(
      entry,
      `${name} started`,
      { ...given, ...variables[name] },
      { ...others, nodeOptions: all },
    );
    return stack.adopt(await started, ({ stop }) => stop());
  };
  const service = await start('service', 'service/main.ts', {
    ...serviceVariables(databaseUrl),
    SERVICE_PORT: '0',
  });
  const address = String(service.up.address);
  const orchestrator = { TEMPORAL_ADDRESS: temporalAddress, LOCKERFLOW_TASK_QUEUE: taskQueue };
  const receiver = await start('receiver', 'client/receiver/main.ts', {
    ...orchestrator,
    CALLBACK_PORT: '0',
    LOCKER_CALLBACK_KEY: KEY,
  });
  const ofWorker = {
    ...orchestrator,
    ...lockerSettings(address),
    WORKER_PORT: '0',
    WORKER_WORKFLOW_BUNDLE: bundle,
  };
  const worker = await start('worker', 'worker/main.ts', ofWorker, {
    // As `npm run worker` has them.
    nodeOptions,
    onLine: (line) => {
      if (line.includes('"msg":"booked"')) awaited.get(String(JSON.parse(line).caseNumber))?.();
    },
  });
  const client = await clientOf(address);
  stack.defer(() => client.close());
  await client.call('ConfigureCallback', { url: receiver.up.url, authType: 'HMAC', authKey: KEY });
  const connection = await Connection.connect({ address: temporalAddress });
  stack.defer(() => connection.close());
  const temporal = new Client({ connection, interceptors: { workflow: [...interceptors] } });
  const owned = stack.move();
  return {
    flows: new LockerFlows(temporal, { taskQueue }),
    service: client,
    processes: { service, receiver, worker },
    booked: (workflowId) =>
      new Promise((resolve) => {
        awaited.set(workflowId, () => {
          awaited.delete(workflowId);
          resolve();
        });
      }),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
