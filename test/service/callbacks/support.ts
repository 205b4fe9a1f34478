// A service whose sender retries quickly and the receiver of its callbacks, shipments that change state, and functions that
// wait for callbacks. Without a sender nothing is sent: tests about senders start their own.
import { type Kysely, sql } from 'kysely';
import { vi } from 'vitest';
import type { OperationName } from '../../../contract/index.ts';
import type {
  CallbackSender,
  CallbackSenderOptions,
} from '../../../service/callbacks/delivery/callback-sender.ts';
import { startCallbackSender } from '../../../service/callbacks/delivery/callback-sender.ts';
import { createLog } from '../../../service/log.ts';
import type { Settings } from '../../../service/settings.ts';
import type { Database } from '../../../service/storage/database.ts';
import { type Caller, callerAs } from '../../support/caller.ts';
import { type ReceivedCallback, startReceiver, type TestReceiver } from '../../support/receiver.ts';
import { createTestService, type TestService } from '../../support/service.ts';
import { useInFile, useInTest } from '../../support/use.ts';

/**
 * Retries quickly. No test needs these exact values. The lease and the poll last longer than every test. Otherwise they could
 * hide that a sender forgot a callback.
 */
const quick: Partial<CallbackSenderOptions> = {
  patience: { firstMs: 20, lastMs: 100 },
  probePatience: { firstMs: 20, lastMs: 100 },
  timeoutMs: 2_000,
  leaseMs: 600_000,
  pollMs: 600_000,
  downAfterMs: 50,
  stopGraceMs: 5_000,
};

export interface CallbackTest extends TestService {
  readonly call: Caller;
  /** Starts one more sender on the same database. */
  sender(changes?: Partial<CallbackSenderOptions>, database?: Kysely<Database>): CallbackSender;
  configure(request: object): Promise<Record<string, unknown>>;
  /** Books a shipment and drops its item off: one callback, ReadyForPickup. */
  shipment(): Promise<string>;
  /** The same for the tenant `other`. */
  shipmentOfOther(): Promise<string>;
  unlock(shipmentUid: string, unlockGoal: 'DropOff' | 'PickUp'): Promise<void>;
  /** Records so many more events of the shipment, each as if its state had just changed. */
  events(shipmentUid: string, count: number): Promise<void>;
}

export async function createCallbackTest(settings: Partial<Settings> = {}): Promise<CallbackTest> {
  const service = await createTestService(settings);
  const call = await callerAs(service.address);
  const senders: CallbackSender[] = [];
  const unlock = async (shipmentUid: string, unlockGoal: 'DropOff' | 'PickUp') =>
    void (await succeed(call, 'UnlockShipmentLocker', { shipmentUid, unlockGoal }));
  return {
    ...service,
    call,
    sender(changes = {}, database = service.database) {
      const { switchBoard } = service;
      const dependencies = { database, switchBoard, log: createLog('error') };
      const sender = startCallbackSender(service.settings, dependencies, { ...quick, ...changes });
      senders.push(sender);
      return sender;
    },
    configure: (request) => succeed(call, 'ConfigureCallback', request),
    unlock,
    async events(shipmentUid, count) {
      for (let recorded = 0; recorded < count; recorded++)
        await sql`
          select record_events(array[shipment_id]) from shipments where shipment_uid = ${shipmentUid}
        `.execute(service.database);
      await sql`select pg_notify('callbacks_due', '')`.execute(service.database);
    },
    shipment: () => droppedOff(call, 'pup-central'),
    shipmentOfOther: async () => droppedOff(await callerAs(service.address, 'other'), 'pup-other'),
    [Symbol.asyncDispose]: async () => {
      await Promise.all(senders.map((sender) => sender.stop()));
      await service[Symbol.asyncDispose]();
    },
  };
}

async function succeed(call: Caller, name: OperationName, request: object) {
  const { body } = await call(name, request);
  if (body.success !== true) throw new Error(`${name} was refused: ${JSON.stringify(body)}`);
  return body;
}

async function droppedOff(call: Caller, pupUid: string): Promise<string> {
  const { shipmentUid } = await succeed(call, 'CreateLocalShipment', {
    fromUserUid: 'user-anna',
    toUserUid: 'user-bram',
    pupUid,
    dimension: { width: 10, height: 10, length: 10 },
    allowLargerLockers: true,
    allowOverflowLockers: true,
  });
  await succeed(call, 'UnlockShipmentLocker', { shipmentUid, unlockGoal: 'DropOff' });
  return String(shipmentUid);
}

/** Waits until no callback of this shipment is pending, or no callback of any shipment. */
export async function untilDelivered({ database }: TestService, shipmentUid?: string): Promise<void> {
  await until(async () => {
    const { rows } = await sql`
      select from shipment_events
      where is_pending and shipment_uid = coalesce(${shipmentUid ?? null}, shipment_uid) limit 1
    `.execute(database);
    return rows.length === 0;
  });
}

/** Waits for a condition. The time limit is so long that only a condition that never comes true reaches it. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  await vi.waitUntil(condition, { timeout: 60_000, interval: 10 });
}

/** The event id in a webhook-id. Event ids ascend in the order of the events. */
export const eventIdOf = ({ id }: ReceivedCallback): number => Number(id.split('_').at(-1));

/** The events of each shipment, in the order in which they first came. */
export function arrivals(callbacks: readonly ReceivedCallback[]): Map<string, number[]> {
  const order = new Map<string, number[]>();
  for (const callback of callbacks) {
    const events = order.get(callback.shipmentUid) ?? [];
    const eventId = eventIdOf(callback);
    if (!events.includes(eventId)) order.set(callback.shipmentUid, [...events, eventId]);
  }
  return order;
}

export const ascending = (numbers: readonly number[]): number[] => [...numbers].sort((a, b) => a - b);

interface ServiceInUse {
  readonly service: CallbackTest;
  /** The receiver of the tenant's callbacks; each test has a new one. */
  readonly receiver: TestReceiver;
}

/** One service with one sender for the whole file. */
export function useServiceWithSender(options: Partial<CallbackSenderOptions> = {}): ServiceInUse {
  const service = useInFile(async () => {
    const made = await createCallbackTest();
    made.sender(options);
    return made;
  });
  return { service, receiver: useReceiver(service) };
}

/** A service for each test, without a sender. */
export function useServiceForEachTest(): ServiceInUse {
  const service = useInTest(() => createCallbackTest());
  return { service, receiver: useReceiver(service) };
}

/** It starts after the service and stops before it, so that no sender waits for answers that never come. */
const useReceiver = (service: CallbackTest): TestReceiver =>
  useInTest(async () => {
    const receiver = await startReceiver();
    await service.configure({ url: receiver.url, authType: 'None', extraFields: false });
    return receiver;
  });
