// How an item is found at the desk: by the words that people see, and a locker by its number.
import { expect, test } from 'vitest';
import type { ItemFound } from '../../../console/desk/desk-view.ts';
import { isMeant, isOfKind } from '../../../console/desk/lockers-and-items.ts';

const item = (lockerName: string): ItemFound => ({
  shipmentUid: `019a2b37-7${lockerName}`,
  title: 'Drill',
  referenceNo: 'PO-88',
  lockerName,
  pupName: 'Station',
  words: 'in stock',
});

test.each(['7', 'locker 7', 'locker 7, station', 'dri', 'po-88', 'station', '019a2b37-77'])('%s', (text) => {
  expect(isMeant(item('7'), text)).toBe(true);
});

test.each(['1', 'locker 1', 'a2', 'readyforpickup', 'pup'])('%s finds no other item', (text) => {
  expect(isMeant(item('17'), text)).toBe(false);
});

test.each([
  [true, 'in a locker, for nobody', { toUserUid: null, stateCode: 'ReadyForPickup' }],
  [true, 'in a locker, without a receiver yet', { toUserUid: null, stateCode: 'WaitForReceiver' }],
  [false, 'out: its return to stock is only booked ahead', { toUserUid: null, stateCode: 'Registered' }],
  [false, 'not put in yet', { toUserUid: null, stateCode: 'ReadyForDropoff' }],
  [false, 'for somebody', { toUserUid: 'anna', stateCode: 'ReadyForPickup' }],
] as const)('it is offered as in stock (%s) where it is %s', (isOffered, _, shipment) => {
  expect(isOfKind('stock', shipment, 'shop')).toBe(isOffered);
});

test('what comes back is for the dispatcher, wherever it is, and a parcel is anything', () => {
  const back = { toUserUid: 'shop', stateCode: 'Registered' };
  expect([isOfKind('intake', back, 'shop'), isOfKind('intake', back, null)]).toEqual([true, false]);
  expect(isOfKind('parcel', back, null)).toBe(true);
});
