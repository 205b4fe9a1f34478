// The parts of the cluster, in the order in which they start: the shape of production, on this machine.
import { tellCallbackAddress } from '../../client/command-line/verbs/callback-address.ts';
import { nodeOptions } from '../../worker/node-options.ts';
import { callbackKey, encryptionKey } from '../key-files.ts';
import { type LockerSettings, lockerSettings } from '../locker-settings.ts';
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
import { type Between, type ClusterWay, nothingBetween } from './ways.ts';

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
  readonly between?: Between;
}

interface Reached extends Required<ClusterOptions> {
  readonly serviceUrl: () => string;
}

export interface Cluster {
  readonly steps: readonly Step[];
  /** Of the service's database, by its own port; once Postgres is up. */
  readonly databaseUrl: () => string;
}

export async function clusterOf(given: ClusterOptions): Promise<Cluster> {
  const { settings, programs, between = nothingBetween } = given;
  const { home, postgresPort, servicePort, callbackPort, temporalPort, temporalUiPort } = settings;
  const database = clusterDatabase(home, postgresPort, programs.temporalTables);
  const byPort = async (way: ClusterWay) => throughPort(database.url, await between(way, postgresPort));
  const ofService = (url: () => string) => () => new URL(`/${databases.service}`, url()).href;
  const serviceUrl = ofService(await byPort('services to Postgres'));
  const options: Reached = { ...given, between, serviceUrl };
  const frontend = `${LOOPBACK}:${temporalPort}`;
  const temporal = await temporalRoleParts({
    home,
    server: programs.temporalServer,
    postgresUrl: await byPort('Temporal to Postgres'),
    frontendPort: temporalPort,
    onceAnswering: () => ensureNamespace(frontend),
  });
  const services = await freePorts(shape.service);
  const receivers = await freePorts(shape.receiver);
  const balanced = (target: 'service' | 'receiver', ports: readonly number[]) =>
    Promise.all(ports.map((port, index) => between(`balancer to ${target} ${index + 1}`, port)));
  const webConsole = consolePart(settings, given.locker);
  const ui = uiPart({ home, program: programs.temporalUi, port: temporalUiPort, frontend });
  const balancer = balancerPart({
    home,
    program: programs.balancer,
    servicePort,
    callbackPort,
    services: await balanced('service', services),
    receivers: await balanced('receiver', receivers),
  });
  const steps = [
    database,
    // Alone: it writes in the database what the others then only read.
    [...temporal.slice(0, 1), ...services.map((port, index) => servicePart(options, index, port)), balancer],
    [...temporal.slice(1), ui],
    [
      wallPart(settings, serviceUrl),
      ...(await receiverParts(options, receivers)),
      ...(await workerParts(options)),
      withLink(webConsole),
    ],
  ];
  return { steps, databaseUrl: ofService(database.url) };
}

const freePorts = (count: number): Promise<number[]> =>
  Promise.all(Array.from({ length: count }, () => freePort()));

const addressOf = (port: number): string => `http://${LOOPBACK}:${port}`;

const throughPort = (url: () => string, port: number) => () => {
  const changed = new URL(url());
  changed.port = String(port);
  return changed.href;
};

function servicePart({ settings, serviceUrl }: Reached, index: number, port: number): Part {
  const { home, servicePort } = settings;
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
      DATABASE_URL: serviceUrl(),
    }),
  });
}

async function receiverParts(options: Reached, ports: readonly number[]): Promise<Part[]> {
  const { settings, locker, between } = options;
  const { home, temporalPort, callbackPort } = settings;
  const temporal = `${LOOPBACK}:${await between('receivers to Temporal', temporalPort)}`;
  const callbacks = addressOf(await between('services to receivers', callbackPort));
  return ports.map((port, index) =>
    processPart({
      name: `Receiver ${index + 1}`,
      home,
      ports: {},
      entry: 'client/receiver/main.ts',
      address: addressOf(port),
      env: async () => ({
        ...locker.env,
        TEMPORAL_ADDRESS: temporal,
        LOCKER_CALLBACK_KEY: await callbackKey(home),
        CALLBACK_PORT: String(port),
      }),
      // Said again it changes nothing.
      async afterStart() {
        await using api = locker.api();
        await tellCallbackAddress(api, `${callbacks}/callbacks`, await callbackKey(home));
      },
    }),
  );
}

async function workerParts({ settings, locker, between, bundle, flowFolder }: Reached): Promise<Part[]> {
  const { home, temporalPort, servicePort } = settings;
  const temporal = `${LOOPBACK}:${temporalPort}`;
  const reachedTemporal = `${LOOPBACK}:${await between('workers to Temporal', temporalPort)}`;
  const reachedService = await between('workers to services', servicePort);
  const { env } = locker.isOurs ? lockerSettings({ servicePort: reachedService }) : locker;
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
        ...env,
        TEMPORAL_ADDRESS: reachedTemporal,
        WORKER_WORKFLOW_BUNDLE: await bundle,
        LOCKERFLOW_FLOWS: flowFolder,
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
