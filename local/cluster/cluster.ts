// The parts of the cluster, in the order in which they start: the shape of production, on this machine.
import { tellCallbackAddress } from '../../client/command-line/verbs/callback-address.ts';
import { nodeOptions } from '../../worker/node-options.ts';
import { callbackKey, encryptionKey } from '../key-files.ts';
import type { LockerSettings } from '../locker-settings.ts';
import { type ConsolePart, consolePart } from '../parts/console-part.ts';
import type { Part } from '../parts/part.ts';
import type { Step } from '../parts/parts.ts';
import { processPart } from '../parts/process-part.ts';
import { wallPart } from '../parts/service-part.ts';
import { freePort, LOOPBACK } from '../ports.ts';
import type { LocalSettings } from '../settings.ts';
import { balancerPart } from './balancer/balancer-part.ts';
import { clusterDatabase } from './database-part.ts';
import type { ClusterPrograms } from './programs.ts';
import { BUILD_ID, shape } from './shape.ts';
import { databases } from './temporal/databases.ts';
import { ensureNamespace, makeCurrent } from './temporal/namespace.ts';
import { temporalRoleParts } from './temporal/role-parts.ts';
import { uiPart } from './temporal/ui-part.ts';

const DEPLOYMENT = 'lockerflow';
// Shorter than the supervisor's limit.
const GRACE = { SERVICE_STOP_GRACE_SECONDS: '5', WORKER_SHUTDOWN_GRACE_SECONDS: '3' };

export interface ClusterOptions {
  readonly settings: LocalSettings;
  readonly locker: LockerSettings;
  readonly programs: ClusterPrograms;
  /** Of the workflows: built while the databases are made. */
  readonly bundle: Promise<string>;
  /** Of flow files, which the workers publish. */
  readonly flowFolder: string;
}

export async function clusterSteps(options: ClusterOptions): Promise<Step[]> {
  const { settings, programs } = options;
  const { home, postgresPort, servicePort, callbackPort, temporalPort, temporalUiPort } = settings;
  const database = clusterDatabase(home, postgresPort, programs.temporalTables);
  const serviceUrl = () => new URL(`/${databases.service}`, database.url()).href;
  const frontend = `${LOOPBACK}:${temporalPort}`;
  const temporal = await temporalRoleParts({
    home,
    server: programs.temporalServer,
    postgresUrl: database.url,
    frontendPort: temporalPort,
    onceAnswering: () => ensureNamespace(frontend),
  });
  const services = await freePorts(shape.service);
  const receivers = await freePorts(shape.receiver);
  const webConsole = consolePart(settings, options.locker);
  const ui = uiPart({ home, program: programs.temporalUi, port: temporalUiPort, frontend });
  const balancer = balancerPart({
    home,
    program: programs.balancer,
    servicePort,
    callbackPort,
    services,
    receivers,
  });
  return [
    database,
    // Alone: it writes in the database what the others then only read.
    [
      ...temporal.slice(0, 1),
      ...services.map((port, index) => servicePart(options, index, port, serviceUrl)),
      balancer,
    ],
    [...temporal.slice(1), ui],
    [
      wallPart(settings, serviceUrl),
      ...receivers.map((port, index) => receiverPart(options, index, port)),
      ...(await workerParts(options)),
      withLink(webConsole),
    ],
  ];
}

const freePorts = (count: number): Promise<number[]> =>
  Promise.all(Array.from({ length: count }, () => freePort()));

const addressOf = (port: number): string => `http://${LOOPBACK}:${port}`;

function servicePart(
  { settings: { home, servicePort } }: ClusterOptions,
  index: number,
  port: number,
  databaseUrl: () => string,
): Part {
  return processPart({
    name: `Service ${index + 1}`,
    home,
    ports: {},
    entry: 'service/main.ts',
    address: addressOf(port),
    env: async () => ({
      ...GRACE,
      SERVICE_ENCRYPTION_KEY: await encryptionKey(home),
      SERVICE_MODE: 'staging',
      SERVICE_URL: addressOf(servicePort),
      SERVICE_TRUSTED_PROXIES: LOOPBACK,
      SERVICE_PORT: String(port),
      DATABASE_URL: databaseUrl(),
    }),
  });
}

const orchestratorEnvironment = ({ settings, locker }: ClusterOptions) => ({
  ...locker.env,
  TEMPORAL_ADDRESS: `${LOOPBACK}:${settings.temporalPort}`,
});

function receiverPart(options: ClusterOptions, index: number, port: number): Part {
  const { home, callbackPort } = options.settings;
  return processPart({
    name: `Receiver ${index + 1}`,
    home,
    ports: {},
    entry: 'client/receiver/main.ts',
    address: addressOf(port),
    env: async () => ({
      ...orchestratorEnvironment(options),
      LOCKER_CALLBACK_KEY: await callbackKey(home),
      CALLBACK_PORT: String(port),
    }),
    // Said again it changes nothing.
    async afterStart() {
      await using api = options.locker.api();
      await tellCallbackAddress(api, `${addressOf(callbackPort)}/callbacks`, await callbackKey(home));
    },
  });
}

async function workerParts(options: ClusterOptions): Promise<Part[]> {
  const { home } = options.settings;
  const temporal = `${LOOPBACK}:${options.settings.temporalPort}`;
  const ports = await freePorts(shape.worker);
  return ports.map((port, index) =>
    processPart({
      name: `Worker ${index + 1}`,
      home,
      ports: {},
      entry: 'worker/main.ts',
      nodeOptions,
      address: addressOf(port),
      env: async () => ({
        ...GRACE,
        ...orchestratorEnvironment(options),
        WORKER_WORKFLOW_BUNDLE: await options.bundle,
        LOCKERFLOW_FLOWS: options.flowFolder,
        WORKER_DEPLOYMENT: DEPLOYMENT,
        WORKER_BUILD_ID: BUILD_ID,
        WORKER_PORT: String(port),
      }),
      // Each says it: any of them may be the first one that Temporal knows.
      afterStart: () => makeCurrent(temporal, DEPLOYMENT, BUILD_ID),
    }),
  );
}

const withLink = ({ part, link }: ConsolePart): Part => ({
  ...part,
  start: async (say) => ({ ...(await part.start(say)), line: `a link that signs in once: ${link}` }),
});
