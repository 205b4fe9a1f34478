// Everything there is, for a file of tests: the service and its callbacks, the receiver, Temporal, a worker with the real
// activities, and people at the lockers. Nothing of it is played; what a vendor lacks is switched off in the service.
import type { Client } from '@temporalio/client';
import { inject } from 'vitest';
import type { ActivityDependencies } from '../../activities/activity-dependencies.ts';
import { createActivities } from '../../activities/all-activities.ts';
import { adoptionActivities } from '../../activities/booking/adoption.ts';
import { deliveredBy } from '../../activities/outreach.ts';
import { unmatchedActivities } from '../../activities/unmatched-activities.ts';
import { LockerFlows } from '../../client/locker-flows.ts';
import type { Received } from '../../client/receiver/receive-callback.ts';
import { startReceiver } from '../../client/receiver/server.ts';
import { readReceiverSettings } from '../../client/receiver/settings.ts';
import { readServiceProfile, serviceProfileSettings } from '../../contract/wire/service-profile.ts';
import { batchActivities } from '../../processes/batches/batch-activities.ts';
import { startCallbackSender } from '../../service/callbacks/delivery/callback-sender.ts';
import { createLog } from '../../service/log.ts';
import { LockerApi } from '../../shared/locker-api/index.ts';
import { type Caller, callerAs } from '../support/caller.ts';
import { type Sandbox, sandboxAs } from '../support/sandbox.ts';
import { createTestService, type TestService } from '../support/service.ts';
import { connectClient, newTaskQueue, runWorker } from '../support/temporal.ts';
import { People } from './people.ts';

const CALLBACK_KEY = 'whsec_dGhlIGtleSBvZiBhbGwgdGhhdCB0aGVyZSBpcw==';
export const credentials = { clientId: 'demo', clientSecret: 'demo-secret' };

/** What the service is switched to, and what worker and receiver are told of it. */
export interface Vendor {
  readonly name: string;
  readonly switches: Readonly<Record<string, unknown>>;
  readonly settings: Readonly<Record<string, string>>;
  /** Whether callbacks are asked for more than the interface's fields, as `npm start` does. */
  readonly extraFields?: boolean;
}

export const ourService: Vendor = {
  name: 'our service',
  switches: {},
  settings: { LOCKER_CAPABILITIES: 'getShipments,idempotencyKey,accessCodes,accessMessages' },
  extraFields: true,
};

/** Its callbacks have the interface's fields alone, and everything else is ours. */
export const ourServiceWithoutExtraFields: Vendor = {
  ...ourService,
  name: 'our service without extra fields in callbacks',
  extraFields: false,
};

/** Exactly the interface, in its own words, with every liberty taken that it leaves (assumptions: A bare vendor). */
export const basicService: Vendor = {
  name: 'a basic service',
  switches: {
    bareVendor: true,
    renamedStates: { ReadyForDropoff: 'OPEN', ReadyForPickup: 'AVAILABLE', Completed: 'COLLECTED' },
  },
  settings: {
    LOCKER_CAPABILITIES: '',
    LOCKER_STATE_MAP: 'OPEN=ReadyForDropoff,AVAILABLE=ReadyForPickup,COLLECTED=Completed',
    LOCKER_CALLBACK_STRICT: 'false',
  },
};

export interface InstallationOptions {
  /** False: no callback is ever sent. */
  readonly sender?: boolean;
  /** False: whoever needs a worker starts it. */
  readonly worker?: boolean;
  /** What the worker's calls go through on their way to the service. */
  readonly through?: (
    serviceAddress: string,
  ) => Promise<{ readonly address: string; close(): Promise<void> }>;
  readonly dependencies?: Partial<ActivityDependencies>;
  /** Without it, one that is this installation's alone. */
  readonly taskQueue?: string;
  /** Without it, the Temporal that all tests share: there are processes of others in it, whose workers are gone. */
  readonly temporalAddress?: string;
}

export interface Installation extends AsyncDisposable {
  readonly vendor: Vendor;
  readonly service: TestService;
  readonly client: Client;
  readonly flows: LockerFlows;
  readonly people: People;
  readonly taskQueue: string;
  readonly temporalAddress: string;
  /** False where the worker is another's: what is merely good to know it asks for within a short time. */
  readonly probesInFull: boolean;
  /** What became of each callback. */
  readonly received: readonly Received[];
}

