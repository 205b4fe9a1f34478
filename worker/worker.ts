// Wiring: settings in, a running worker out. What it runs is in workflows/ and activities/.

import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client } from '@temporalio/client';
import { loadClientConnectConfig } from '@temporalio/envconfig';
import { type Logger, NativeConnection, Worker, type WorkerOptions } from '@temporalio/worker';
import type { OutreachDependencies } from '../activities/activity-dependencies.ts';
import { Connectors } from '../activities/connectors/connectors.ts';
import { notificationChannel } from '../activities/connectors/notification-channel.ts';
import { outreachChannels } from '../activities/connectors/outreach-channel.ts';
import { LockerFlows } from '../client/locker-flows.ts';
import type { NotificationActivities } from '../contract/flows/notifications.ts';
import { ServiceClock } from '../processes/flow-clock.ts';
import { notificationActivities } from '../processes/notifications/notification-activities.ts';
import { ensureNotifier } from '../processes/notifications/notifier.ts';
import { dataConverter, withEncodedFailures } from '../shared/codec/data-converter.ts';
import { boundConnections, CUT_MESSAGE } from '../shared/http/bound-connections.ts';
import { LockerApi } from '../shared/locker-api/index.ts';
import { ensureReconciler } from '../shared/routing/reconciler-schedule.ts';
import { connectorNames } from '../shared/settings/connector-names.ts';
import { activityTraces, workflowTraces } from '../shared/telemetry/temporal/interceptors.ts';
import { listening } from '../shared/terminal/listening.ts';
import { flowWorkerOptions } from './flow-worker-options.ts';
import { publishFolder, soundFolder } from './publish-folder.ts';
import type { WorkerSettings } from './settings.ts';
import { bundleWorkflows } from './workflow-bundle.ts';

const noConnectors = { connectors: [], events: null, mail: [] };

/** The services that the activities call. */
interface Outside {
  readonly api: LockerApi;
  readonly connectors: Connectors;
}

export interface RunningWorker {
  readonly healthUrl: string;
  /** Resolves when it has stopped after a request; rejects if it failed. */
  readonly ended: Promise<void>;
  /** Gives tasks under way time to finish, then ends them. */
  stop(): Promise<void>;
}

// After the grace, activities are cancelled. One with a booking in doubt continues for this time; then another worker
// takes over.
const FORCE_SECONDS = 15;

export async function startWorker(settings: WorkerSettings, logger: Logger): Promise<RunningWorker> {
  const { connectionOptions, namespace = 'default' } = loadClientConnectConfig();
  const connection = await connected(connectionOptions);
  const api = new LockerApi(settings.api);
  const connectors = new Connectors(settings.connectors ?? noConnectors);
  const outside = { api, connectors };
  try {
    const { taskQueue, reconcileSeconds: everySeconds, flowFolder, serviceProfile } = settings;
    const names = settings.connectors ? connectorNames(settings.connectors.connectors) : null;
    const client = new Client({ connection, namespace, dataConverter: dataConverter(settings.payloadKeys) });
    const files = flowFolder === undefined ? [] : await soundFolder(client, flowFolder, names);
    if (flowFolder !== undefined && files.length === 0)
      logger.warn('the folder has no flow file, so nothing is published; their names end in .flow.yaml', {
        folder: flowFolder,
      });
    const worker = await Worker.create({
      connection,
      namespace,
      ...(await options(settings, outside, { logger, notifier: notifierOf(settings, outside, client) })),
    });
    await ensureReconciler(client, { taskQueue, everySeconds, serviceProfile });
    await ensureNotifier(client, taskQueue, settings.notifications !== undefined);
    const isReady = () => isPolling(worker, connection, namespace);
    const health = await startHealthServer(settings, { isReady, logger });
    const stopping = new AbortController();
    const publishing =
      files.length > 0 &&
      publishFolder(files, { client, taskQueue, connectors: names, logger, stopped: stopping.signal });
    return running(worker, health, async () => {
      stopping.abort();
      await publishing;
      await closed(outside, connection);
    });
  } catch (error) {
    // A worker that was created and never run cannot be closed, and holds the connection: the process ends anyway.
    await closed(outside, connection).catch(() => undefined);
    throw error;
  }
}

async function connected(
  connectionOptions: ReturnType<typeof loadClientConnectConfig>['connectionOptions'],
): Promise<NativeConnection> {
  try {
    return await NativeConnection.connect(connectionOptions);
  } catch (cause) {
    const address = connectionOptions.address ?? 'localhost:7233';
    const words = cause instanceof Error ? cause.message : String(cause);
    // The library prints its error with all of its inner ones; the innermost says what happened.
    const reason = /message: "([^"]+)"/.exec(words)?.[1] ?? words;
    throw new Error(
      `Temporal cannot be reached at ${address} (${reason}); start Temporal, or set TEMPORAL_ADDRESS to where it runs; where it has TLS or API keys, check TEMPORAL_TLS_* and TEMPORAL_API_KEY`,
      { cause },
    );
  }
}

