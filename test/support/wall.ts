// A tenant at work over real HTTP: books, opens lockers, and looks at what became of it. Every call here expects
// success, but for `refused`, which expects a failure and gives its code, status and message.
import { expect } from 'vitest';
import {
  type ErrorCode,
  errors,
  type OperationName,
  type Request,
  type ShipmentRecord,
} from '../../contract/index.ts';
import { examples } from '../../contract/operations/examples.ts';
import { type Caller, callerAs } from './caller.ts';
import { type Sandbox, sandboxAs } from './sandbox.ts';

type Body = Readonly<Record<string, unknown>>;

export interface WallLocker {
  readonly lockerUid: string;
  readonly lockerName: string;
  readonly size: string;
  readonly state: 'Free' | 'Booked' | 'ToBeEmptied' | 'OutOfOrder';
  readonly toBeEmptied: boolean;
  readonly lastAccess: object | null;
  readonly shipments: readonly { readonly shipmentUid: string }[];
}

export class Wall {
  readonly call: Caller;
  readonly sandbox: Sandbox;

  constructor(call: Caller, sandbox: Sandbox) {
    this.call = call;
    this.sandbox = sandbox;
  }

  async ok(name: OperationName, body: Body): Promise<Body> {
    const { body: answer } = await this.call(name, body);
    expect(answer, name).toMatchObject({ success: true, error: null, message: null });
    return answer;
  }

  async refused(name: OperationName, body: Body) {
    const { status, body: answer } = await this.call(name, body);
    expect(answer, name).toMatchObject({ success: false });
    return { status, error: String(answer.error), message: String(answer.message) };
  }

  /** Expects the refusal with this code on its status, and with these words in its message. */
  async refuses(name: OperationName, body: Body, error: ErrorCode, words = ''): Promise<void> {
    const { status } = errors[error];
    const message = expect.stringContaining(words);
    expect(await this.refused(name, body), name).toEqual({ status, error, message });
  }

  /** The example's request with these changes; gives the uids in the order of the answer. */
  async book<Name extends OperationName>(
    name: Name,
    changes: Partial<Request<Name>> = {},
  ): Promise<[string, string, string]> {
    const answer = await this.ok(name, { ...examples[name].request, ...changes });
    const uids = (answer.shipmentUids ?? [answer.shipmentUid]) as string[];
    const [first = '', second = '', third = ''] = uids;
    return [first, second, third];
  }

  drop = (shipmentUid: string) => this.ok('UnlockShipmentLocker', { shipmentUid, unlockGoal: 'DropOff' });
  pick = (shipmentUid: string) => this.ok('UnlockShipmentLocker', { shipmentUid, unlockGoal: 'PickUp' });
  cancel = (shipmentUid: string) => this.ok('CancelShipment', { shipmentUid });

  /** Booked, filled and cancelled: the item is still in the locker. */
  async leaveBehind(
    name: 'CreateLocalShipmentAsIssue' | 'CreateLocalShipmentAsStock' = 'CreateLocalShipmentAsIssue',
    changes: Partial<Pick<Request<'CreateLocalShipmentAsIssue'>, 'lockerUid' | 'dimension'>> = {},
  ): Promise<{ shipmentUid: string; lockerUid: string }> {
    const [shipmentUid] = await this.book(name, changes);
    await this.drop(shipmentUid);
    await this.cancel(shipmentUid);
    const { lockerUid } = await this.ok('GetShipment', { shipmentUid });
    return { shipmentUid, lockerUid: String(lockerUid) };
  }

  async shipment(shipmentUid: string): Promise<ShipmentRecord> {
    const { items } = await this.ok('GetShipments', { pageNo: 1, pageSize: 1, shipmentUid });
    const [record] = items as ShipmentRecord[];
    if (!record) throw new Error(`There is no shipment ${shipmentUid}`);
    return record;
  }

  /** The state codes, in the order of the uids. */
  async states(...shipmentUids: readonly string[]): Promise<(string | null)[]> {
    const records = await Promise.all(shipmentUids.map((uid) => this.shipment(uid)));
    return records.map(({ stateCode }) => stateCode);
  }

  async codes(shipmentUid: string): Promise<{ pickUpCode: string | null; deliveryCode: string | null }> {
    const { pickUpCode, deliveryCode } = await this.ok('GetShipmentAccessCode', { shipmentUid });
    return { pickUpCode: pickUpCode as string | null, deliveryCode: deliveryCode as string | null };
  }

  /** A code typed at the shipment's locker. */
  async type(shipmentUid: string, pinCode: string | null) {
    const { pupUid, lockerName } = await this.shipment(shipmentUid);
    return (await this.call('SimulateLockerAccess', { pupUid, lockerName, pinCode })).body;
  }

  async lockers(pupUid = 'pup-central'): Promise<WallLocker[]> {
    const { items } = await this.ok('GetLockers', { pageNo: 1, pageSize: 500, pupUid });
    return items as WallLocker[];
  }

  async lockerOf(shipmentUid: string): Promise<WallLocker | undefined> {
    const all = [...(await this.lockers()), ...(await this.lockers('pup-station'))];
    return all.find(({ shipments }) => shipments.some((each) => each.shipmentUid === shipmentUid));
  }
}

export const wallOf = async (address: string, clientId = 'demo') =>
  new Wall(await callerAs(address, clientId), await sandboxAs(address, clientId));
