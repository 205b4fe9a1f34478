// Rules of assumptions: Chains between the shipments of a chain: states, locker, senders, refusals. More of them are shown at
// the service: test/service/shipments.

import { describe, expect, it } from 'vitest';
import { type ChainShipment, holderOf } from '../../../contract/machines/chain-shipments.ts';
import { expected, type Move, type MoveName, type Place } from '../../support/chains/chain-moves.ts';
import { type Played, play, playOn, states } from '../../support/chains/play-chain.ts';

const dropOff = (on: Place = 0): Move => ({ name: 'SimulateLockerAccess with its DeliveryCode', on });
const pickUp = (on: Place = 0): Move => ({ name: 'SimulateLockerAccess with its PickUpCode', on });
const cancel = (on: Place = 0): Move => ({ name: 'CancelShipment', on });
const on = (name: MoveName, place: Place = 0): Move => ({ name, on: place });

const issueFromStock = on('CreateLocalShipmentAsIssueFromStock');
const threeShipments = on('CreateLocalShipmentAsIssueFromStockAndSubsequentIntakeAndCircularStock');
const swap = on('CreateLocalShipment as a swap, to a user');
const delayedSwap = on('CreateLocalShipment as a swap, from its receiver, delayed');
const stockAfterIntake = on('CreateLocalShipmentAsStockAfterSwapIntake');

function refused({ chain }: Played, move: Move): string {
  const answer = expected(chain, move);
  if (answer.applied) throw new Error(`${JSON.stringify(move)} is applied, expected a refusal`);
  return answer.error;
}

function shipment({ chain }: Played, place: number): ChainShipment {
  const found = chain[place];
  if (!found) throw new Error(`no shipment at ${place}`);
  return found;
}

describe('a swap', () => {
  const pair: Move[] = [{ name: 'CreateLocalShipmentAsIssueAndSwapIntake' }];

  it('waits as Registered until its predecessor is picked up, and then is dropped off in the same moment', () => {
    expect(states(play(...pair))).toEqual(['ReadyForDropoff', 'Registered']);
    expect(states(play(...pair, dropOff()))).toEqual(['ReadyForPickup', 'Registered']);
    const picked = play(...pair, dropOff(), pickUp());
    expect(states(picked)).toEqual(['Completed', 'ReadyForPickup']);
    expect(picked.changes.map(({ shipmentUid, from, to }) => [shipmentUid, from, to])).toEqual([
      ['shipment-0', 'ReadyForPickup', 'Completed'],
      ['shipment-1', 'Registered', 'ReadyForPickup'],
    ]);
    expect(picked.locker).toBe('Kept');
    expect(holderOf(picked.chain)?.shipmentUid).toBe('shipment-1');
  });

  it('can follow an active shipment in any state, a Registered swap included', () => {
    expect(states(play(...pair, on('CreateLocalShipment as a swap, to a user', 1)))).toEqual([
      'ReadyForDropoff',
      'Registered',
      'Registered',
    ]);
    expect(states(play({ name: 'CreateCollectOnlyShipmentAsCollectByUser' }, swap, pickUp()))).toEqual([
      'Completed',
      'ReadyForPickup',
    ]);
  });
});

describe('a pending successor', () => {
  const followed: Move[][] = [
    [{ name: 'CreateLocalShipmentAsIssueAndSwapIntake' }],
    [{ name: 'CreateLocalShipmentAsIntakeAndCircularStock' }],
    [{ name: 'CreateLocalShipmentAsStock' }, threeShipments],
  ];

  it.each(followed)('of any kind leaves no room for a second: %j', (...moves) => {
    const chain = play(...moves);
    for (const second of [swap, delayedSwap, stockAfterIntake]) {
      expect(refused(chain, second)).toBe('InvalidShipmentState');
    }
  });

  it('makes room again when it is cancelled', () => {
    const again = play(
      { name: 'CreateLocalShipmentAsIssueAndSwapIntake' },
      cancel(1),
      swap,
      dropOff(),
      pickUp(),
    );
    expect(states(again)).toEqual(['Completed', 'Cancelled', 'ReadyForPickup']);
  });
});

