// Several tenants with their pick up points, all chains in them, and what lies in each locker: the model of random
// commands, which knows what the service must say to each, and where the items are.

import { expect } from 'vitest';
import { type Chain, hasItemInside } from '../../machines/chain-shipments.ts';
import type { Caller } from '../support/caller.ts';
import type { Booking } from '../support/chains/chain-calls.ts';
import {
  afterMove,
  type Beginning,
  beginnings,
  isOpening,
  type Move,
  openShipments,
} from '../support/chains/chain-moves.ts';
import { chosenMove } from '../support/chains/chosen-move.ts';
import { shipmentOperationNames, tryForeign } from '../support/chains/foreign-calls.ts';
import { type Locker, lockerChoice } from '../support/chains/locker-choice.ts';
import { wrongInDatabase } from '../support/chains/stored-invariants.ts';
import { type Tools, WalkedChain } from '../support/chains/walked-chain.ts';
import { lockersSeen } from '../support/chains/wall-seen.ts';
import type { NewLocker, Size } from '../support/new-pick-up-point.ts';
import type { Command } from './random-command.ts';

export interface WorldTenant {
  readonly tools: Tools;
  readonly pickUpPoints: readonly {
    readonly pupUid: string;
    readonly overflow: readonly string[];
    readonly lockers: readonly NewLocker[];
  }[];
}

interface WorldLocker {
  readonly lockerUid: string;
  readonly pupUid: string;
  readonly size: Size;
  readonly tenant: WorldTenant;
  outOfOrder: boolean;
  toBeEmptied: boolean;
  fault: 'stuck' | 'offline' | null;
  holder: WalkedChain | null;
  /** What a person at the wall would find in it. */
  isItemInside: boolean;
  /** The shipment that left an item in it last; the item is still there while the locker is to be emptied. */
  leaver: string | null;
}

// Chains may grow without end; longer ones than this say nothing new.
const MOST_OPEN_SHIPMENTS = 6;
const beginningNames = Object.keys(beginnings) as Beginning[];

export class LockerWorld {
  readonly #tenants: readonly WorldTenant[];
  readonly #lockers: readonly WorldLocker[];

