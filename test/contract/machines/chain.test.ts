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
});

describe('issuing from stock', () => {
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
});

describe('circular stock', () => {
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
  it('does not change after the successor has begun, and never changes if the request named it', () => {
    const begun = play({ name: 'CreateLocalShipmentAsIssueAndSwapIntake' }, dropOff(), pickUp());
    expect(shipment(begun, 1).fromUserUid).toBe('anna');
    const named = play({ name: 'CreateLocalShipmentAsStock' }, swap, issueFromStock);
    expect(shipment(named, 1).fromUserUid).toBe('dispatcher');
  });
});

/** PickUpCode and DeliveryCode changes of each shipment that the last call touched. */
function codes({ changes }: Played): [string, string | undefined, string | undefined][] {
  return changes.map(({ shipmentUid, pickUpCode, deliveryCode }) => [shipmentUid, pickUpCode, deliveryCode]);
}

// assumptions: Lockers and codes, When an access code holds and changes
describe('a new code', () => {
  it('is a DeliveryCode of its own for a subsequent intake, and the issued stock has a new PickUpCode', () => {
    expect(codes(play({ name: 'CreateLocalShipmentAsStock' }, threeShipments))).toEqual([
      ['shipment-0', 'new', undefined],
      ['shipment-1', undefined, 'new'],
      ['shipment-2', 'new', undefined],
    ]);
  });

  it('is the successor’s own once the swap has begun', () => {
    const { chain } = play({ name: 'CreateLocalShipmentAsIssueAndSwapIntake' }, dropOff(), pickUp());
    expect(codes(playOn(chain, on('AddShipmentObject with changeDropOffAccess')))).toEqual([
      ['shipment-1', undefined, 'new'],
    ]);
  });

  it('is made for an intake whose circular stock is cancelled: it will be picked up after all', () => {
    expect(codes(play({ name: 'CreateLocalShipmentAsIntakeAndCircularStock' }, cancel(1)))).toEqual([
      ['shipment-0', 'new', undefined],
      ['shipment-1', undefined, undefined],
    ]);
  });
});
