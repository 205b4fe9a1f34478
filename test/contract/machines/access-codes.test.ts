// Which codes there are, when each opens, and when each is made anew (assumptions: Lockers and codes, access codes and
// UnlockShipmentLocker).

import { describe, expect, it } from 'vitest';
import { eventOfCode, type UnlockGoal, unlock } from '../../../contract/machines/access.ts';
import { type StateCode, stateCodes } from '../../../contract/wire/states.ts';
import { expected, type Move, type MoveName, type Place } from '../../support/chains/chain-moves.ts';
import { type Played, play, playOn } from '../../support/chains/play-chain.ts';

const on = (name: MoveName, place: Place = 0): Move => ({ name, on: place });
const dropOff = on('SimulateLockerAccess with its DeliveryCode');
const pickUp = on('SimulateLockerAccess with its PickUpCode');
const pair: Move = { name: 'CreateLocalShipmentAsIssueAndSwapIntake' };
const circular: Move = { name: 'CreateLocalShipmentAsIntakeAndCircularStock' };

/** PickUpCode and DeliveryCode changes of each shipment that the last call touched. */
function codes({ changes }: Played): [string, string | undefined, string | undefined][] {
  return changes.map(({ shipmentUid, pickUpCode, deliveryCode }) => [shipmentUid, pickUpCode, deliveryCode]);
}

function refusal({ chain }: Played, move: Move): string | null {
  const answer = expected(chain, move);
  return answer.applied ? null : answer.error;
}

describe('the codes of a new shipment', () => {
  it('are both there from the beginning', () => {
    expect(codes(play({ name: 'CreateLocalShipmentAsIssue' }))).toEqual([['shipment-0', 'new', 'new']]);
    expect(codes(play({ name: 'CreateLocalShipmentAsStock' }))).toEqual([['shipment-0', 'new', 'new']]);
  });

  it('have no DeliveryCode for collect only', () => {
    const collect = play({ name: 'CreateCollectOnlyShipmentAsCollectByUser' });
    expect(codes(collect)).toEqual([['shipment-0', 'new', undefined]]);
  });

  it('are the predecessor’s PickUpCode as DeliveryCode for a swap', () => {
    expect(codes(play(pair))).toEqual([
      ['shipment-0', 'new', 'new'],
      ['shipment-1', 'new', 'shared'],
    ]);
  });

  it('have no PickUpCode for an intake and no DeliveryCode for its circular stock', () => {
    expect(codes(play(circular))).toEqual([
      ['shipment-0', undefined, 'new'],
      ['shipment-1', 'new', undefined],
    ]);
  });

  it('of a subsequent intake have a separate DeliveryCode, and the issued stock has a new PickUpCode', () => {
    const three = on('CreateLocalShipmentAsIssueFromStockAndSubsequentIntakeAndCircularStock');
    expect(codes(play({ name: 'CreateLocalShipmentAsStock' }, three))).toEqual([
      ['shipment-0', 'new', undefined],
      ['shipment-1', undefined, 'new'],
      ['shipment-2', 'new', undefined],
    ]);
  });
});

describe('a code', () => {
  it('opens in its state only', () => {
    const opens = stateCodes.map((state) => [
      eventOfCode(state, 'deliveryCode'),
      eventOfCode(state, 'pickUpCode'),
    ]);
    expect(opens).toEqual([
      [null, null],
      ['ItemDroppedOff', null],
      [null, null],
      [null, 'ItemPickedUp'],
      [null, null],
      [null, null],
    ]);
  });

  it('shared by a swap opens the locker for the pick-up of the predecessor, and nothing afterwards', () => {
    const waiting = play(pair);
    const shared = on('SimulateLockerAccess with its DeliveryCode', 1);
    expect(refusal(waiting, shared)).toBe('InvalidAccessCode');
    const picked = playOn(waiting.chain, dropOff, shared);
    expect(picked.chain.map(({ stateCode }) => stateCode)).toEqual(['Completed', 'ReadyForPickup']);
    expect(refusal(picked, dropOff)).toBe('InvalidAccessCode');
  });
});

