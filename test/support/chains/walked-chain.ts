// One chain, walked in the model and at the running service at the same time. After every call all that can be seen of
// it is compared: the answer, the stored shipments with their users and codes, the events, the locker at the wall.

import { expect } from 'vitest';
import type { Change } from '../../../contract/machines/chain.ts';
import { hasDeliveryCode, hasPickUpCode } from '../../../contract/machines/chain-codes.ts';
import type { Chain, ChainShipment } from '../../../contract/machines/chain-shipments.ts';
import { isActive } from '../../../contract/machines/chart.ts';
import { type ErrorCode, errors } from '../../../contract/wire/errors.ts';
import type { Caller, Reply } from '../caller.ts';
import type { TestService } from '../service.ts';
import { accounts, type Booking, beginningCall, type Call, moveCall } from './chain-calls.ts';
import { type Expected, expected, isOpening, type Move, openShipments, uidAt, users } from './chain-moves.ts';
import { nameOf } from './chain-paths.ts';
import {
  type ShipmentObject,
  type StoredShipment,
  storedEvents,
  storedObjects,
  storedShipments,
} from './stored-shipments.ts';
import { lockerSeen, type SeenLocker } from './wall-seen.ts';

export interface Tools {
  readonly database: TestService['database'];
  readonly call: Caller;
  /** The caller's main account. */
  readonly dispatcherUserUid: string;
}

type Outcome = Omit<Extract<Expected, { applied: true }>['outcome'], 'applied'>;

export class WalkedChain {
  readonly #tools: Tools;
  readonly #booking: Booking;
  readonly #made: string[] = [];
  /** The service's uid of each of the model's. */
  readonly #uids = new Map<string, string>();
  /** The last codes of each shipment: what somebody may still have in hand when it has ended. */
  readonly #codesSeen = new Map<string, StoredShipment>();
  readonly #objects = new Map<string, readonly ShipmentObject[]>();
  #chain: Chain = [];
  #stored: StoredShipment[] = [];
  #lastEventId = 0;
  /** Of its locker's door, as far as known. */
  #openings: number | undefined;

  constructor(booking: Booking, tools: Tools) {
    this.#booking = booking;
    this.#tools = tools;
  }

  get chain(): Chain {
    return this.#chain;
  }