export async function startInstallation(
  vendor: Vendor,
  options: InstallationOptions = {},
): Promise<Installation> {
  await using started = new AsyncDisposableStack();
  // People and programs of a test that lasts longer than a token keep the one with which they began.
  const service = started.use(await createTestService({ tokenLifetimeSeconds: 86_400 }));
  const { taskQueue = newTaskQueue(), temporalAddress = inject('temporalAddress') } = options;
  const { client, close } = await connectClient(temporalAddress);
  started.defer(close);
  const received: Received[] = [];
  const receiver = await startReceiver(client, {
    ...readReceiverSettings({
      ...vendor.settings,
      CALLBACK_PORT: '0',
      LOCKER_CALLBACK_KEY: CALLBACK_KEY,
      LOCKERFLOW_TASK_QUEUE: taskQueue,
    }),
    onReceived: (one) => received.push(one),
  });
  started.defer(() => receiver.close());
  const tenant = { call: await callerAs(service.address), sandbox: await sandboxAs(service.address) };
  await switchTo(vendor, tenant, receiver.url);
  if (options.sender !== false) started.defer(startSender(service));
  const people = new People(tenant.call, service.database, vendor === basicService);
  if (options.worker !== false) await startWorker(started, vendor, service, taskQueue, options);
  const stack = started.move();
  const flows = new LockerFlows(client, { taskQueue });
  return {
    vendor,
    service,
    client,
    flows,
    people,
    taskQueue,
    temporalAddress,
    received,
    probesInFull: options.worker !== false,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

async function switchTo(
  vendor: Vendor,
  { call, sandbox }: { readonly call: Caller; readonly sandbox: Sandbox },
  url: string,
): Promise<void> {
  await sendCallbacksTo(url, vendor, call);
  const switched = await sandbox('POST', 'switches', vendor.switches);
  if (switched.status !== 200)
    throw new Error(`the service was not set up: ${JSON.stringify(switched.body)}`);
}

async function sendCallbacksTo(
  url: string | null,
  { settings, extraFields }: Vendor,
  call: Caller,
): Promise<void> {
  const { status, body } = await call('ConfigureCallback', {
    url,
    authType: 'HMAC',
    authKey: CALLBACK_KEY,
    extraFields,
    accessMessages: settings.LOCKER_CAPABILITIES?.includes('accessMessages') === true,
  });
  if (status !== 200) throw new Error(`the callbacks were not set up: ${JSON.stringify(body)}`);
}

function startSender({ settings, database, switchBoard }: TestService): () => Promise<void> {
  const dependencies = { database, switchBoard, log: createLog('error') };
  const sender = startCallbackSender(settings, dependencies, {
    patience: { firstMs: 20, lastMs: 200 },
    probePatience: { firstMs: 20, lastMs: 200 },
  });
  return () => sender.stop();
}

async function startWorker(
  started: AsyncDisposableStack,
  vendor: Vendor,
  { address }: TestService,
  taskQueue: string,
  { through, dependencies, temporalAddress: at }: InstallationOptions,
): Promise<void> {
  const way = await through?.(address);
  if (way) started.defer(() => way.close());
  const api = new LockerApi({
    ...credentials,
    apiUrl: way?.address ?? address,
    authUrl: address,
    timeoutMs: 10_000,
  });
  started.defer(() => api.close());
  const activities = createActivities({
    api,
    serviceProfile: readServiceProfile(serviceProfileSettings.parse(vendor.settings)),
    setsReferences: true,
    keepFor: 'P30D',
    lockerRetryMs: 50,
    // Waits that are long in life are short here; their order is the same.
    pace: { settleMs: 300, firstDelayMs: 20, longestDelayMs: 100 },
    // Long enough on a loaded machine: what the service tells is known, and can be compared.
    probingMs: 30_000,
    ...dependencies,
  });
  const worker = await runWorker({
    taskQueue,
    ...(at !== undefined && { address: at }),
    activities: {
      ...activities,
      ...batchActivities({ service: api, outreach: deliveredBy(dependencies ?? {}) }),
      ...unmatchedActivities(),
      ...adoptionActivities(),
    },
  });
  started.defer(() => worker.stop());
}