  constructor(tenants: readonly WorldTenant[]) {
    this.#tenants = tenants;
    this.#lockers = tenants.flatMap((tenant) =>
      tenant.pickUpPoints.flatMap(({ pupUid, lockers }) =>
        lockers.map((locker) => ({
          ...locker,
          pupUid,
          tenant,
          outOfOrder: false,
          toBeEmptied: false,
          fault: null,
          holder: null,
          isItemInside: false,
          leaver: null,
        })),
      ),
    );
  }

  /** Carries the command out and fails where the service does anything else than the model. */
  async do(command: Command): Promise<void> {
    switch (command.type) {
      case 'book':
        return this.#book(command);
      case 'move':
        return this.#move(command);
      case 'attach': {
        const held = this.#held();
        if (held.length > 0) await at(held, command.chain).holder.attach(command.attachment);
        return;
      }
      case 'tryForeign':
        return this.#tryForeign(command);
      case 'outOfOrder': {
        const { locker, tools } = this.#lockerAt(command.locker);
        const { lockerUid } = locker;
        await tools.sandbox('POST', 'outOfOrder', { lockerUid, outOfOrder: command.outOfOrder });
        locker.outOfOrder = command.outOfOrder;
        return;
      }
      case 'unlockLeft':
        return this.#unlockLeft(command);
      case 'empty': {
        const { locker, tools } = this.#lockerAt(command.locker);
        await tools.sandbox('POST', 'empty', { lockerUid: locker.lockerUid });
        // The operator takes out only what was left behind.
        if (locker.toBeEmptied) locker.isItemInside = false;
        locker.toBeEmptied = false;
        locker.holder?.formerItemTakenOut();
        return;
      }
      case 'fault': {
        const { locker, tools } = this.#lockerAt(command.locker);
        await tools.sandbox('POST', 'faults', { lockerUid: locker.lockerUid, fault: command.fault });
        locker.fault = command.fault;
      }
    }
  }

  /** What must hold of everything at once. */
  async compareWhole(): Promise<void> {
    for (const { tools, pickUpPoints } of this.#tenants) {
      for (const { pupUid, lockers } of pickUpPoints) {
        const seen = await lockersSeen(tools.sandbox, pupUid);
        const own = this.#lockers.filter((locker) => locker.pupUid === pupUid);
        // One state each, and all of them: free + booked + to be emptied + out of order = all lockers.
        expect(seen.map(({ lockerUid, state, toBeEmptied }) => [lockerUid, state, toBeEmptied])).toEqual(
          own.map((locker) => [locker.lockerUid, stateOf(locker), locker.toBeEmptied]),
        );
        expect(seen).toHaveLength(lockers.length);
      }
    }
    expect(await wrongInDatabase(at(this.#tenants, 0).tools.database)).toEqual([]);
    for (const locker of this.#lockers) expectItemAccountedFor(locker);
  }

  #lockerAt(number: number): { locker: WorldLocker; tools: Tools } {
    const locker = at(this.#lockers, number);
    return { locker, tools: locker.tenant.tools };
  }

  async #book(command: Extract<Command, { type: 'book' }>): Promise<void> {
    const places = this.#tenants.flatMap((tenant) => tenant.pickUpPoints.map((place) => ({ tenant, place })));
    const { tenant, place } = at(places, command.pickUpPoint);
    const name = at(beginningNames, command.beginning);
    const [width, height, length] = command.sides;
    const { allowLargerLockers, allowOverflowLockers } = command;
    const booking: Booking = {
      pupUid: place.pupUid,
      dimension: { width, height, length },
      allowLargerLockers,
      allowOverflowLockers,
      ...(command.locker !== null && { lockerUid: this.#named(command.locker).lockerUid }),
    };
    const lockers = this.#lockers.map((locker): Locker => ({ ...locker, state: stateOf(locker) }));
    const isCollectOnly = name.startsWith('CreateCollectOnly');
    const choice = lockerChoice(booking, [place.pupUid, ...place.overflow], lockers, isCollectOnly);
    const tools = command.isDoubled ? { ...tenant.tools, call: doubled(tenant.tools.call) } : tenant.tools;
    const walked = new WalkedChain(booking, tools);
    await walked.make({ name }, 'error' in choice ? choice.error : undefined);
    if ('error' in choice) return;
    const booked = walked.stored[0]?.lockerUid;
    expect(choice.lockers.map(({ lockerUid }) => lockerUid)).toContain(booked);
    const locker = this.#lockers.find(({ lockerUid }) => lockerUid === booked);
    if (locker) locker.holder = walked;
  }

  /** Half of the time one with an item left behind: there a collect-only booking may go, and no other. */
  #named(number: number): WorldLocker {
    const left = this.#lockers.filter(({ toBeEmptied }) => toBeEmptied);
    return number % 2 === 0 && left.length > 0 ? at(left, number / 2) : at(this.#lockers, number);
  }

  async #move(command: Extract<Command, { type: 'move' }>): Promise<void> {
    const held = this.#held();
    if (held.length === 0) return;
    const { locker, holder } = at(held, command.chain);
    const before = holder.chain;
    const move = within(MOST_OPEN_SHIPMENTS, before, chosenMove(before, command.call));
    const { chain, locker: effect } = await holder.make(
      move,
      isOpening(move) && locker.fault ? 'UnlockFailed' : undefined,
    );
    moveItem(locker, move, before, chain);
    if (openShipments(chain).length > 0) return;
    locker.holder = null;
    // Released: as it was before the booking.
    if (effect === 'ToBeEmptied') {
      locker.toBeEmptied = true;
      const index = chain.findIndex(({ isItemLeft }) => isItemLeft);
      locker.leaver = holder.stored[index]?.shipmentUid ?? null;
    }
    expectItemAccountedFor(locker);
  }

  /** Opens a locker for the cancelled shipment that left an item in it, also where that is gone or booked again. */
  async #unlockLeft({ locker: number, unlockGoal }: Extract<Command, { type: 'unlockLeft' }>): Promise<void> {
    const left = this.#lockers.filter(({ leaver }) => leaver !== null);
    if (left.length === 0) return;
    const locker = at(left, number);
    const { leaver: shipmentUid, holder, tenant, fault } = locker;
    const isReachable = locker.toBeEmptied && unlockGoal !== 'DropOff';
    const { body } = await tenant.tools.call('UnlockShipmentLocker', { shipmentUid, unlockGoal });
    const failure = fault ? 'UnlockFailed' : null;
    const error = isReachable ? failure : 'InvalidShipmentState';
    const words = `UnlockShipmentLocker of ${shipmentUid}, which left an item, for ${unlockGoal}`;
    expect(body.error, words).toBe(error);
    if (error !== null) return holder?.makesNoDifference(words);
    if (unlockGoal === 'PickUp') {
      locker.toBeEmptied = false;
      locker.isItemInside = false;
      holder?.formerItemTakenOut();
    }
    await holder?.openedForFormerItem(words);
  }

  async #tryForeign(command: Extract<Command, { type: 'tryForeign' }>): Promise<void> {
    const held = this.#held();
    if (held.length === 0) return;
    const { locker, holder } = at(held, command.chain);
    const stranger = this.#tenants.find((tenant) => tenant !== locker.tenant);
    const stored = at(holder.stored, command.operation);
    const name = at(shipmentOperationNames, command.operation);
    if (!stranger) throw new TypeError('expected a second tenant');
    const ownPupUid = at(stranger.pickUpPoints, 0).pupUid;
    await tryForeign(stranger.tools.call, name, { ...stored, ownPupUid });
    await holder.makesNoDifference(`another tenant's ${name}`);
  }

  #held(): { locker: WorldLocker; holder: WalkedChain }[] {
    return this.#lockers.flatMap((locker) => (locker.holder ? [{ locker, holder: locker.holder }] : []));
  }
}

