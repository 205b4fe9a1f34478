// A service with a sender that is quick to retry, shipments that change state, and waits for what is to come.
import { sql } from 'kysely';
import { vi } from 'vitest';
import type { OperationName } from '../../../contract/index.ts';
import type { CallbackSender, SenderOptions } from '../../../service/callbacks/sender.ts';
import { startCallbackSender } from '../../../service/callbacks/start-sender.ts';
import { createLog } from '../../../service/log.ts';
import { SwitchBoard } from '../../../service/sandbox/switches.ts';
import type { Settings } from '../../../service/settings.ts';
import { type Caller, callerAs } from '../../support/caller.ts';
import { createTestService, type TestService } from '../../support/service.ts';

/** Quick in all that the default takes its time for; no test depends on these being exact. */
const quick: Partial<SenderOptions> = {
  patience: { firstMs: 20, lastMs: 100 },
  probePatience: { firstMs: 20, lastMs: 100 },
  timeoutMs: 500,
  leaseMs: 1_500,
  downAfterMs: 50,
  stopGraceMs: 5_000,
};

export interface CallbackTest extends TestService {
  readonly call: Caller;
  /** Starts one more sender over the same database. */
  sender(changes?: Partial<SenderOptions>): CallbackSender;
  configure(request: object): Promise<Record<string, unknown>>;
  /** Books a shipment and drops its item off: one callback, ReadyForPickup. */
  shipment(): Promise<string>;
  unlock(shipmentUid: string, unlockGoal: 'DropOff' | 'PickUp'): Promise<void>;
}

export async function createCallbackTest(settings: Partial<Settings> = {}): Promise<CallbackTest> {
  const service = await createTestService(settings);
  const call = await callerAs(service.address);
  const senders: CallbackSender[] = [];
  const succeed = async (name: OperationName, request: object) => {
    const { body } = await call(name, request);
    if (body.success !== true) throw new Error(`${name} was refused: ${JSON.stringify(body)}`);
    return body;
  };
  const unlock = async (shipmentUid: string, unlockGoal: 'DropOff' | 'PickUp') =>
    void (await succeed('UnlockShipmentLocker', { shipmentUid, unlockGoal }));
  return {
    ...service,
    call,
    sender(changes = {}) {
      const { database } = service;
      const switchBoard = new SwitchBoard(database, 'staging');
      const dependencies = { database, switchBoard, log: createLog('fatal') };
      const sender = startCallbackSender(service.settings, dependencies, { ...quick, ...changes });
      senders.push(sender);
      return sender;
    },
    configure: (request) => succeed('ConfigureCallback', request),
    unlock,
    async shipment() {
      const { shipmentUid } = await succeed('CreateLocalShipment', {
        fromUserUid: 'user-anna',
        toUserUid: 'user-bram',
        pupUid: 'pup-central',
        dimension: { width: 10, height: 10, length: 10 },
        allowLargerLockers: true,
        allowOverflowLockers: true,
      });
      await unlock(String(shipmentUid), 'DropOff');
      return String(shipmentUid);
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all(senders.map((sender) => sender.stop()));
      await service[Symbol.asyncDispose]();
    },
  };
}

/** Until nothing is pending any more. */
export async function untilDelivered({ database }: TestService): Promise<void> {
  await vi.waitUntil(
    async () => {
      const { rows } = await sql`select from shipment_events where is_pending limit 1`.execute(database);
      return rows.length === 0;
    },
    { timeout: 20_000, interval: 20 },
  );
}
