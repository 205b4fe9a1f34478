// What the flows run on, each part a process of its own: Postgres with Temporal's production server by its roles on it, the
// service, the receiver and one worker, as `npm run cluster` has them with one of each of ours. And flows as they run for
// real, with the people at the lockers: a booking, callbacks, doors, the end.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { LockerFlows } from '../../../client/locker-flows.ts';
import { TASK_QUEUE } from '../../../contract/flows/flow-types.ts';
import { cacheFolder } from '../../../shared/terminal/user-cache.ts';
import { nodeOptions } from '../../../worker/node-options.ts';
import { workflowBundle } from '../../workflow-bundle.ts';
import { newDatabase, type Program, type Service, startOurs, startService } from '../programs.ts';
import { type ProductionServer, startProductionServer } from '../temporal-servers.ts';

const KEY = 'whsec_dGhlIGtleSBvZiB0aGUgYmVuY2htYXJrISEhISEhISE=';

export interface Installation extends AsyncDisposable {
  readonly server: ProductionServer;
  readonly service: Service;
  /** The address of the service's database. */
  readonly serviceUrl: string;
  readonly receiver: Program;
  readonly worker: Program;
  readonly flows: LockerFlows;
  /** What to call when the worker's log says that a flow is booked, by its workflow id. */
  readonly onceBooked: Map<string, () => void>;
}

export async function startInstallation(home: string): Promise<Installation> {
  await using stack = new AsyncDisposableStack();
  const server = stack.use(await startProductionServer(home));
  const serviceUrl = await newDatabase(server.urlOf('temporal'));
  const service = stack.use(await startService(serviceUrl, home));
  const ofBoth = { TEMPORAL_ADDRESS: server.address, LOCKERFLOW_TASK_QUEUE: TASK_QUEUE };
  const ofReceiver = { ...ofBoth, CALLBACK_PORT: '0', LOCKER_CALLBACK_KEY: KEY };
  const receiver = stack.use(
    await startOurs('receiver', 'client/receiver/main.ts', { variables: ofReceiver }),
  );
  await service.call('ConfigureCallback', { url: receiver.up.url, authType: 'HMAC', authKey: KEY });
  const ofWorker = {
    ...ofBoth,
    LOCKER_API_URL: service.address,
    LOCKER_AUTH_URL: service.address,
    LOCKER_CLIENT_ID: 'demo',
    LOCKER_CLIENT_SECRET: 'demo-secret',
    LOCKER_CAPABILITIES: 'getShipments,idempotencyKey,accessCodes,accessMessages',
    WORKER_PORT: '0',
    WORKER_WORKFLOW_BUNDLE: await workflowBundle(join(cacheFolder(process.env), 'cluster')),
    // Its listing each minute belongs to the installation, not to a flow.
    LOCKER_RECONCILE_SECONDS: '0',
  };
  const worker = stack.use(await startOurs('worker', 'worker/main.ts', { variables: ofWorker, nodeOptions }));
  const onceBooked = new Map<string, () => void>();
  if (worker.child.stdout)
    createInterface({ input: worker.child.stdout }).on('line', (line) => {
      if (line.includes('"msg":"booked"')) onceBooked.get(String(JSON.parse(line).caseNumber))?.();
    });
  const owned = stack.move();
  return {
    server,
    service,
    serviceUrl,
    receiver,
    worker,
    onceBooked,
    flows: new LockerFlows(server.client, { taskQueue: TASK_QUEUE }),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

const dimension = { width: 10, height: 10, length: 10 };
const ofAnyLocker = { dimension, allowLargerLockers: true, allowOverflowLockers: true };
/** One shipment: somebody brings it, somebody gets it. */
export const ISSUE = 'Issue';
/** Three shipments: a device goes from stock to a user, comes back, and is stock again. */
export const LOAN = 'IssueFromStockAndSubsequentIntakeAndCircularStock';

/**
 * A flow that is booked. The worker's log says so: to ask the flow for it all the time would cost the worker as much as the
 * flow.
 */
async function begun<Type extends typeof ISSUE | typeof LOAN>(
  { flows, onceBooked }: Installation,
  type: Type,
  request: Parameters<typeof flows.start<Type>>[2]['request'],
) {
  const workflowId = `bench ${randomUUID()}`;
  const booked = new Promise<void>((resolve) => onceBooked.set(workflowId, resolve));
  const flow = await flows.start(type, workflowId, { request } as Parameters<typeof flows.start<Type>>[2]);
  await booked;
  onceBooked.delete(workflowId);
  return flow;
}

/** The worker's log is a little ahead of the flow. */
async function known(ask: () => Promise<string | undefined>): Promise<string> {
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    await delay(10);
  }
}

/** A flow that waits for the item. */
async function openIssue(installation: Installation, pupUid: string) {
  const flow = await begun(installation, ISSUE, { pupUid, toUserUid: 'user-anna', ...ofAnyLocker });
  const shipmentUid = await known(async () => (await flow.progress()).shipments.issue?.shipmentUid);
  return { flow, shipmentUid };
}

const unlock = ({ service }: Installation, shipmentUid: string, unlockGoal: 'DropOff' | 'PickUp') =>
  service.call('UnlockShipmentLocker', { shipmentUid, unlockGoal });

/** Gives the workflow id. */
export async function playIssue(installation: Installation, pupUid: string): Promise<string> {
  const { flow, shipmentUid } = await openIssue(installation, pupUid);
  await unlock(installation, shipmentUid, 'DropOff');
  await unlock(installation, shipmentUid, 'PickUp');
  await flow.result();
  return flow.workflowId;
}

/** A device in a locker, as stock; gives its shipment. */
export async function stocked(installation: Installation, pupUid: string): Promise<string> {
  const made = await installation.service.call('CreateLocalShipmentAsStock', { pupUid, ...ofAnyLocker });
  const shipmentUid = String((made.shipmentUids as string[])[0]);
  await unlock(installation, shipmentUid, 'DropOff');
  return shipmentUid;
}

/** Gives the workflow id, and the stock that the device is afterwards. */
export async function playLoan(installation: Installation, priorShipmentUid: string) {
  const flow = await begun(installation, LOAN, { priorShipmentUid, toUserUid: 'user-anna' });
  const intakeUid = await known(async () => (await flow.progress()).shipments.intake?.shipmentUid);
  await unlock(installation, priorShipmentUid, 'PickUp');
  await unlock(installation, intakeUid, 'DropOff');
  const { shipments } = await flow.result();
  return { workflowId: flow.workflowId, stockUid: String(shipments.circularStock?.shipmentUid) };
}
