// The components of the cluster, in the order in which they start: the shape of production, on this machine.

import type { Component } from '../components/component.ts';
import type { Step } from '../components/components.ts';
import { type ConsoleComponent, consoleComponent } from '../components/console.ts';
import { wallComponent } from '../components/service.ts';
import { freePorts, LOOPBACK } from '../ports.ts';
import { balancerComponent } from './balancer/balancer.ts';
import { clusterDatabase } from './database.ts';
import type { ClusterOptions, ResolvedOptions } from './options.ts';
import { type ClusterConnection, nothingBetween } from './options.ts';
import { receiverComponents, serviceComponent, thisCheckout, workerComponents } from './our-components.ts';
import { BUILD_ID, shape } from './shape.ts';
import { databases } from './temporal/databases.ts';
import { ensureNamespace } from './temporal/namespace.ts';
import { roleComponents } from './temporal/roles.ts';
import { webUiComponent } from './temporal/web-ui.ts';

interface Cluster {
  readonly steps: readonly Step[];
  /** The address of the service's database, by its own port; once Postgres is up. */
  readonly databaseUrl: () => string;
}

export async function clusterOf(given: ClusterOptions): Promise<Cluster> {
  const { settings, programs } = given;
  const { between = nothingBetween, runs = () => thisCheckout, currentBuildId = () => BUILD_ID } = given;
  const { home, postgresPort, servicePort, callbackPort, temporalPort, temporalUiPort } = settings;
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
  const ui = webUiComponent({ home, program: programs.temporalUi, port: temporalUiPort, frontend });
  const balancer = balancerComponent({
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
