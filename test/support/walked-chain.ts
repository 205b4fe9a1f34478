// One chain, walked in the model and at the running service at the same time. After every call all that can be seen of
// it is compared: the answer, the stored shipments with their users and codes, the events, the locker at the wall.

import { expect } from 'vitest';
import { errors } from '../../contract/errors.ts';
import type { Change } from '../../machines/chain.ts';
import type { Chain, ChainShipment } from '../../machines/chain-shipments.ts';
import { isActive } from '../../machines/chart.ts';
import type { Caller, Reply } from './caller.ts';
import { accounts, callOf, type Place } from './chain-calls.ts';
import { codesInWords, expectedCodes } from './chain-codes-in-words.ts';
import { type Expected, expected, type Move, openShipments, uidAt } from './chain-moves.ts';
import { nameOf } from './chain-paths.ts';
import type { Sandbox } from './sandbox.ts';
import type { TestService } from './service.ts';
import { type StoredShipment, storedEvents, storedShipments } from './stored-shipments.ts';

export interface Tools {
  readonly database: TestService['database'];
  readonly call: Caller;
  readonly sandbox: Sandbox;
}

type Outcome = Omit<Extract<Expected, { applied: true }>['outcome'], 'applied'>;

export class WalkedChain {
  readonly #tools: Tools;
  readonly #place: Place;
  readonly #made: string[] = [];
  /** The service's uid of each of the model's. */
  readonly #uids = new Map<string, string>();
  /** The last codes of each shipment: what somebody may still have in hand when it has ended. */
  readonly #codesSeen = new Map<string, StoredShipment>();
  #chain: Chain = [];
  #stored: StoredShipment[] = [];
  #lastEventId = 0;
  #openings: number;

  /** Its place must be a pick up point's only locker, free, and the door opened so many times by now. */
  constructor(place: Place, tools: Tools, openings = 0) {
    this.#place = place;
    this.#tools = tools;
    this.#openings = openings;
  }

  get openings(): number {
    return this.#openings;
  }

