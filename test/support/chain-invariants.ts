// What must hold of a chain after whatever call, in whatever order (decisions §1 and §2), and of one call's changes.

import { expect } from 'vitest';
import { activeSuccessor, type Chain, holderOf, isItemInside } from '../../machines/chain-shipments.ts';
import { isActive, isOneStep } from '../../machines/chart.ts';
import { type Expected, openShipments } from './chain-moves.ts';

/** Of a chain as it stands. */
export function expectSoundChain(chain: Chain): void {
  const open = openShipments(chain);
  const [first, ...pending] = open;
  if (first) expect(first.stateCode, 'the one that has the locker has begun').not.toBe('Registered');
  for (const shipment of pending) expect(shipment.stateCode).toBe('Registered');
  open.slice(1).forEach((shipment, place) => {
    expect(shipment.predecessor?.shipmentUid, 'open ones are one line').toBe(open[place]?.shipmentUid);
  });
  for (const { shipmentUid } of open) {
    const successors = open.filter(({ predecessor }) => predecessor?.shipmentUid === shipmentUid);
    expect(successors.length, 'at most one pending successor').toBeLessThanOrEqual(1);
  }
  expect(open.filter(({ stateCode }) => isItemInside(stateCode)).length).toBeLessThanOrEqual(1);
  for (const kept of open.filter(({ keepBookedAfterPickUp }) => keepBookedAfterPickUp)) {
    expect(activeSuccessor(chain, kept.shipmentUid)).toBeUndefined();
  }
  for (const waiting of open.filter(({ stateCode }) => stateCode === 'WaitForReceiver')) {
    expect(waiting.toUserUid, 'only who has no receiver waits for one').toBeNull();
  }
}

/** Of one call: what it says of itself agrees with what it did. */
export function expectSoundAnswer(before: Chain, answer: Expected): void {
  if (!answer.applied) return;
  const { changes, chain, locker } = answer.outcome;
  const places = changes.map(({ shipmentUid }) =>
    chain.findIndex((each) => each.shipmentUid === shipmentUid),
  );
  expect(places, 'changes are in chain order, one a shipment').toEqual(
    [...new Set(places)].sort((a, b) => a - b),
  );
  for (const { shipmentUid, from, to, stateCodeChanged } of changes) {
    expect(before.find((each) => each.shipmentUid === shipmentUid)?.stateCode ?? null).toBe(from);
    expect(chain.find((each) => each.shipmentUid === shipmentUid)?.stateCode).toBe(to);
    expect(stateCodeChanged).toBe(from !== null && from !== to);
    if (from && stateCodeChanged) expect(isOneStep(from, to), `${from} to ${to} in one step`).toBe(true);
  }
  for (const ended of before.filter(({ stateCode }) => !isActive(stateCode))) {
    expect(chain, 'what has ended never changes').toContainEqual(ended);
  }
  expect(holderOf(chain) === undefined).toBe(locker === 'Released' || locker === 'ToBeEmptied');
}