describe('a new code', () => {
  // assumptions: Lockers and codes, When an access code holds and changes
  it('is made when a receiver is set or removed, and a swap pair goes on sharing it', () => {
    const { chain } = play(pair);
    const both = [
      ['shipment-0', 'new', undefined],
      ['shipment-1', undefined, 'shared'],
    ];
    const removed = playOn(chain, on('SetShipmentReceiver removing it'));
    expect(codes(removed)).toEqual(both);
    expect(codes(playOn(removed.chain, on('SetShipmentReceiver to a user')))).toEqual(both);
    const issued = play({ name: 'CreateLocalShipmentAsStock' }, on('CreateLocalShipmentAsIssueFromStock'));
    expect(codes(issued)).toEqual([['shipment-0', 'new', undefined]]);
  });

  it('is made on request, for both shipments of a swap if either is named', () => {
    const { chain } = play(pair);
    const both = [
      ['shipment-0', 'new', undefined],
      ['shipment-1', undefined, 'shared'],
    ];
    expect(codes(playOn(chain, on('AddShipmentObject with changePickUpAccess')))).toEqual(both);
    expect(codes(playOn(chain, on('AddShipmentObject with changeDropOffAccess', 1)))).toEqual(both);
    expect(codes(playOn(chain, on('AddShipmentObject with changeDropOffAccess')))).toEqual([
      ['shipment-0', undefined, 'new'],
    ]);
    expect(codes(playOn(chain, on('AddShipmentObject with changePickUpAccess', 1)))).toEqual([
      ['shipment-1', 'new', undefined],
    ]);
  });

  it('is the successor’s own once the swap has begun', () => {
    const { chain } = play(pair, dropOff, pickUp);
    expect(codes(playOn(chain, on('AddShipmentObject with changeDropOffAccess')))).toEqual([
      ['shipment-1', undefined, 'new'],
    ]);
  });

  it('is not made where there is no code', () => {
    const { chain } = play(circular);
    expect(codes(playOn(chain, on('AddShipmentObject with changePickUpAccess')))).toEqual([]);
    expect(codes(playOn(chain, on('AddShipmentObject with changeDropOffAccess', 1)))).toEqual([]);
    expect(codes(playOn(chain, on('SetShipmentReceiver removing it')))).toEqual([
      ['shipment-0', undefined, undefined],
    ]);
  });

  it('is made for an intake whose circular stock is cancelled: it will be picked up after all', () => {
    expect(codes(play(circular, on('CancelShipment', 1)))).toEqual([
      ['shipment-0', 'new', undefined],
      ['shipment-1', undefined, undefined],
    ]);
  });

  it('is refused after the end', () => {
    const ended = play({ name: 'CreateLocalShipmentAsIssue' }, on('CancelShipment'));
    const late = on('AddShipmentObject with changePickUpAccess', 'last ended');
    expect(refusal(ended, late)).toBe('InvalidShipmentState');
  });
});

/** What opens it, or the error. */
function opened(stateCode: StateCode, goal: UnlockGoal | null, isItemLeft = false) {
  const opening = unlock({ stateCode, isItemLeft }, goal);
  return opening.opens ? opening.event : opening.error;
}

describe('unlocking a shipment’s locker', () => {
  it('with a goal advances in its state, is not allowed in another active one and invalid after the end', () => {
    const outcome = (goal: UnlockGoal | null) => stateCodes.map((stateCode) => opened(stateCode, goal));
    const [no, ended] = ['UnlockNotAllowed', 'InvalidShipmentState'];
    expect(outcome('DropOff')).toEqual([no, 'ItemDroppedOff', no, no, ended, ended]);
    expect(outcome('PickUp')).toEqual([no, no, no, 'ItemPickedUp', ended, ended]);
    expect(outcome(null)).toEqual([null, null, null, null, ended, ended]);
  });

  it('of a cancelled shipment takes out the item that it left, and drops nothing off', () => {
    const outcomes = ([null, 'PickUp', 'DropOff'] as const).map((goal) => opened('Cancelled', goal, true));
    expect(outcomes).toEqual([null, 'LeftItemPickedUp', 'InvalidShipmentState']);
  });

  it('checks a pin against the goal’s code, and against either without a goal', () => {
    const codesOf = (stateCode: StateCode, goal: UnlockGoal | null, isItemLeft = false) =>
      unlock({ stateCode, isItemLeft }, goal);
    expect(codesOf('ReadyForDropoff', 'DropOff')).toMatchObject({ codes: ['deliveryCode'] });
    expect(codesOf('ReadyForPickup', 'PickUp')).toMatchObject({ codes: ['pickUpCode'] });
    expect(codesOf('Registered', null)).toMatchObject({ codes: ['deliveryCode', 'pickUpCode'] });
    expect(codesOf('Cancelled', 'PickUp', true)).toMatchObject({ codes: ['pickUpCode'] });
    expect(codesOf('Cancelled', null, true)).toMatchObject({ codes: ['deliveryCode', 'pickUpCode'] });
  });
});