describe('stock after a swap intake', () => {
  it('can follow an intake that is itself a swap still Registered', () => {
    const chain = play(
      { name: 'CreateLocalShipmentAsIssueAndSwapIntake' },
      on('CreateLocalShipmentAsStockAfterSwapIntake', 1),
    );
    expect(states(chain)).toEqual(['ReadyForDropoff', 'Registered', 'Registered']);
    expect(states(playOn(chain.chain, dropOff(), pickUp(), pickUp()))).toEqual([
      'Completed',
      'Completed',
      'WaitForReceiver',
    ]);
  });

  it('is refused after a shipment that does not go to the dispatcher', () => {
    expect(refused(play({ name: 'CreateLocalShipmentAsIssue' }), stockAfterIntake)).toBe(
      'InvalidShipmentState',
    );
    expect(refused(play({ name: 'CreateLocalShipmentAsStock' }), stockAfterIntake)).toBe(
      'InvalidShipmentState',
    );
  });
});

describe('issuing from stock', () => {
  // assumptions: Chains, IssueFromStock and its variants
  it('sets the receiver in any active state, and makes waiting stock ready for pick-up', () => {
    const stock: Move[] = [{ name: 'CreateLocalShipmentAsStock' }];
    expect(states(play(...stock, issueFromStock))).toEqual(['ReadyForDropoff']);
    expect(states(play(...stock, dropOff(), issueFromStock))).toEqual(['ReadyForPickup']);
    const circular = play({ name: 'CreateLocalShipmentAsIntakeAndCircularStock' });
    const early = playOn(circular.chain, on('CreateLocalShipmentAsIssueFromStock', 1));
    expect(states(early)).toEqual(['ReadyForDropoff', 'Registered']);
    expect(states(playOn(early.chain, dropOff()))).toEqual(['Completed', 'ReadyForPickup']);
  });

  it('leaves circular stock ReadyForPickup, where SetShipmentReceiver is refused', () => {
    const stocked = play({ name: 'CreateLocalShipmentAsIntakeAndCircularStock' }, dropOff());
    expect(refused(stocked, on('SetShipmentReceiver to a user'))).toBe('InvalidShipmentState');
    const issued = playOn(stocked.chain, issueFromStock);
    expect(states(issued)).toEqual(['Completed', 'ReadyForPickup']);
    expect(issued.callbacks).toEqual([]);
    expect(issued.changes).toEqual([
      {
        shipmentUid: 'shipment-1',
        from: 'ReadyForPickup',
        to: 'ReadyForPickup',
        stateCodeChanged: false,
        toUserUid: 'anna',
        pickUpCode: 'new',
      },
    ]);
  });

  it('is refused twice, on a shipment with a receiver, and after the end', () => {
    const issued = play({ name: 'CreateLocalShipmentAsStock' }, issueFromStock);
    expect(refused(issued, issueFromStock)).toBe('InvalidShipmentState');
    const ended = playOn(issued.chain, cancel());
    const late = on('CreateLocalShipmentAsIssueFromStock', 'last ended');
    expect(refused(ended, late)).toBe('InvalidShipmentState');
  });
});

describe('circular stock', () => {
  // assumptions: Chains, Circular stock
  it('takes the item over when the intake is dropped off, and can be collected by the dispatcher', () => {
    const dropped = play({ name: 'CreateLocalShipmentAsIntakeAndCircularStock' }, dropOff());
    expect(states(dropped)).toEqual(['Completed', 'ReadyForPickup']);
    expect(shipment(dropped, 1).toUserUid).toBeNull();
    const collected = playOn(dropped.chain, pickUp());
    expect(states(collected)).toEqual(['Completed', 'Completed']);
    expect(collected.locker).toBe('Released');
  });

  it('that was cancelled before leaves an ordinary intake', () => {
    const intake = play({ name: 'CreateLocalShipmentAsIntakeAndCircularStock' }, cancel(1), dropOff());
    expect(states(intake)).toEqual(['ReadyForPickup', 'Cancelled']);
    expect(states(playOn(intake.chain, pickUp()))).toEqual(['Completed', 'Cancelled']);
  });

  it('goes round: issued, returned and stock again, many times over in one locker', () => {
    let played = play({ name: 'CreateLocalShipmentAsStock' }, dropOff());
    for (let round = 0; round < 8; round += 1) {
      played = playOn(played.chain, threeShipments, pickUp(), dropOff());
      expect(played.locker).toBe('Kept');
      expect(holderOf(played.chain)?.stateCode).toBe('ReadyForPickup');
    }
    expect(played.chain).toHaveLength(17);
  });
});

