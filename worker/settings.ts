// The worker's settings, read from the environment once, at the start. One error names every wrong one.
// Temporal's own (TEMPORAL_*) are read by its own library.
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { getHeapStatistics } from 'node:v8';
import { z } from 'zod';
import { channelNames } from '../activities/connectors/notification-channel.ts';
import { outreachChannelNames } from '../activities/connectors/outreach-channel.ts';
import { readServiceProfile } from '../contract/wire/service-profile.ts';
import {
  notificationSettings,
  readNotificationSettings,
} from '../processes/notifications/notification-settings.ts';
import { readPayloadKeys } from '../shared/codec/payload-keys.ts';
import { type ConnectorSettings, readConnectors } from '../shared/settings/connectors.ts';
import { outreachSettings, readOutreachSettings } from '../shared/settings/outreach-settings.ts';
import { readBy, readSettings } from '../shared/settings/read-settings.ts';
import { orchestratorSettings } from '../shared/settings/report-settings.ts';
import { SettingsFileWrong } from '../shared/settings/settings-file.ts';
import { logLevel, metricsAddress, wholeNumber, yesOrNo } from '../shared/settings/values.ts';
import { defaultDependencies } from './flow-worker-options.ts';

const httpAddress = z.url({ protocol: /^https?$/, error: 'must be an http or https address' });
const commaSeparated = z.string().transform((text) =>
  text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== ''),
);

const WORKFLOW_BYTES = 400_000;
const MAX_WORKFLOWS_CACHED = 2_500;

/** Half of Node's heap, which is sized by the memory of the machine or container: what is kept may fill it. */
export const workflowsCachedIn = (heapBytes: number): number =>
  Math.min(MAX_WORKFLOWS_CACHED, Math.max(2, Math.floor(heapBytes / 2 / WORKFLOW_BYTES)));

const separateSettings = orchestratorSettings.extend({
  ...notificationSettings.shape,
  ...outreachSettings.shape,
  /** The keys for payloads; the first one encrypts. Without keys, payloads are not encrypted. */
  LOCKERFLOW_PAYLOAD_KEYS: readBy(readPayloadKeys).nullable().default(null),
  LOCKER_API_URL: httpAddress,
  LOCKER_AUTH_URL: httpAddress,
  LOCKER_CLIENT_ID: z.string().min(1),
  LOCKER_CLIENT_SECRET: z.string().min(1),
  /** A call that takes longer has an unknown outcome if it has an effect. */
  LOCKER_TIMEOUT_SECONDS: wholeNumber(1, 600).default(30),
  /** Whether a flow sets its own case and reference numbers if the caller gave none. */
  LOCKER_SET_REFERENCES: yesOrNo.default(defaultDependencies.setsReferences),
  /** How often changed shipments are listed, to find lost callbacks; 0 is never. Only with getShipments. */
  LOCKER_RECONCILE_SECONDS: wholeNumber(0, 86_400).default(60),
  WORKER_HOST: z.string().min(1).default('127.0.0.1'),
  /** Of /health/live and /health/ready; 0 takes any free port. */
  WORKER_PORT: wholeNumber(0, 65_535).default(8091),
  /** Host and port where Prometheus finds the SDK's metrics; none when empty. */
  WORKER_METRICS_ADDRESS: metricsAddress.optional(),
  WORKER_LOG_LEVEL: logLevel,
  /** Each takes 0.2 to 0.4 MB; one that is not cached is replayed from its history when it continues. */
  WORKER_CACHED_WORKFLOWS: wholeNumber(2, 100_000).default(() =>
    workflowsCachedIn(getHeapStatistics().heap_size_limit),
  ),
  /**
   * A booking in doubt keeps its place until its outcome is known: with too few places, all other activities
   * would wait.
   */
  WORKER_CONCURRENT_ACTIVITIES: wholeNumber(1, 10_000).default(500),
  WORKER_SHUTDOWN_GRACE_SECONDS: wholeNumber(0, 3_600).default(30),
  /** Made by `npm run build`; without it the workflows are bundled at the start. */
  WORKER_WORKFLOW_BUNDLE: z.string().min(1).optional(),
  /** A folder of flow files that the worker publishes when it starts; none when empty. */
  LOCKERFLOW_FLOWS: z.string().min(1).optional(),
  /** A file with the connectors that flow files may call, and with the receivers of events; none when empty. */
  LOCKERFLOW_CONNECTORS: z.string().transform(connectorsIn).optional(),
  /** With it the worker is versioned, and gets no task before this version is made the current one. */
  WORKER_BUILD_ID: z.string().min(1).optional(),
  WORKER_DEPLOYMENT: z.string().min(1).default('lockerflow'),
  /** Definitions that this worker has but starts no process on, like Issue@2: a new one is rolled out dark with it. */
  WORKER_DARK_DEFINITIONS: commaSeparated
    .pipe(z.array(z.string().regex(/^\w+@\d+$/, 'must be definitions like Issue@2, separated by commas')))
    .default([]),
});

type Settings = z.output<typeof separateSettings>;

