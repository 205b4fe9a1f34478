// When codes are made anew (assumptions: Lockers and codes). What else is said of codes is shown at the service:
// test/service/shipments and test/service/lockers.

import { describe, expect, it } from 'vitest';
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
  it('of a subsequent intake have a separate DeliveryCode, and the issued stock has a new PickUpCode', () => {
    const three = on('CreateLocalShipmentAsIssueFromStockAndSubsequentIntakeAndCircularStock');
    expect(codes(play({ name: 'CreateLocalShipmentAsStock' }, three))).toEqual([
      ['shipment-0', 'new', undefined],
      ['shipment-1', undefined, 'new'],
      ['shipment-2', 'new', undefined],
    ]);
  });
});

describe('a new code', () => {
  it('is the successor’s own once the swap has begun', () => {
    const { chain } = play(pair, dropOff, pickUp);
    expect(codes(playOn(chain, on('AddShipmentObject with changeDropOffAccess')))).toEqual([
      ['shipment-1', undefined, 'new'],
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