describe('the three-shipment flow', () => {
  const begun = play({ name: 'CreateLocalShipmentAsStock' }, dropOff(), threeShipments);

  it('returns from the user to whom it was issued', () => {
    expect(shipment(begun, 0).toUserUid).toBe('anna');
    expect(shipment(begun, 1)).toMatchObject({ fromUserUid: 'anna', toUserUid: 'dispatcher' });
    expect(shipment(begun, 2).toUserUid).toBeNull();
  });
});

describe('cancelling', () => {
  it('a successor does not change its predecessor or the locker', () => {
    const cancelled = play({ name: 'CreateLocalShipmentAsStock' }, threeShipments, cancel(1));
    expect(states(cancelled)).toEqual(['ReadyForDropoff', 'Cancelled', 'Cancelled']);
    expect(cancelled.locker).toBe('Kept');
  });

  it('does not touch a predecessor that has ended or a successor that has begun', () => {
    const begun = play({ name: 'CreateLocalShipmentAsIssueAndSwapIntake' }, dropOff(), pickUp());
    expect(refused(begun, cancel('last ended'))).toBe('InvalidShipmentState');
    expect(states(playOn(begun.chain, cancel()))).toEqual(['Completed', 'Cancelled']);
  });

  const emptied: [string, Move[], string][] = [
    ['ReadyForDropoff', [{ name: 'CreateLocalShipmentAsIssue' }], 'Released'],
    ['WaitForReceiver', [{ name: 'CreateLocalShipmentAsStock' }, dropOff()], 'ToBeEmptied'],
    ['ReadyForPickup', [{ name: 'CreateLocalShipmentAsIssue' }, dropOff()], 'ToBeEmptied'],
    [
      'ReadyForPickup, with its successor',
      [{ name: 'CreateLocalShipmentAsIssueAndSwapIntake' }, dropOff()],
      'ToBeEmptied',
    ],
    ['ReadyForPickup, collect only', [{ name: 'CreateCollectOnlyShipmentAsCollectByUser' }], 'Released'],
    [
      'ReadyForPickup, kept booked',
      [{ name: 'CreateCollectOnlyShipment kept booked' }, pickUp()],
      'Released',
    ],
  ];
  it.each(emptied)('in %s leaves the locker so: %j %s', (_state, moves, locker) => {
    expect(play(...moves, cancel()).locker).toBe(locker);
  });
});

describe('a sender that was derived from the predecessor’s receiver', () => {
  it('follows it while the successor is Registered', () => {
    const pair = play({ name: 'CreateLocalShipmentAsIssueAndSwapIntake' });
    expect(shipment(pair, 1).fromUserUid).toBe('anna');
    const removed = playOn(pair.chain, on('SetShipmentReceiver removing it'));
    expect(shipment(removed, 1).fromUserUid).toBeNull();
    const other = playOn(removed.chain, on('SetShipmentReceiver to a user'));
    expect(shipment(other, 1).fromUserUid).toBe('bram');
    expect(other.changes[1]).toMatchObject({ shipmentUid: 'shipment-1', fromUserUid: 'bram' });
  });

  it('does not change after the successor has begun, and never changes if the request named it', () => {
    const begun = play({ name: 'CreateLocalShipmentAsIssueAndSwapIntake' }, dropOff(), pickUp());
    expect(shipment(begun, 1).fromUserUid).toBe('anna');
    const named = play({ name: 'CreateLocalShipmentAsStock' }, swap, issueFromStock);
    expect(shipment(named, 1).fromUserUid).toBe('dispatcher');
  });
});

describe('the callbacks of a flow', () => {
  // assumptions: Chains, The order of events
  it('come in chain order within one event', () => {
    const { chain } = play({ name: 'CreateLocalShipmentAsIssueAndSwapIntake' }, dropOff());
    expect(playOn(chain, pickUp()).callbacks).toEqual([
      ['shipment-0', 'Completed'],
      ['shipment-1', 'ReadyForPickup'],
    ]);
  });
});
