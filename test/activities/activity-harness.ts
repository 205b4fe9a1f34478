// Runs the activities in a real worker on the run's Temporal server, against a service that a test tells how to answer.
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { Client, Connection, WorkflowFailedError, type WorkflowHandle } from '@temporalio/client';
import { ActivityFailure, ApplicationFailure, type TemporalFailure } from '@temporalio/common';
import { NativeConnection, Worker } from '@temporalio/worker';
import type { ActivityOptions } from '@temporalio/workflow';
import { afterAll, beforeAll, inject, onTestFinished } from 'vitest';
import type { ActivityDependencies } from '../../activities/activity-dependencies.ts';
import { createActivities } from '../../activities/all-activities.ts';
import { adoptionActivities } from '../../activities/booking/adoption.ts';
import type { BookedLeg } from '../../contract/flows/flow-input.ts';
import {
  encodeAnswer,
  type OperationName,
  operationNames,
  operationRow,
  type Response,
  type Role,
  readServiceProfile,
  type ShipmentRecord,
  serviceProfileSettings,
} from '../../contract/index.ts';
import { shipmentRecord as noFields } from '../../contract/operations/shipment-reading.ts';
import type { BookInput } from '../../flows/booking/activities.ts';
import { LockerApi } from '../../shared/locker-api/index.ts';
import {
  failure,
  json,
  type Reply,
  startTestServer,
  type TestServer,
  tokenReply,
} from '../shared/locker-api/test-server.ts';
import { bundleOf } from '../support/bundles.ts';
import { newFileProgress } from '../support/progress.ts';
import { newTaskQueue } from '../support/temporal.ts';
import type { HolderInput, ReceivedMessages, TestedActivities } from './fixtures/workflows.ts';

const workflows = fileURLToPath(new URL('./fixtures/workflows.ts', import.meta.url));

type ActivityName = keyof TestedActivities;
type Input<Name extends ActivityName> = Parameters<TestedActivities[Name]>[0];
type Output<Name extends ActivityName> = Awaited<ReturnType<TestedActivities[Name]>>;

export interface Harness {
  readonly client: Client;
  readonly taskQueue: string;
  start<Name extends ActivityName>(
    name: Name,
    input: Input<Name>,
    options?: ActivityOptions,
    workflowId?: string,
  ): Promise<WorkflowHandle>;
  run<Name extends ActivityName>(
    name: Name,
    input: Input<Name>,
    options?: ActivityOptions,
  ): Promise<Output<Name>>;
  /** A flow that holds these shipments, once it can be found by them. */
  holdsShipments(
    held: HolderInput,
    type?: string,
  ): Promise<{ workflowId: string; heard: () => Promise<ReceivedMessages> }>;
}

/** Waits that are long in life are short here; their order is the same. */
const pace = { settleMs: 100, firstDelayMs: 20, longestDelayMs: 50 };

/** One worker for all tests of a file; each test says what its activities work with. */
export function useActivityWorker() {
  const taskQueue = newTaskQueue();
  const connections: { close(): Promise<void> }[] = [];
  let client: Client;
  let worker: Worker;
  let ended: Promise<void>;
  let activities: TestedActivities;

  beforeAll(async () => {
    const address = inject('temporalAddress');
    const connection = await NativeConnection.connect({ address });
    const clientConnection = await Connection.connect({ address });
    connections.push(connection, clientConnection);
    client = new Client({ connection: clientConnection });
    worker = await Worker.create({
      connection,
      taskQueue,
      workflowBundle: await bundleOf(workflows),
      // As in support/temporal.ts: no thread of its own.
      debugMode: true,
      activities: {
        ...adoptionActivities(),
        ...Object.fromEntries(activityNames.map((name) => [name, (input: never) => activities[name](input)])),
      },
      maxHeartbeatThrottleInterval: '50 ms',
      shutdownForceTime: '10 s',
    });
    ended = worker.run();
  });
  afterAll(async () => {
    worker.shutdown();
    await ended;
    for (const connection of connections) await connection.close();
  });

  return (
    api: LockerApi,
    settings: Record<string, string> = {},
    dependencies: Partial<ActivityDependencies> = {},
  ): Harness => {
    const serviceProfile = readServiceProfile(serviceProfileSettings.parse(settings));
    activities = createActivities({
      api,
      serviceProfile,
      setsReferences: true,
      keepFor: 'P30D',
      lockerRetryMs: 50,
      pace,
      ...dependencies,
    });
    const start: Harness['start'] = (name, input, options, workflowId = randomUUID()) =>
      client.workflow.start('callActivity', {
        taskQueue,
        workflowId,
        args: [
          name,
          input,
          { startToCloseTimeout: '1 minute', retry: { initialInterval: '10 ms' }, ...options },
        ],
      });
    return {
      client,
      taskQueue,
      start,
      run: async (name, input, options) => await (await start(name, input, options)).result(),
      holdsShipments: (held, type) => startHolder(client, taskQueue, held, type),
    };
  };
}

const activityNames = [
  'book',
  'undo',
  'changeReceiver',
  'keepReports',
  'callLockerApi',
  'reconcile',
] as const satisfies ActivityName[];