/**
 * One thread runs them, one after the other, and Temporal waits ten seconds for each that a worker has taken; then it gives it out
 * again, and the work was for nothing. So many take a few seconds, if each uses its whole budget of expressions. Others wait at Temporal.
 */
const WORKFLOW_TASKS_AT_ONCE = 8;

/** Throws an Error for a connector whose body is wrong. */
function notifierOf(settings: WorkerSettings, outside: Outside, client: Client): NotificationActivities {
  const { taskQueue, notifications, connectors = noConnectors } = settings;
  const { api: service } = outside;
  const flows = new LockerFlows(client, { taskQueue });
  return notificationActivities(
    { client, taskQueue, flows, service, serviceClock: new ServiceClock(service) },
    notifications && {
      settings: notifications,
      send: notificationChannel(connectors, outside.connectors, notifications.connector),
    },
  );
}

/** Throws an Error for a connector whose body is wrong. */
function outreachOf(
  { connectors = noConnectors, outreach, consoleUrl }: WorkerSettings,
  outside: Outside,
): OutreachDependencies {
  const { address } = outreach;
  return { ...outreachChannels(connectors, outside.connectors, outreach), address, consoleUrl };
}

async function options(
  settings: WorkerSettings,
  outside: Outside,
  { logger, notifier }: { readonly logger: Logger; readonly notifier: NotificationActivities },
): Promise<Omit<WorkerOptions, 'connection' | 'namespace'>> {
  const { api, connectors } = outside;
  const { serviceProfile, setsReferences, keepFor, version, darkDefinitions } = settings;
  const { activities, ...flowOptions } = flowWorkerOptions({
    api,
    connectors,
    serviceProfile,
    setsReferences,
    keepFor,
    outreach: outreachOf(settings, outside),
  });
  return {
    taskQueue: settings.taskQueue,
    workflowBundle: { code: await workflowCode(settings, logger) },
    dataConverter: dataConverter(settings.payloadKeys),
    ...flowOptions,
    activities: { ...activities, ...notifier },
    interceptors: { activity: [activityTraces] },
    sinks: workflowTraces,
    maxCachedWorkflows: settings.cachedWorkflows,
    maxConcurrentWorkflowTaskExecutions: WORKFLOW_TASKS_AT_ONCE,
    maxConcurrentActivityTaskExecutions: settings.concurrentActivities,
    shutdownGraceTime: settings.shutdownGraceSeconds * 1_000,
    shutdownForceTime: (settings.shutdownGraceSeconds + FORCE_SECONDS) * 1_000,
    patchActivationCallback: ({ patchId }) => !darkDefinitions.has(patchId),
    ...(version && {
      workerDeploymentOptions: {
        version,
        useWorkerVersioning: true,
        defaultVersioningBehavior: 'AUTO_UPGRADE',
      },
    }),
  };
}

async function workflowCode(
  { workflowBundle, payloadKeys }: WorkerSettings,
  logger: Logger,
): Promise<string> {
  const code =
    workflowBundle === undefined ? await bundleWorkflows({ logger }) : await readFile(workflowBundle, 'utf8');
  return withEncodedFailures(code, payloadKeys);
}

function running(worker: Worker, health: HealthServer, close: () => Promise<void>): RunningWorker {
  const ended = (async () => {
    try {
      await worker.run();
    } finally {
      await health.close();
      await close();
    }
  })();
  return {
    healthUrl: health.url,
    ended,
    stop: () => {
      if (worker.getState() === 'RUNNING') worker.shutdown();
      return ended;
    },
  };
}

async function closed({ api, connectors }: Outside, connection: NativeConnection): Promise<void> {
  await api.close();
  await connectors.close();
  await connection.close();
}

async function isPolling(worker: Worker, connection: NativeConnection, namespace: string): Promise<boolean> {
  if (worker.getState() !== 'RUNNING') return false;
  try {
    await connection.withDeadline(Date.now() + 2_000, () =>
      connection.workflowService.describeNamespace({ namespace }),
    );
    return true;
  } catch {
    return false; // Not ready is the whole answer; why is in Temporal's own health.
  }
}

interface HealthServer {
  readonly url: string;
  close(): Promise<void>;
}

async function startHealthServer(
  { host, port }: { readonly host: string; readonly port: number },
  { isReady, logger }: { readonly isReady: () => Promise<boolean>; readonly logger: Logger },
): Promise<HealthServer> {
  const server = createServer((request, response) => {
    const path = request.url?.split('?')[0];
    if (path === '/health/live') respond(response, 200, 'live');
    else if (path === '/health/ready')
      void isReady().then((ready) => respond(response, ready ? 200 : 503, ready ? 'ready' : 'not ready'));
    else respond(response, 404, 'not found');
  });
  boundConnections(server, { onCut: (cut) => logger.warn(CUT_MESSAGE, { ...cut }) });
  await listening({ host, port }, 'WORKER', (at) => once(server.listen(at), 'listening'));
  const address = server.address() as AddressInfo;
  return {
    url: `http://${host}:${address.port}`,
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()));
        server.closeIdleConnections();
      }),
  };
}

function respond(response: ServerResponse, code: number, status: string): void {
  response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify({ status }));
}
