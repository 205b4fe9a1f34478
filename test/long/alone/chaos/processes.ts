// How each of the processes is started: from its environment alone, as people run it, with the links between them.

import { join } from 'node:path';
import { searchAttributes } from '../../../../contract/flows/search-attributes.ts';
import { LOOPBACK } from '../../../../local/ports.ts';
import { startPostgres } from '../../../../local/postgres/postgres.ts';
import { startTemporalServer } from '../../../../local/temporal/server.ts';
import { demoSettings } from '../../../support/caller.ts';
import { loggedProgram } from '../../../support/processes/node-program.ts';
import type { Link } from './link.ts';
import type { StartProcess } from './supervised-process.ts';

export const oneMachine = {
  components: ['worker', 'service', 'receiver', 'temporal', 'postgres'],
  links: [
    'workerToService',
    'serviceToReceiver',
    'workerToTemporal',
    'receiverToTemporal',
    'serviceToPostgres',
  ],
} as const;
export type ComponentName = (typeof oneMachine.components)[number];
export type LinkName = (typeof oneMachine.links)[number];

export interface Installed {
  /** Has the data and the logs. */
  readonly folder: string;
  readonly ports: Readonly<Record<Exclude<ComponentName, 'worker'>, number>>;
  readonly links: Readonly<Record<LinkName, Link>>;
  readonly callbackKey: string;
  /** The bundle of the workflows. */
  readonly bundle: string;
  /** Known once Postgres was up for the first time. */
  databaseUrl: string;
}

export const starts: Readonly<Record<ComponentName, (installed: Installed) => StartProcess>> = {
  postgres: (installed) => async () => {
    const { folder, ports } = installed;
    const postgres = await startPostgres({ folder: join(folder, 'postgres'), port: ports.postgres });
    installed.databaseUrl = postgres.url;
    return postgres;
  },
  temporal:
    ({ folder, ports }) =>
    () =>
      startTemporalServer({
        port: ports.temporal,
        databaseFile: join(folder, 'temporal.sqlite'),
        searchAttributes,
      }),
  service: (installed) => () => {
    const { folder, ports, links } = installed;
    return loggedProgram('service', 'service/main.ts', folder, {
      DATABASE_URL: through(installed.databaseUrl, links.serviceToPostgres),
      SERVICE_MODE: 'staging',
      SERVICE_PORT: String(ports.service),
      SERVICE_TOKEN_LIFETIME_SECONDS: '86400',
      SERVICE_CALLBACK_TIMEOUT_SECONDS: '4',
      SERVICE_ENCRYPTION_KEY: process.env.SERVICE_ENCRYPTION_KEY ?? '',
    });
  },
  receiver:
    ({ folder, ports, links, callbackKey }) =>
    () =>
      loggedProgram('receiver', 'client/receiver/main.ts', folder, {
        TEMPORAL_ADDRESS: addressOf(links.receiverToTemporal),
        CALLBACK_PORT: String(ports.receiver),
        LOCKER_CALLBACK_KEY: callbackKey,
      }),
  worker:
    ({ folder, links, bundle }) =>
    () =>
      loggedProgram('worker', 'worker/main.ts', folder, {
        TEMPORAL_ADDRESS: addressOf(links.workerToTemporal),
        ...demoSettings(`http://${addressOf(links.workerToService)}`),
        LOCKER_CAPABILITIES: 'getShipments,idempotencyKey,accessCodes,accessMessages',
        LOCKER_TIMEOUT_SECONDS: '4',
        // Callbacks alone have to do it.
        LOCKER_RECONCILE_SECONDS: '0',
        WORKER_PORT: '0',
        WORKER_WORKFLOW_BUNDLE: bundle,
      }),
};

const addressOf = ({ port }: Link) => `${LOOPBACK}:${port}`;

function through(url: string, { port }: Link): string {
  const changed = new URL(url);
  changed.port = String(port);
  return changed.href;
}