function at<Each>(all: readonly Each[], number: number): Each {
  const each = all[number % all.length];
  if (each === undefined) throw new TypeError('expected at least one to pick from');
  return each;
}

/** In the order in which the wall tells it. */
function stateOf({ holder, outOfOrder, toBeEmptied }: WorldLocker): Locker['state'] {
  if (holder) return 'Booked';
  if (outOfOrder) return 'OutOfOrder';
  return toBeEmptied ? 'ToBeEmptied' : 'Free';
}

function within(most: number, chain: Chain, move: Move): Move {
  if (openShipments(afterMove(chain, move)).length <= most) return move;
  return { name: 'CancelShipment', on: openShipments(chain).length - 1 };
}

/** By what people do, not by states: who drops off puts it in, who picks up takes it out, and a swap does both. */
function moveItem(locker: WorldLocker, move: Move, before: Chain, after: Chain): void {
  const became = (from: string, to: string) =>
    after.some((now, index) => before[index]?.stateCode === from && now.stateCode === to);
  if (!isOpening(move)) return;
  // Only a collect-only booking holds a locker to be emptied: the person before the open door takes out what was left.
  if (locker.toBeEmptied && !locker.fault) {
    locker.toBeEmptied = false;
    locker.isItemInside = false;
  }
  if (move.name === 'UnlockShipmentLocker without a goal') return;
  const [first] = openShipments(before);
  const isDropOff = first?.stateCode === 'ReadyForDropoff' && after !== before;
  const isPickUp = first?.stateCode === 'ReadyForPickup' && after !== before;
  if (isPickUp) {
    locker.toBeEmptied = false;
    locker.isItemInside = became('Registered', 'ReadyForPickup') || became('Registered', 'WaitForReceiver');
  }
  if (isDropOff) locker.isItemInside = true;
}

/** An item inside a locker belongs to exactly one active shipment, or the locker is to be emptied. */
function expectItemAccountedFor(locker: WorldLocker): void {
  if (!locker.isItemInside) return;
  const open = openShipments(locker.holder?.chain ?? []);
  const owners = open.filter(hasItemInside);
  expect(locker.toBeEmptied || owners.length === 1, `the item in ${locker.lockerUid} is nobody's`).toBe(true);
}

/** Sends each call twice at once, with one Idempotency-Key: both are answered alike, and it is done once. */
function doubled(call: Caller): Caller {
  return async (name, body, headers) => {
    const withKey = { ...headers, 'idempotency-key': crypto.randomUUID() };
    const [first, second] = await Promise.all([call(name, body, withKey), call(name, body, withKey)]);
    expect(second.body).toEqual(first.body);
    return first;
  };
}