/** A worker that could not deliver what the console takes would be found out by a person who waits for a mechanic. */
const channelRule = (
  setting: 'NOTIFY_CONNECTOR' | 'MESSAGE_CONNECTOR' | 'MECHANIC_CONNECTOR',
  what: string,
  namesIn: (file: ConnectorSettings) => string[],
) =>
  [
    ({ [setting]: name, LOCKERFLOW_CONNECTORS: file }: Settings) =>
      name === undefined || isWrong(file) || (file !== undefined && namesIn(file).includes(name)),
    {
      path: [setting] as PropertyKey[],
      error: ({ input }: { readonly input?: unknown }) => {
        const { LOCKERFLOW_CONNECTORS: file } = input as Settings;
        const names = file ? namesIn(file) : [];
        return `must be the name of a connector or mailbox in LOCKERFLOW_CONNECTORS that takes ${what}: ${names.join(', ') || 'it has none'}`;
      },
      when: () => true,
    },
  ] as const;

const isMailbox = ({ LOCKERFLOW_CONNECTORS: file, MESSAGE_CONNECTOR: name }: Settings): boolean =>
  file !== undefined && !isWrong(file) && file.mail.some((each) => each.name === name);

const environment = separateSettings
  .refine(...channelRule('NOTIFY_CONNECTOR', 'notifications', channelNames))
  .refine(...channelRule('MESSAGE_CONNECTOR', 'messages', (file) => outreachChannelNames(file, 'messages')))
  .refine(
    ...channelRule('MECHANIC_CONNECTOR', 'requests for a mechanic', (file) =>
      outreachChannelNames(file, 'mechanic'),
    ),
  )
  .refine((data) => !isMailbox(data) || data.MESSAGE_ADDRESS === 'email', {
    path: ['MESSAGE_ADDRESS'],
    error: 'must be email: MESSAGE_CONNECTOR is a mailbox',
    when: () => true,
  });

/** What is wrong with the file is an error of its own. */
const isWrong = (file: ConnectorSettings | undefined): boolean => file !== undefined && !('mail' in file);

/** Secret files are named from the folder of the file that names them. */
function connectorsIn(path: string, context: z.RefinementCtx): ConnectorSettings {
  const read = (file: string) => readFileSync(resolve(dirname(path), file), 'utf8');
  try {
    return readConnectors(readFileSync(path, 'utf8'), read);
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    const lines =
      error instanceof SettingsFileWrong
        ? error.lines
        : [`cannot be read (${words}); name a file that the worker may read`];
    for (const message of lines) context.addIssue({ code: 'custom', message: `${path}: ${message}` });
    return z.NEVER;
  }
}

/** Throws an Error that names every wrong setting and what was expected. */
export function readWorkerSettings(variables: Readonly<Record<string, string | undefined>>) {
  const data = readSettings('The worker cannot start; these settings are wrong', environment, variables);
  const serviceProfile = readServiceProfile(data);
  return {
    payloadKeys: data.LOCKERFLOW_PAYLOAD_KEYS,
    api: {
      apiUrl: data.LOCKER_API_URL,
      authUrl: data.LOCKER_AUTH_URL,
      clientId: data.LOCKER_CLIENT_ID,
      clientSecret: data.LOCKER_CLIENT_SECRET,
      timeoutMs: data.LOCKER_TIMEOUT_SECONDS * 1_000,
    },
    serviceProfile,
    setsReferences: data.LOCKER_SET_REFERENCES,
    /** 0: no reconciler. */
    reconcileSeconds: serviceProfile.capabilities.has('getShipments') ? data.LOCKER_RECONCILE_SECONDS : 0,
    keepFor: data.KEEP_UNMATCHED_FOR,
    taskQueue: data.LOCKERFLOW_TASK_QUEUE,
    host: data.WORKER_HOST,
    port: data.WORKER_PORT,
    metricsAddress: data.WORKER_METRICS_ADDRESS,
    logLevel: data.WORKER_LOG_LEVEL,
    cachedWorkflows: data.WORKER_CACHED_WORKFLOWS,
    concurrentActivities: data.WORKER_CONCURRENT_ACTIVITIES,
    shutdownGraceSeconds: data.WORKER_SHUTDOWN_GRACE_SECONDS,
    workflowBundle: data.WORKER_WORKFLOW_BUNDLE,
    flowFolder: data.LOCKERFLOW_FLOWS,
    connectors: data.LOCKERFLOW_CONNECTORS,
    notifications: readNotificationSettings(data),
    outreach: readOutreachSettings(data),
    consoleUrl: data.CONSOLE_URL?.replace(/\/+$/, '') ?? null,
    version:
      data.WORKER_BUILD_ID === undefined
        ? undefined
        : { deploymentName: data.WORKER_DEPLOYMENT, buildId: data.WORKER_BUILD_ID },
    darkDefinitions: new Set(data.WORKER_DARK_DEFINITIONS),
  };
}

export type WorkerSettings = Readonly<ReturnType<typeof readWorkerSettings>>;