  /** Makes the call; fails where service and model differ, and says the walk so far. */
  async make(move: Move): Promise<void> {
    this.#made.push(nameOf(move));
    const answer = expected(this.#chain, move);
    const target = 'on' in move ? uidAt(this.#chain, move.on) : null;
    const { name, body } = callOf(move, this.#target(target));
    const reply = await this.#tools.call(name, body);
    if (!answer.applied) {
      const { error } = answer;
      this.#same(told(reply), { status: errors[error].status, success: false, error });
      return this.#compare({ chain: this.#chain, changes: [], locker: 'Kept' });
    }
    this.#same(told(reply), { status: 200, success: true, error: null });
    const issued = move.name.includes('IssueFromStock') && target ? [target] : [];
    const booked = answer.outcome.changes.filter(({ from }) => from === null);
    this.#learnUids([...issued, ...booked.map(({ shipmentUid }) => shipmentUid)], reply);
    if (/^(SimulateLockerAccess|UnlockShipmentLocker)/.test(move.name)) this.#openings += 1;
    await this.#compare(answer.outcome);
  }

  /** Ends what is open, and takes out what was left behind. */
  async end(): Promise<void> {
    if (openShipments(this.#chain).length > 0) await this.make({ name: 'CancelShipment', on: 0 });
    await this.#tools.sandbox('POST', 'empty', { lockerUid: this.#place.lockerUid });
  }

  #target(modelUid: string | null) {
    const shipmentUid = modelUid === null ? '' : this.#uidOf(modelUid);
    const { pickUpCode, deliveryCode } = this.#codesSeen.get(shipmentUid) ?? noCodes;
    const unmatched = unmatchedCode(this.#stored);
    return {
      ...this.#place,
      shipmentUid,
      pickUpCode: pickUpCode ?? unmatched,
      deliveryCode: deliveryCode ?? unmatched,
    };
  }

  #uidOf(modelUid: string): string {
    const uid = this.#uids.get(modelUid);
    if (!uid) throw new TypeError(`${modelUid} has no uid at the service, expected it to be booked`);
    return uid;
  }

  #learnUids(modelUids: readonly string[], { body }: Reply): void {
    if (modelUids.length === 0) return;
    const uids = Array.isArray(body.shipmentUids) ? body.shipmentUids.map(String) : [`${body.shipmentUid}`];
    this.#same(uids.length, modelUids.length);
    for (const [index, modelUid] of modelUids.entries()) {
      const known = this.#uids.get(modelUid);
      if (known !== undefined) this.#same(uids[index], known);
      this.#uids.set(modelUid, uids[index] ?? '');
    }
  }

  async #compare(outcome: Outcome): Promise<void> {
    const { database, sandbox } = this.#tools;
    const former = this.#stored;
    this.#chain = outcome.chain;
    const uids = this.#chain.map(({ shipmentUid }) => this.#uidOf(shipmentUid));
    this.#stored = await storedShipments(database, uids);
    for (const stored of this.#stored)
      if (isActive(stored.stateCode)) this.#codesSeen.set(stored.shipmentUid, stored);
    if (outcome.changes.length === 0) this.#same(unmoved(this.#stored), unmoved(former));
    this.#same(this.#seenShipments(former), this.#expectedShipments(former, outcome.changes));
    const events = await storedEvents(database, uids, this.#lastEventId);
    this.#lastEventId = events.at(-1)?.eventId ?? this.#lastEventId;
    this.#same(
      events.map(({ eventId: _, ...event }) => event),
      this.#expectedEvents(outcome.changes),
    );
    this.#same(await lockerSeen(this.#place, sandbox), this.#expectedLocker(outcome));
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
      lockerUid: this.#place.lockerUid,
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

  #expectedEvents(changes: readonly Change[]): object[] {
    const changed = changes.filter(({ stateCodeChanged }) => stateCodeChanged);
    return changed.flatMap(({ shipmentUid, to }) => {
      const index = this.#chain.findIndex((each) => each.shipmentUid === shipmentUid);
      const [shipment, stored] = [this.#chain[index], this.#stored[index]];
      return shipment && stored
        ? [{ ...this.#facts(shipment), stateCode: to, stateStart: stored.stateStart }]
        : [];
    });
  }

  #expectedLocker({ locker }: Outcome): object {
    const open = openShipments(this.#chain);
    const endedState = locker === 'ToBeEmptied' ? 'ToBeEmptied' : 'Free';
    return {
      state: open.length > 0 ? 'Booked' : endedState,
      openings: this.#openings,
      shipments: open.map((each) => ({ ...this.#facts(each), shipmentType: each.shipmentType })),
    };
  }

  #facts({ shipmentUid, stateCode, fromUserUid, toUserUid }: ChainShipment) {
    const account = (user: string | null) => accounts[user as keyof typeof accounts] ?? null;
    return {
      shipmentUid: this.#uidOf(shipmentUid),
      stateCode,
      // A sender that follows nobody is the dispatcher's main account.
      fromUserUid: account(fromUserUid) ?? accounts.dispatcher,
      toUserUid: account(toUserUid),
    };
  }

  #same(seen: unknown, wanted: unknown): void {
    expect(seen, `after\n${this.#made.join('\n')}\n`).toEqual(wanted);
  }
}

const noCodes = { pickUpCode: null, deliveryCode: null };

const told = ({ status, body: { success, error } }: Reply) => ({ status, success, error });

const unmoved = (stored: readonly StoredShipment[]) => stored.map(({ updatedAt: _, ...rest }) => rest);

/** Six digits that are none of the chain's codes; nobody else has codes at its pick up point. */
function unmatchedCode(stored: readonly StoredShipment[]): string {
  const taken = new Set(stored.flatMap(({ pickUpCode, deliveryCode }) => [pickUpCode, deliveryCode]));
  let code = 0;
  while (taken.has(String(code).padStart(6, '0'))) code += 1;
  return String(code).padStart(6, '0');
}

interface WallLocker {
  readonly state: string;
  readonly door: { readonly openings: number };
  readonly shipments: readonly object[];
}

async function lockerSeen({ pupUid }: Place, sandbox: Sandbox): Promise<object | undefined> {
  const { body } = await sandbox('GET', `wall?pupUid=${pupUid}`);
  const [pickUpPoint] = body.pickUpPoints as { lockers: WallLocker[] }[];
  const [locker] = pickUpPoint?.lockers ?? [];
  return locker && { state: locker.state, openings: locker.door.openings, shipments: locker.shipments };
}
