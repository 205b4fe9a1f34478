// The stops of a round: which lockers somebody goes to, why, and what can be done at each.
import { expect, test } from 'vitest';
import { itemIn } from '../../console/walls/about-tiles.ts';
import { roundOf } from '../../console/walls/round.ts';
import type { HeldBy, TileAbout, WallLocker } from '../../console/walls/walls-view.ts';

const DESK = 'user-desk';
const ANNA = 'user-anna';

const held = (shipmentUid: string, more: Partial<HeldBy> = {}): HeldBy => ({
  shipmentUid,
  stateCode: 'ReadyForPickup',
  goal: 'PickUp',
  words: 'to be picked up',
  isInside: true,
  byHand: null,
  fromUserUid: DESK,
  toUserUid: ANNA,
  since: null,
  workflowId: null,
  ...more,
});
const brought = { fromUserUid: ANNA, toUserUid: DESK };
const locker = (lockerName: string, more: Partial<WallLocker> = {}): WallLocker => ({
  lockerUid: `l-${lockerName}`,
  lockerName,
  size: 'S',
  state: 'Free',
  outOfOrder: false,
  takenOut: null,
  toBeEmptied: false,
  door: 'Closed',
  doorOpenSince: null,
  doorFailure: null,
  lastAccess: null,
  leftShipmentUid: null,
  leftWorkflowId: null,
  isLeftByOpen: false,
  shipments: [],
  ...more,
});
const stayedShut = { since: '2031-05-01T10:00:00Z', reason: 'the door is stuck' };
const about = (item: string): TileAbout => ({ people: ['Anna Jansen'], item, due: null, isForDesk: false });

test('what was left, what was brought and what stands open are one list in the order of the wall, with one button to open and one to say that it is out', () => {
  const lockers = [
    locker('1', { door: 'Open', doorOpenSince: '2031-05-01T10:00:00Z' }),
    locker('2', { shipments: [held('for-anna')] }),
    locker('3', { shipments: [held('brought', brought)] }),
    locker('4'),
    locker('5', { toBeEmptied: true, leftShipmentUid: 'left' }),
    locker('6', { shipments: [held('stock', { toUserUid: null })] }),
  ];
  const abouts = { brought: about('Camera 3'), left: about('Laptop 7'), 'for-anna': about('Drill') };
  const stops = roundOf({ lockers, abouts, desk: DESK });
  expect(stops).toMatchObject([
    { lockerName: '1', reasons: ['Shut its door'], item: null, people: [], open: null, out: null },
    {
      lockerName: '3',
      reasons: ['Take out what was brought'],
      item: 'Camera 3',
      people: ['from Anna Jansen'],
      open: {
        label: 'Open the door',
        request: { path: '/v1/shipments/brought/open', body: { goal: null } },
      },
      out: { label: 'It was taken out', request: { path: '/v1/shipments/brought/access-by-hand' } },
    },
    {
      lockerName: '5',
      reasons: ['Fetch what was left in it'],
      item: 'Laptop 7',
      people: ['for Anna Jansen'],
      open: { label: 'Open the door', request: { path: '/v1/lockers/l-5/open', body: {} } },
      out: { label: 'It was taken out', request: { path: '/v1/items-left/l-5/emptied' } },
    },
  ]);
  expect(stops[1]?.open?.fields).toMatchObject([
    { name: 'why', suggested: 'On a round: Take out what was brought' },
  ]);
});

test('where the desk is not known, it takes out what a process says that it does', () => {
  const lockers = [locker('3', { shipments: [held('brought', brought)] })];
  const reasonsOf = (isForDesk: boolean) =>
    roundOf({ lockers, abouts: { brought: { ...about('Camera 3'), isForDesk } }, desk: null });
  expect(reasonsOf(false)).toEqual([]);
  expect(reasonsOf(true)).toMatchObject([{ reasons: ['Take out what was brought'] }]);
});

test('a door that stayed shut is tried, unless it is out of order and nothing is in it', () => {
  const doorFailure = stayedShut;
  const lockers = [
    locker('1', { doorFailure }),
    locker('2', { doorFailure, outOfOrder: true }),
    locker('3', { doorFailure, outOfOrder: true, shipments: [held('for-anna')] }),
  ];
  expect(roundOf({ lockers, abouts: {}, desk: DESK })).toMatchObject([
    {
      lockerName: '1',
      reasons: ['Its door stayed shut: try it'],
      open: { request: { path: '/v1/lockers/l-1/open' } },
    },
    {
      lockerName: '3',
      reasons: ['Its door stayed shut: try it', 'It is out of order, with an item inside'],
      out: null,
    },
  ]);
});

test('a locker in which a swapped item lies does not name the one that was handed out', () => {
  const handedOut = 'Battery (BAT-2)';
  const record = {
    ...{ description: null, referenceNo: 'swap-1/intake', referenceCaseNo: 'swap-1' },
    ...{ swapsShipmentUid: 'issue', fromUserUid: 'user-bram', toUserUid: DESK },
  };
  expect(itemIn(record, handedOut, DESK)).toBe('The returned item');
  expect(itemIn({ ...record, referenceNo: 'BAT-1' }, handedOut, DESK)).toBe('BAT-1');
  expect(itemIn({ ...record, description: 'Battery', referenceNo: 'BAT-1' }, handedOut, DESK)).toBe(
    'Battery (BAT-1)',
  );
  expect(itemIn({ ...record, swapsShipmentUid: null }, handedOut, DESK)).toBe(handedOut);
});

test('what an open case may count on is not fetched without a look at that case', () => {
  const left = { toBeEmptied: true, leftShipmentUid: 'left', leftWorkflowId: 'hold-7' };
  const stopsOf = (isLeftByOpen: boolean) =>
    roundOf({ lockers: [locker('4', { ...left, isLeftByOpen })], abouts: {}, desk: DESK });
  expect(stopsOf(true)).toMatchObject([
    {
      reasons: ['Something was left in it, and hold-7 may count on it: look there first'],
      out: {
        consequence:
          'hold-7 is still open, and may count on it: it can book this locker for the next person. The next booking may get this locker. Say so only once the item is out.',
      },
    },
  ]);
  expect(stopsOf(false)).toMatchObject([
    {
      reasons: ['Fetch what was left in it'],
      out: { consequence: 'The next booking may get this locker. Say so only once the item is out.' },
    },
  ]);
});
