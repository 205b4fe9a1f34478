// The processes of the cluster that are ours: services, receivers and workers. Each runs from a checkout, so that another
// release can take its place.
import { join } from 'node:path';
import { configureCallbackAddress } from '../../cli/verbs/callback-address.ts';
import { callbackKey, encryptionKey, lockerSettings } from '../../local/api-settings.ts';
import type { Component } from '../../local/components/component.ts';
import { type ProcessComponent, processComponent } from '../../local/components/program.ts';
import { freePorts, LOOPBACK } from '../../local/ports.ts';
import { nodeOptions } from '../../worker/node-options.ts';
import type { ResolvedOptions, Run } from './options.ts';
import { BUILD_ID, shape } from './shape.ts';
import { makeCurrent } from './temporal/prepare-flows.ts';

const DEPLOYMENT = 'lockerflow';
// Shorter than the supervisor's limit.
const GRACE = { SERVICE_STOP_GRACE_SECONDS: '5', WORKER_SHUTDOWN_GRACE_SECONDS: '3' };

export const thisCheckout: Run = { project: join(import.meta.dirname, '../..'), env: {} };

const addressOf = (port: number): string => `http://${LOOPBACK}:${port}`;

const ourComponent = (
  runs: ResolvedOptions['runs'],
  component: Omit<ProcessComponent, 'ports' | 'project'>,
): Component =>
  processComponent({
    ...component,
    ports: {},
    project: () => runs(component.name).project,
    env: async () => ({ ...(await component.env()), ...runs(component.name).env }),
  });

export function serviceComponent(
  { settings, serviceUrl, runs }: ResolvedOptions,
  index: number,
  port: number,
): Component {
  const { home, servicePort } = settings;
  return ourComponent(runs, {
    name: `Service ${index + 1}`,
    home,
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

export async function receiverComponents(
  options: ResolvedOptions,
  ports: readonly number[],
): Promise<Component[]> {
  const { settings, locker, between, runs } = options;
  const { home, temporalPort, callbackPort } = settings;
  const temporal = `${LOOPBACK}:${await between('receivers to Temporal', temporalPort)}`;
  const callbacks = addressOf(await between('services to receivers', callbackPort));
  return ports.map((port, index) =>
    ourComponent(runs, {
      name: `Receiver ${index + 1}`,
      home,
      entry: 'client/receiver/main.ts',
      address: addressOf(port),
      env: async () => ({
        ...locker.env,
        TEMPORAL_ADDRESS: temporal,
        LOCKER_CALLBACK_KEY: await callbackKey(home),
        CALLBACK_TRUSTED_PROXIES: LOOPBACK,
        CALLBACK_PORT: String(port),
      }),
      // Said again it changes nothing.
      async afterStart() {
        await using api = locker.api();
        await configureCallbackAddress(api, `${callbacks}/callbacks`, await callbackKey(home));
      },
    }),
  );
}

export async function workerComponents(options: ResolvedOptions): Promise<Component[]> {
  const { settings, locker, between, bundle, flowFolder, runs, currentBuildId } = options;
  const { home, temporalPort, servicePort } = settings;
  const temporal = `${LOOPBACK}:${temporalPort}`;
  const reachedTemporal = `${LOOPBACK}:${await between('workers to Temporal', temporalPort)}`;
  const reachedService = await between('workers to services', servicePort);
  const { env } = locker.isOurs ? lockerSettings({ servicePort: reachedService }) : locker;
  const ports = await freePorts(shape.worker);
  return ports.map((port, index) =>
    ourComponent(runs, {
      name: `Worker ${index + 1}`,
      home,
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
      afterStart: () => makeCurrent(temporal, DEPLOYMENT, currentBuildId()),
    }),
  );
}