async function startHolder(client: Client, taskQueue: string, held: HolderInput, type = 'holdShipments') {
  const handle = await client.workflow.start(type, {
    taskQueue,
    workflowId: randomUUID(),
    args: [{ progress: newFileProgress(), ...held }],
  });
  const isListed = async () => {
    const [uid] = held.shipmentUids;
    const query = `LockerShipmentUids = '${uid}'`;
    for await (const { workflowId } of client.workflow.list({ query }))
      if (workflowId === handle.workflowId) return;
    throw new Error('not listed yet');
  };
  await eventually(isListed);
  onTestFinished(() => void handle.terminate().catch(() => {}));
  return { workflowId: handle.workflowId, heard: () => handle.query<ReceivedMessages>('heard') };
}

/** Visibility lags behind what it shows. */
async function eventually(check: () => Promise<void>): Promise<void> {
  for (const until = Date.now() + 20_000; ; ) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > until) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

/** The cause of a failed activity: the failure that flows see. */
export async function activityFailure(promise: Promise<unknown>): Promise<TemporalFailure> {
  const error = await promise.then(
    () => new Error('the activity succeeded'),
    (reason: unknown) => reason,
  );
  if (!(error instanceof WorkflowFailedError)) throw error;
  const failed = error.cause;
  if (!(failed instanceof ActivityFailure) || !failed.cause) throw error;
  return failed.cause as TemporalFailure;
}

export async function applicationFailure(promise: Promise<unknown>): Promise<ApplicationFailure> {
  const failed = await activityFailure(promise);
  if (!(failed instanceof ApplicationFailure)) throw failed;
  return failed;
}

export const succeeded = <Name extends OperationName>(name: Name, response: Response<Name>): Reply =>
  json(200, encodeAnswer(name, response));

export type Replies = Partial<Record<OperationName, Reply>>;

/** Answers each operation as told; the others are unknown to it, as to a service without them. */
export const byOperation =
  (replies: Replies): Reply =>
  (response, request) => {
    const name = operationNames.find((each) => operationRow(each).path === request.path);
    const reply = (name && replies[name]) ?? failure(404, 'UnknownOperation');
    return reply(response, request);
  };

/** One reply after the other; the last one stays. */
export function inTurn(...replies: [Reply, ...Reply[]]): Reply {
  const left = [...replies];
  return (response, request) => {
    const [reply] = left.length > 1 ? left.splice(0, 1) : left;
    return reply?.(response, request);
  };
}

export interface TestApi {
  readonly api: LockerApi;
  readonly service: TestServer;
  /** The requests of one operation, as JSON. */
  sent(
    name: OperationName,
  ): { body: Record<string, unknown>; headers: TestServer['requests'][number]['headers'] }[];
}

export async function startTestApi(replies: Replies, timeoutMs = 5_000): Promise<TestApi> {
  const service = await startTestServer(byOperation(replies));
  const tokenService = await startTestServer(tokenReply());
  const api = new LockerApi({
    apiUrl: service.url,
    authUrl: tokenService.url,
    clientId: 'client',
    clientSecret: 'client-secret-never-shown',
    timeoutMs,
  });
  onTestFinished(async () => {
    await service[Symbol.asyncDispose]();
    await tokenService[Symbol.asyncDispose]();
    await api.close();
  });
  return {
    api,
    service,
    sent: (name) =>
      service.requests
        .filter(({ path }) => path === operationRow(name).path)
        .map(({ body, headers }) => ({ body: JSON.parse(body), headers })),
  };
}

export const reset: Reply = (response) => void response.socket?.resetAndDestroy();

/** As a listing shows a shipment that waits for its item. */
export const shipmentRecord = (fields: Partial<ShipmentRecord>): ShipmentRecord => ({
  ...noFields.parse({}),
  shipmentType: 'LocalPupShipment',
  stateCode: 'ReadyForDropoff',
  stateStart: '2031-05-01T12:00:00',
  fromUserUid: 'main',
  toUserUid: 'user-anna',
  pupUid: 'pup-central',
  lockerName: '7',
  ...fields,
});

/** GetShipments over these records, with the filter by uid. */
export const listing =
  (...records: readonly ShipmentRecord[]): Reply =>
  (response, asked) => {
    const { shipmentUid } = JSON.parse(asked.body);
    const items = records.filter((each) => !shipmentUid || each.shipmentUid === shipmentUid);
    const page = { items, pageNo: 1, pageSize: 500, totalItems: items.length, totalPages: 1 };
    return succeeded('GetShipments', page)(response, asked);
  };

export const issueRequest = {
  pupUid: 'pup-central',
  toUserUid: 'user-anna',
  allowLargerLockers: true,
  allowOverflowLockers: false,
  dimension: { width: 1, height: 2, length: 3 },
};

export const leg = (
  role: Role,
  references: BookedLeg['references'],
  fields: Partial<BookedLeg> = {},
): BookedLeg => ({
  role,
  references,
  isPrior: false,
  follows: null,
  ...fields,
});

/** What the flow Issue books by. */
export const issueInput = (changes: Partial<BookInput> = {}): BookInput => ({
  flow: 'Issue',
  operation: 'CreateLocalShipmentAsIssue',
  input: { request: issueRequest },
  legs: [leg('issue', 'details')],
  deadlines: [],
  takesOver: false,
  idempotencyKey: 'order-1',
  workflowId: 'order-1',
  lockerWaitEndsAt: null,
  unknownSince: null,
  ...changes,
});
