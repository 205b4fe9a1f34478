// Everything there is, on one machine, for a file of tests: the locker service with its callbacks, the receiver, a worker
// with the real activities, Temporal. People act by opening lockers. Nothing of it is played.
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, vi } from 'vitest';
import { LockerApi } from '../../activities/api/index.ts';
import { createActivities } from '../../activities/create-activities.ts';
import { parkedActivities } from '../../activities/parked-activities.ts';
import { usualPace } from '../../activities/unknown-outcome.ts';
import type { FlowHandle } from '../../client/flow-handle.ts';
import { LockerFlows } from '../../client/locker-flows.ts';
import type { Received } from '../../client/receiver/receive-callback.ts';
import { startReceiver } from '../../client/receiver/server.ts';
import { readReceiverSettings } from '../../client/receiver/settings.ts';
import type { Role } from '../../contract/flow-input.ts';
import type { Progress } from '../../contract/flow-messages.ts';
import type { FlowResult } from '../../contract/flow-result.ts';
import { peerSettings, readPeer } from '../../contract/peer.ts';
import { declarations } from '../../workflows/declarations.ts';
import { legOf, rolesOf } from '../../workflows/shipments/declaration.ts';
import { createCallbackTest } from '../service/callbacks/support.ts';
import { type Sandbox, sandboxAs } from '../support/sandbox.ts';
import type { TestService } from '../support/service.ts';
import { type StoredShipment, storedShipments } from '../support/stored-shipments.ts';
import { connectClient, newTaskQueue, runWorker } from '../support/temporal.ts';

const workflows = fileURLToPath(new URL('../../workflows/index.ts', import.meta.url));
const CALLBACK_KEY = 'whsec_dGhlIGtleSBvZiB0aGUgZW5kIHRvIGVuZCB0ZXN0cw==';
const credentials = { clientId: 'demo', clientSecret: 'demo-secret' };

/** What the service is switched to, and what worker and receiver are told of it. */
export interface Peer {
  readonly name: string;
  readonly switches: Readonly<Record<string, unknown>>;
  readonly settings: Readonly<Record<string, string>>;
}

export const ours: Peer = {
  name: 'our own service',
  switches: {},
  settings: { LOCKER_CAPABILITIES: 'getShipments,idempotencyKey,accessCodes' },
};

/** Exactly the interface, its liberties used (decisions §8). */
export const bareVendor: Peer = {
  name: 'a bare vendor',
  switches: { bareVendor: true, renamedStates: { ReadyForPickup: 'AVAILABLE', Completed: 'COLLECTED' } },
  settings: {
    LOCKER_CAPABILITIES: '',
    LOCKER_STATE_MAP: 'AVAILABLE=ReadyForPickup,COLLECTED=Completed',
    LOCKER_CALLBACK_STRICT: 'false',
  },
};

export type Handle = FlowHandle<FlowResult>;

export interface Stack {
  readonly api: LockerApi;
  readonly service: TestService;
  readonly sandbox: Sandbox;
  readonly flows: LockerFlows;
  readonly received: Received[];
  start(flow: string, input: object): Promise<Handle>;
  /** Someone opens the locker of the shipment. */
  opens(shipmentUid: string, unlockGoal: 'DropOff' | 'PickUp'): Promise<void>;
  /** The flow's shipments by their true roles, as they lie in the service's database. */
  stored(handle: Handle): Promise<ReadonlyMap<Role, StoredShipment>>;
}

export function useStack(peer: Peer): Stack {
  const taskQueue = newTaskQueue();
  const stack: Partial<Stack> & { received: Received[] } = { received: [] };
  const closing: (() => Promise<void>)[] = [];
  const settings = readPeer(peerSettings.parse(peer.settings));

  beforeAll(async () => {
    const service = await createCallbackTest();
    closing.push(async () => await service[Symbol.asyncDispose]());
    service.sender();
    const api = new LockerApi({
      apiUrl: service.address,
      authUrl: service.address,
      ...credentials,
      timeoutMs: 10_000,
    });
    closing.push(() => api.close());
    const { client, close } = await connectClient();
    closing.push(close);
    const receiver = await startReceiver(client, {
      ...readReceiverSettings({
        CALLBACK_PORT: '0',
        LOCKER_CALLBACK_KEY: CALLBACK_KEY,
        LOCKERFLOW_TASK_QUEUE: taskQueue,
        ...peer.settings,
      }),
      onReceived: (received) => void stack.received.push(received),
    });
    closing.push(() => receiver.close());
    await api.call('ConfigureCallback', { url: receiver.url, authType: 'HMAC', authKey: CALLBACK_KEY });
    const sandbox = await sandboxAs(service.address);
    if (Object.keys(peer.switches).length > 0) await sandbox('POST', 'switches', peer.switches);
    const means = {
      api,
      peer: settings,
      setsReferences: true,
      lockerRetryMs: 50,
      parkFor: 'P30D',
      pace: usualPace,
    };
    const worker = await runWorker({
      taskQueue,
      workflows,
      activities: { ...createActivities(means), ...parkedActivities({ byCase: true }) },
    });
    closing.push(() => worker.stop());
    Object.assign(stack, {
      api,
      service,
      sandbox,
      flows: new LockerFlows(client, { taskQueue }),
      ...people(api, service),
    });
  });
  afterAll(async () => {
    for (const close of closing.reverse()) await close();
  });
  stack.start = (flow, input) =>
    (stack as Stack).flows.start(flow as never, `${flow}-${randomUUID()}`, input as never) as Promise<Handle>;
  return stack as Stack;
}

function people(api: LockerApi, { database }: TestService): Pick<Stack, 'opens' | 'stored'> {
  return {
    opens: async (shipmentUid, unlockGoal) => {
      await api.call('UnlockShipmentLocker', { shipmentUid, unlockGoal });
    },
    stored: (handle) => storedOf(handle, database),
  };
}

export async function untilProgress(
  handle: Handle,
  holds: (progress: Progress) => boolean,
): Promise<Progress> {
  return await vi.waitUntil(
    async () => {
      const progress = await handle.progress().catch(() => undefined);
      return progress && holds(progress) ? progress : false;
    },
    { timeout: 25_000, interval: 40 },
  );
}

/** By the links that the service keeps: which leg a shipment is nobody else tells for certain. */
async function storedOf(
  handle: Handle,
  database: TestService['database'],
): Promise<ReadonlyMap<Role, StoredShipment>> {
  const progress = await handle.progress();
  const declared = declarations.find(({ name }) => name === progress.flow);
  if (!declared) throw new TypeError(`${progress.flow} is not declared by legs`);
  const uids = shipmentsOf(progress).map(({ shipmentUid }) => shipmentUid);
  const stored = await storedShipments(database, uids);
  const roles = new Map<Role, StoredShipment>();
  for (const role of rolesOf(declared)) {
    const { follows } = legOf(declared, role);
    const predecessor = follows && roles.get(follows.role)?.shipmentUid;
    const found = stored.find(({ predecessorUid }) =>
      predecessor ? predecessorUid === predecessor : !uids.includes(predecessorUid ?? ''),
    );
    if (found) roles.set(role, found);
  }
  return roles;
}

/** Every shipment of the flow, whichever leg it is. */
export function shipmentsOf({ shipments, unassigned }: Pick<Progress, 'shipments' | 'unassigned'>) {
  return [...Object.values(shipments), ...unassigned];
}
