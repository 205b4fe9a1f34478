// The components of the cluster, in the order in which they start: the shape of production, on this machine.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { Component } from '../../local/components/component.ts';
import {
  type ConsoleComponent,
  consoleComponent,
  createDatabases,
  postgresComponent,
  wallComponent,
} from '../../local/components/installation.ts';
import { programComponent } from '../../local/components/program.ts';
import type { Step } from '../../local/components/run-components.ts';
import { freePorts, isListening, LOOPBACK } from '../../local/ports.ts';
import type { LocalSettings } from '../../local/settings.ts';
import {
  type ClusterConnection,
  type ClusterOptions,
  nothingBetween,
  type ResolvedOptions,
} from './options.ts';
import { receiverComponents, serviceComponent, thisCheckout, workerComponents } from './our-components.ts';
import { BUILD_ID, shape } from './shape.ts';
import { createTemporalTables, databases } from './temporal/databases.ts';
import { ensureNamespace } from './temporal/prepare-flows.ts';
import { roleComponents } from './temporal/roles.ts';

interface Cluster {
  readonly steps: readonly Step[];
  /** The address of the service's database, by its own port; once Postgres is up. */
  readonly databaseUrl: () => string;
}

export async function clusterOf(given: ClusterOptions): Promise<Cluster> {
  const { settings, programs } = given;
  const { between = nothingBetween, runs = () => thisCheckout, currentBuildId = () => BUILD_ID } = given;
  const { home, postgresPort, temporalPort } = settings;
  const database = clusterDatabase(home, postgresPort, programs.temporalTables);
  const byPort = async (way: ClusterConnection) =>
    throughPort(database.url, await between(way, postgresPort));
  const ofService = (url: () => string) => () => new URL(`/${databases.service}`, url()).href;
  const serviceUrl = ofService(await byPort('services to Postgres'));
  const options: ResolvedOptions = { ...given, between, runs, currentBuildId, serviceUrl };
  const frontend = `${LOOPBACK}:${temporalPort}`;
  const temporal = await roleComponents({
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
  const webConsole = consoleComponent(settings, given.locker);
  const ui = webUiComponent(settings, programs.temporalUi, frontend);
  const balancer = balancerComponent(
    settings,
    programs.balancer,
    await balanced('service', services),
    await balanced('receiver', receivers),
  );
  const steps = [
    database,
    // Alone: it writes in the database what the others then only read.
    [
      ...temporal.slice(0, 1),
      ...services.map((port, index) => serviceComponent(options, index, port)),
      balancer,
    ],
    [...temporal.slice(1), ui],
    [
      wallComponent(settings, serviceUrl),
      ...(await receiverComponents(options, receivers)),
      ...(await workerComponents(options)),
      withLink(webConsole),
    ],
  ];
  return { steps, databaseUrl: ofService(database.url) };
}

const throughPort = (url: () => string, port: number) => () => {
  const changed = new URL(url());
  changed.port = String(port);
  return changed.href;
};

const withLink = ({ component, link }: ConsoleComponent): Component => ({
  ...component,
  start: async (say) => ({ ...(await component.start(say)), line: `a link that signs in once: ${link}` }),
});

// Five processes of Temporal with 30 each, two services with 20 each, and some for people.
const MAXIMUM_CONNECTIONS = 250;

export const clusterDatabase = (home: string, port: number, tool: string) =>
  postgresComponent({
    home,
    port,
    maximumConnections: MAXIMUM_CONNECTIONS,
    async prepare(url) {
      const isNew = await createDatabases(url, Object.values(databases));
      if (isNew) await createTemporalTables(tool, url);
      return `${LOOPBACK}:${port}`;
    },
  });

function balancerComponent(
  { home, servicePort, callbackPort }: LocalSettings,
  program: string,
  services: readonly number[],
  receivers: readonly number[],
): Component {
  return programComponent({
    name: 'Balancer',
    home,
    ports: { SERVICE_PORT: servicePort, CALLBACK_PORT: callbackPort },
    command: () => ({
      program,
      args: ['run', '--adapter', 'caddyfile', '--config', join(import.meta.dirname, 'balancer', 'Caddyfile')],
      env: {
        BALANCER_HOST: LOOPBACK,
        BALANCER_HOME: join(home, 'balancer'),
        SERVICE_PORT: String(servicePort),
        CALLBACK_PORT: String(callbackPort),
        SERVICES: addresses(services),
        RECEIVERS: addresses(receivers),
      },
    }),
    isReady: async () => (await isListening(servicePort)) && (await isListening(callbackPort)),
    line: `services http://${LOOPBACK}:${servicePort}, receivers http://${LOOPBACK}:${callbackPort}/callbacks`,
  });
}

const addresses = (ports: readonly number[]): string => ports.map((port) => `${LOOPBACK}:${port}`).join(' ');

function webUiComponent(
  { home, temporalUiPort: port }: LocalSettings,
  program: string,
  frontend: string,
): Component {
  const folder = 'temporal-ui';
  return programComponent({
    name: 'Temporal UI',
    home,
    ports: { TEMPORAL_UI_PORT: port },
    async command() {
      await mkdir(join(home, folder), { recursive: true });
      const settings = { temporalGrpcAddress: frontend, host: LOOPBACK, port, enableUi: true };
      const text = stringify({ ...settings, defaultNamespace: 'default', notifyOnNewVersion: false });
      await writeFile(join(home, folder, 'base.yaml'), text);
      return { program, args: ['--root', home, '--config', folder, 'start'] };
    },
    isReady: () => isListening(port),
    line: `http://${LOOPBACK}:${port}`,
  });
}
