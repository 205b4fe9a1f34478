// The orchestrator as components of the local installation: the callback receiver, which is configured in our service, and
// the worker.
import { join } from 'node:path';
import { configureCallbackAddress } from '../../cli/verbs/callback-address.ts';
import { LockerApiError } from '../../shared/locker-api/index.ts';
import { nodeOptions } from '../../worker/node-options.ts';
import { callbackKey, type LockerSettings } from '../api-settings.ts';
import { urlFile } from '../database-url.ts';
import { LOOPBACK } from '../ports.ts';
import type { LocalSettings } from '../settings.ts';
import { workflowBundle } from '../workflow-bundle.ts';
import { type Component, NeedsPerson } from './component.ts';
import { processComponent } from './program.ts';

// Shorter than the supervisor's limit: an activity finishes, or the next start continues it.
const SHUTDOWN_GRACE_SECONDS = '3';
export const EXAMPLES = join(import.meta.dirname, '../../docs/examples/flow-files');

/**
 * The folder of flow files that the worker publishes: the examples, unless one is named; none when empty. Some examples call
 * a connector that a connectors file of one's own lacks, and with these the worker would not start.
 */
export function flowFolderOf(env: Readonly<Record<string, string | undefined>>): string {
  const { LOCKERFLOW_FLOWS: named, LOCKERFLOW_CONNECTORS: connectors } = env;
  return named ?? (connectors ? '' : EXAMPLES);
}

interface Flows {
  /** Signs callbacks; for a vendor's service it is in the environment. Undefined: there is no service that calls back. */
  readonly key: string | undefined;
  /** The folder of flow files that the worker publishes; none when empty. */
  readonly flowFolder: string;
}

export function orchestratorComponents(
  settings: LocalSettings,
  locker: LockerSettings,
  { key, flowFolder }: Flows,
): Component[] {
  const { home, workerPort, temporalPort } = settings;
  const worker = processComponent({
    name: 'Worker',
    home,
    ports: { WORKER_PORT: workerPort },
    entry: 'worker/main.ts',
    nodeOptions,
    address: `http://${LOOPBACK}:${workerPort}`,
    env: async () => ({
      ...locker.env,
      TEMPORAL_ADDRESS: `${LOOPBACK}:${temporalPort}`,
      WORKER_WORKFLOW_BUNDLE:
        process.env.WORKER_WORKFLOW_BUNDLE ?? (await workflowBundle(home, 'development')),
      LOCKERFLOW_FLOWS: flowFolder,
      CONSOLE_URL: process.env.CONSOLE_URL ?? `http://${LOOPBACK}:${settings.consolePort}`,
      WORKER_PORT: String(workerPort),
      WORKER_SHUTDOWN_GRACE_SECONDS: process.env.WORKER_SHUTDOWN_GRACE_SECONDS ?? SHUTDOWN_GRACE_SECONDS,
    }),
  });
  return [...(key === undefined ? [] : [receiverComponent(settings, locker, key)]), worker];
}

function receiverComponent(
  { home, callbackPort, temporalPort }: LocalSettings,
  locker: LockerSettings,
  key: string,
): Component {
  const url = `http://${LOOPBACK}:${callbackPort}`;
  return processComponent({
    name: 'Receiver',
    home,
    ports: { CALLBACK_PORT: callbackPort },
    entry: 'client/receiver/main.ts',
    address: url,
    line: `${url}/callbacks`,
    env: () => ({
      ...locker.env,
      TEMPORAL_ADDRESS: `${LOOPBACK}:${temporalPort}`,
      LOCKER_CALLBACK_KEY: key,
      CALLBACK_PORT: String(callbackPort),
    }),
    ...(locker.isOurs ? { afterStart: () => configureAddress(locker, home, `${url}/callbacks`, key) } : {}),
  });
}

/** For a vendor's service it is `LOCKER_CALLBACK_KEY`; for ours one is made. */
export async function keyOfCallbacks({ home }: LocalSettings): Promise<string> {
  return process.env.LOCKER_CALLBACK_KEY ?? (await callbackKey(home));
}

const serviceCommand = import.meta.url.endsWith('.ts')
  ? 'npm run -s service --'
  : `node ${join(import.meta.dirname, '../../service/main.js')}`;

/** The service and its Postgres are up: a person makes another secret with them. */
function anotherSecret(clientId: string, home: string): string {
  const service = `DATABASE_URL_FILE=${urlFile(home)} ${serviceCommand}`;
  return [
    `the service does not take the API client ${clientId} with its secret: it was retired or revoked, or LOCKER_CLIENT_SECRET is wrong`,
    `make another one: ${service} client rotate ${clientId} (or ${service} client create demo <another id>)`,
    'then Ctrl-C, and start again with LOCKER_CLIENT_ID=… LOCKER_CLIENT_SECRET=…',
  ].join('; ');
}

async function configureAddress(
  { api, env }: LockerSettings,
  home: string,
  url: string,
  key: string,
): Promise<void> {
  await using locker = api();
  await configureCallbackAddress(locker, url, key).catch((error: Error) => {
    if (error instanceof LockerApiError && error.code === 'TokenRefused')
      throw new NeedsPerson(anotherSecret(env.LOCKER_CLIENT_ID ?? '', home));
    throw error;
  });
}
