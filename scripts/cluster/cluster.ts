// The parts of the cluster, in the order in which they start: the shape of production, on this machine.
import { type ConsolePart, consolePart } from '../parts/console-part.ts';
import type { Part } from '../parts/part.ts';
import type { Step } from '../parts/parts.ts';
import { wallPart } from '../parts/service-part.ts';
import { freePorts, LOOPBACK } from '../ports.ts';
import { balancerPart } from './balancer/balancer-part.ts';
import { clusterDatabase } from './database-part.ts';
import type { ClusterOptions, Reached } from './options.ts';
import { receiverParts, servicePart, thisCheckout, workerParts } from './our-parts.ts';
import { BUILD_ID, shape } from './shape.ts';
import { databases } from './temporal/databases.ts';
import { ensureNamespace } from './temporal/namespace.ts';
import { temporalRoleParts } from './temporal/role-parts.ts';
import { uiPart } from './temporal/ui-part.ts';
import { type ClusterWay, nothingBetween } from './ways.ts';

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
  const byPort = async (way: ClusterWay) => throughPort(database.url, await between(way, postgresPort));
  const ofService = (url: () => string) => () => new URL(`/${databases.service}`, url()).href;
  const serviceUrl = ofService(await byPort('services to Postgres'));
  const options: Reached = { ...given, between, runs, currentBuildId, serviceUrl };
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

const throughPort = (url: () => string, port: number) => () => {
  const changed = new URL(url());
  changed.port = String(port);
  return changed.href;
};

const withLink = ({ part, link }: ConsolePart): Part => ({
  ...part,
  start: async (say) => ({ ...(await part.start(say)), line: `a link that signs in once: ${link}` }),
});
