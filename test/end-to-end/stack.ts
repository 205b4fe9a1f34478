// Everything there is, on one machine, for a file of tests: the locker service with its callbacks, the receiver, a worker
// with the real activities, Temporal. People act by opening lockers. Nothing of it is played.
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { Client } from '@temporalio/client';
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
import type { Progress } from '../../contract/flow-messages.ts';
import type { FlowResult } from '../../contract/flow-result.ts';
import { peerSettings, readPeer } from '../../contract/peer.ts';
import { createCallbackTest } from '../service/callbacks/support.ts';
import { sandboxAs } from '../support/sandbox.ts';
import type { TestService } from '../support/service.ts';
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
  readonly client: Client;
  readonly flows: LockerFlows;
  readonly taskQueue: string;
  /** What the receiver has been told, and what it did with it. */
  readonly received: Received[];
}

/** Its parts are there from the first test of the file on. */
export function useStack(peer: Peer): Stack {
  const stack = { taskQueue: newTaskQueue(), received: [] } as unknown as Stack;
  const closing: (() => Promise<unknown>)[] = [];
  beforeAll(async () => {
    Object.assign(stack, await startStack(peer, stack, closing));
  });
  afterAll(async () => {
    for (const close of closing.reverse()) await close();
  });
  return stack;
}

async function startStack(
  peer: Peer,
  { taskQueue, received }: Pick<Stack, 'taskQueue' | 'received'>,
  closing: (() => Promise<unknown>)[],
): Promise<Omit<Stack, 'taskQueue' | 'received'>> {
  const service = await createCallbackTest();
  closing.push(async () => await service[Symbol.asyncDispose]());
  service.sender();
  if (Object.keys(peer.switches).length > 0)
    await (await sandboxAs(service.address))('POST', 'switches', peer.switches);
  const { address } = service;
  const api = new LockerApi({ apiUrl: address, authUrl: address, ...credentials, timeoutMs: 10_000 });
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
    onReceived: (one) => void received.push(one),
  });
  closing.push(() => receiver.close());
  await api.call('ConfigureCallback', { url: receiver.url, authType: 'HMAC', authKey: CALLBACK_KEY });
  const worker = await runWorker({ taskQueue, workflows, activities: activitiesWith(api, peer) });
  closing.push(() => worker.stop());
  return { api, service, client, flows: new LockerFlows(client, { taskQueue }) };
}

function activitiesWith(api: LockerApi, { settings }: Peer): object {
  const peer = readPeer(peerSettings.parse(settings));
  const means = { api, peer, setsReferences: true, lockerRetryMs: 50, parkFor: 'P30D', pace: usualPace };
  return { ...createActivities(means), ...parkedActivities({ byCase: true }) };
}

/** Everything there is of a flow that another service would ask for. */
export async function startFlow({ flows }: Stack, flow: string, input: object): Promise<Handle> {
  return (await flows.start(flow as 'Issue', `${flow}-${randomUUID()}`, input as never)) as Handle;
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

export const isBooked = ({ activity }: Progress): boolean => activity !== 'Booking';
