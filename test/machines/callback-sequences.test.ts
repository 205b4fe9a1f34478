// What callbacks alone tell of each flow (assumptions: A bare vendor, last paragraph), reproduced from the charts.

import { describe, expect, it } from 'vitest';
import type { Move, Place } from '../support/chains/chain-moves.ts';
import { play, playOn } from '../support/chains/play-chain.ts';

const letters: Record<string, string> = {
  ReadyForPickup: 'P',
  ReadyForDropoff: 'D',
  WaitForReceiver: 'W',
  Completed: 'C',
  Cancelled: 'X',
};

const dropOff = (on: Place = 0): Move => ({ name: 'SimulateLockerAccess with its DeliveryCode', on });
const pickUp = (on: Place = 0): Move => ({ name: 'SimulateLockerAccess with its PickUpCode', on });
const setReceiver: Move = { name: 'SetShipmentReceiver to a user', on: 0 };
const cancel: Move = { name: 'CancelShipment', on: 0 };

/** The stock that the from-stock flows begin with: dropped off, without a receiver. */
const stocked: Move[] = [{ name: 'CreateLocalShipmentAsStock' }, dropOff()];
const circulating: Move[] = [{ name: 'CreateLocalShipmentAsIntakeAndCircularStock' }, dropOff()];
const intake: Move[] = [{ name: 'CreateLocalShipmentAsIntake' }];

/** flow, what was there before, its calls and acts, then the callbacks of each of its shipments in chain order. */
type Row = [flow: string, before: Move[], moves: Move[], told: string[]];

const rows: Row[] = [
  ['LocalShipment', [], [{ name: 'CreateLocalShipment from user to user' }, dropOff(), pickUp()], ['PC']],
  ['Issue', [], [{ name: 'CreateLocalShipmentAsIssue' }, dropOff(), pickUp()], ['PC']],
  ['Intake', [], [...intake, dropOff(), pickUp()], ['PC']],
  [
    'a delayed receiver',
    [],
    [{ name: 'CreateLocalShipment with a delayed receiver' }, dropOff(), setReceiver, pickUp()],
    ['WPC'],
  ],
  ['Stock', [], stocked, ['W']],
  [
    'StockAfterSwapIntake',
    [...intake, dropOff()],
    [{ name: 'CreateLocalShipmentAsStockAfterSwapIntake', on: 0 }, pickUp()],
    ['C', 'W'],
  ],
  ['IssueFromStock', stocked, [{ name: 'CreateLocalShipmentAsIssueFromStock', on: 0 }, pickUp()], ['PC']],
  [
    'IssueFromStock from circular stock',
    circulating,
    [{ name: 'CreateLocalShipmentAsIssueFromStock', on: 0 }, pickUp()],
    ['', 'C'],
  ],
  [
    'IssueAndSwapIntake',
    [],
    [{ name: 'CreateLocalShipmentAsIssueAndSwapIntake' }, dropOff(), pickUp(), pickUp()],
    ['PC', 'PC'],
  ],
  [
    'IssueFromStockAndSwapIntake',
    stocked,
    [{ name: 'CreateLocalShipmentAsIssueFromStockAndSwapIntake', on: 0 }, pickUp(), pickUp()],
    ['PC', 'PC'],
  ],
  ['IntakeAndCircularStock', [], circulating, ['C', 'P']],
  [
    'IssueFromStockAndSubsequentIntakeAndCircularStock',
    stocked,
    [
      { name: 'CreateLocalShipmentAsIssueFromStockAndSubsequentIntakeAndCircularStock', on: 0 },
      pickUp(),
      dropOff(),
    ],
    ['PC', 'DC', 'P'],
  ],
  [
    'IssueFromStockAndSubsequentIntakeAndCircularStock from circular stock',
    circulating,
    [
      { name: 'CreateLocalShipmentAsIssueFromStockAndSubsequentIntakeAndCircularStock', on: 0 },
      pickUp(),
      dropOff(),
    ],
    ['', 'C', 'DC', 'P'],
  ],
  ['CollectByUser', [], [{ name: 'CreateCollectOnlyShipmentAsCollectByUser' }, pickUp()], ['C']],
  ['CollectByDispatcher', [], [{ name: 'CreateCollectOnlyShipmentAsCollectByDispatcher' }, pickUp()], ['C']],
  [
    'CollectOnly kept booked',
    [],
    [{ name: 'CreateCollectOnlyShipment kept booked' }, pickUp(), pickUp(), cancel],
    ['X'],
  ],
];

describe('the callbacks of a flow', () => {
  it.each(rows)('of %s equal the documented ones', (_flow, before, moves, told) => {
    const { chain, callbacks } = playOn(play(...before).chain, ...moves);
    const toldNow = chain.map(({ shipmentUid }) =>
      callbacks
        .filter(([uid]) => uid === shipmentUid)
        .map(([, stateCode]) => letters[stateCode])
        .join(''),
    );
    expect(toldNow).toEqual(told);
  });

  // assumptions: Chains, The order of events
  it('come in chain order within one event', () => {
    const { chain } = play({ name: 'CreateLocalShipmentAsIssueAndSwapIntake' }, dropOff());
    expect(playOn(chain, pickUp()).callbacks).toEqual([
      ['shipment-0', 'Completed'],
      ['shipment-1', 'ReadyForPickup'],
    ]);
  });
});