  /** Makes the call; fails where service and model differ, and says the walk so far. Gives what became of the chain. */
  async make(move: Move): Promise<Outcome> {
    this.#made.push(nameOf(move));
    const answer = expected(this.#chain, move);
    const { name, body } = this.#callOf(move);
    const reply = await this.#tools.call(name, body);
    this.#same(told(reply), wanted(answer.applied ? undefined : answer.error));
    if (!answer.applied) return this.#compare({ chain: this.#chain, changes: [], locker: 'Kept' });
    this.#learnUids(move, answer.outcome.changes, reply);
    if ('on' in move && move.name.startsWith('AddShipmentObject'))
      this.#addObject(this.#uidOf(uidAt(this.#chain, move.on)), reply);
    if (this.#openings !== undefined && isOpening(move)) this.#openings += 1;
    return this.#compare(answer.outcome);
  }

  #same(seen: unknown, wanted: unknown): void {
    expect(seen, `after\n${this.#made.join('\n')}\n`).toEqual(wanted);
  }

  #callOf(move: Move): Call {
    if (!('on' in move)) return beginningCall(move.name, this.#booking);
    const shipmentUid = this.#uidOf(uidAt(this.#chain, move.on));
    const { pickUpCode, deliveryCode } = this.#codesSeen.get(shipmentUid) ?? noCodes;
    const { pupUid = '', lockerName = '' } = this.#stored[0] ?? {};
    return moveCall(move.name, {
      shipmentUid,
      pupUid,
      lockerName,
      booking: this.#booking,
      pickUpCode: pickUpCode ?? unmatchedCode(this.#stored),
      deliveryCode: deliveryCode ?? unmatchedCode(this.#stored),
    });
  }

  #uidOf(modelUid: string): string {
    const uid = this.#uids.get(modelUid);
    if (!uid) throw new TypeError(`${modelUid} has no uid at the service, expected it to be booked`);
    return uid;
  }

  #learnUids(move: Move, changes: readonly Change[], { body }: Reply): void {
    const issued = move.name.includes('IssueFromStock') && 'on' in move ? [uidAt(this.#chain, move.on)] : [];
    const booked = changes.filter(({ from }) => from === null).map(({ shipmentUid }) => shipmentUid);
    const modelUids = [...issued, ...booked];
    if (modelUids.length === 0) return;
    const uids = Array.isArray(body.shipmentUids) ? body.shipmentUids.map(String) : [`${body.shipmentUid}`];
    this.#same(uids.length, modelUids.length);
    for (const [index, modelUid] of modelUids.entries()) {
      const known = this.#uids.get(modelUid);
      if (known !== undefined) this.#same(uids[index], known);
      this.#uids.set(modelUid, uids[index] ?? '');
    }
  }

  /** With the uid that the answer gives it. */
  #addObject(shipmentUid: string, { body }: Reply): void {
    const added = { ...noFields, shipmentObjectUid: String(body.shipmentObjectUid) };
    this.#objects.set(shipmentUid, [...(this.#objects.get(shipmentUid) ?? []), added]);
  }

  async #compare(outcome: Outcome): Promise<Outcome> {
    const { database } = this.#tools;
    const former = this.#stored;
    this.#chain = outcome.chain;
    const uids = this.#chain.map(({ shipmentUid }) => this.#uidOf(shipmentUid));
    this.#stored = await storedShipments(database, uids);
    for (const stored of this.#stored)
      if (isActive(stored.stateCode)) this.#codesSeen.set(stored.shipmentUid, stored);
    if (outcome.changes.length === 0) this.#same(unmoved(this.#stored), unmoved(former));
    this.#same(this.#seenShipments(former), this.#expectedShipments(former, outcome.changes));
    this.#same(
      await storedObjects(database, uids),
      uids.map((shipmentUid) => ({ shipmentUid, objects: this.#objects.get(shipmentUid) ?? [] })),
    );
    const events = await storedEvents(database, uids, this.#lastEventId);
    this.#lastEventId = events.at(-1)?.eventId ?? this.#lastEventId;
    const told = events.map(({ eventId: _, ...event }) => event);
    this.#same(told, this.#expectedEvents(outcome.changes));
    const [first] = this.#stored;
    if (!first) return outcome;
    const locker = await lockerSeen(database, first);
    this.#openings ??= locker?.openings;
    this.#same(locker && lockerFacts(locker), this.#expectedLocker());
    return outcome;
  }

  #seenShipments(former: readonly StoredShipment[]): object[] {
    return this.#stored.map(({ updatedAt: _, stateStart: __, ...stored }, index) => {
      const predecessor = this.#stored.find(({ shipmentUid }) => shipmentUid === stored.predecessorUid);
      return { ...stored, ...codesInWords(stored, former[index], predecessor) };
    });
  }

  #expectedShipments(former: readonly StoredShipment[], changes: readonly Change[]): object[] {
    return this.#chain.map((shipment, index) => ({
      ...this.#facts(shipment),
      ...noDetails,
      ...this.#place(former),
      predecessorUid: shipment.predecessor && this.#uidOf(shipment.predecessor.shipmentUid),
      link: shipment.predecessor?.link ?? null,
      ...expectedCodes(
        this.#chain,
        shipment,
        changes.find(({ shipmentUid }) => shipmentUid === shipment.shipmentUid),
        former[index],
      ),
    }));
  }

  /** A chain stays in the locker of its booking; which that was is for the booking's own test to judge. */
  #place([first = this.#stored[0]]: readonly StoredShipment[]) {
    return { pupUid: first?.pupUid, lockerUid: first?.lockerUid, lockerName: first?.lockerName };
  }

  #expectedEvents(changes: readonly Change[]): object[] {
    const changed = changes.filter(({ stateCodeChanged }) => stateCodeChanged);
    return changed.flatMap(({ shipmentUid, to }) => {
      const index = this.#chain.findIndex((each) => each.shipmentUid === shipmentUid);
      const [shipment, stored] = [this.#chain[index], this.#stored[index]];
      if (!shipment || !stored) return [];
      return [{ ...this.#facts(shipment), ...noDetails, stateCode: to, stateStart: stored.stateStart }];
    });
  }

  #expectedLocker(): ReturnType<typeof lockerFacts> {
    const open = openShipments(this.#chain);
    return {
      isBooked: open.length > 0,
      isToBeEmptied: this.#chain.some((shipment) => shipment.isItemLeft),
      openings: this.#openings ?? 0,
      shipments: open.map((each) => ({ ...this.#facts(each), shipmentType: each.shipmentType })),
    };
  }

  #facts({ shipmentUid, stateCode, fromUserUid, toUserUid }: ChainShipment) {
    const { dispatcherUserUid } = this.#tools;
    const known: Readonly<Record<string, string>> = { ...accounts, [users.dispatcher]: dispatcherUserUid };
    const account = (user: string | null) => (user === null ? null : (known[user] ?? null));
    return {
      shipmentUid: this.#uidOf(shipmentUid),
      stateCode,
      // A sender that follows nobody is the dispatcher's main account.
      fromUserUid: account(fromUserUid) ?? dispatcherUserUid,
      toUserUid: account(toUserUid),
    };
  }
}

const noCodes = { pickUpCode: null, deliveryCode: null };
const noDetails = { referenceNo: null, referenceCaseNo: null, description: null };
const noFields = { referenceNo: null, description: null, weight: null, count: null, dimension: null };

const wanted = (error?: ErrorCode) =>
  error === undefined
    ? { status: 200, success: true, error: null }
    : { status: errors[error].status, success: false, error };

const told = ({ status, body: { success, error } }: Reply) => ({ status, success, error });

/** Whether it is out of order is not the chain's business. */
const lockerFacts = ({ state, toBeEmptied, openings, shipments }: SeenLocker) => ({
  isBooked: state === 'Booked',
  isToBeEmptied: toBeEmptied,
  openings,
  shipments,
});

const unmoved = (stored: readonly StoredShipment[]) => stored.map(({ updatedAt: _, ...rest }) => rest);

/** Six digits that are none of the chain's codes. */
function unmatchedCode(stored: readonly StoredShipment[]): string {
  const taken = new Set(stored.flatMap(({ pickUpCode, deliveryCode }) => [pickUpCode, deliveryCode]));
  let code = 0;
  while (taken.has(String(code).padStart(6, '0'))) code += 1;
  return String(code).padStart(6, '0');
}

// Access codes are drawn, so what they should be is said in words: none, as before, new, or the predecessor's.
interface Codes {
  readonly pickUpCode: string | null;
  readonly deliveryCode: string | null;
}

/** A code as it was before stands for itself; else it is 'new' or, where it is the predecessor's, 'shared'. */
function codesInWords(now: Codes, former: Codes | undefined, predecessor: Codes | undefined): Codes {
  const { pickUpCode, deliveryCode } = now;
  const isShared = deliveryCode !== null && deliveryCode === predecessor?.pickUpCode;
  return {
    pickUpCode: pickUpCode === null || pickUpCode === former?.pickUpCode ? pickUpCode : 'new',
    deliveryCode:
      deliveryCode === null || deliveryCode === former?.deliveryCode
        ? deliveryCode
        : (isShared && 'shared') || 'new',
  };
}

/** What the rules say of a shipment's codes after a change of the chain, in the same words. */
function expectedCodes(
  chain: Chain,
  shipment: ChainShipment,
  change: Change | undefined,
  former: Codes | undefined,
): Codes {
  const isOpen = isActive(shipment.stateCode);
  return {
    pickUpCode:
      isOpen && hasPickUpCode(chain, shipment) ? (change?.pickUpCode ?? former?.pickUpCode ?? null) : null,
    deliveryCode:
      isOpen && hasDeliveryCode(shipment) ? (change?.deliveryCode ?? former?.deliveryCode ?? null) : null,
  };
}
