// How an item is found at the desk: by the words that people see, and a locker by its number.
import { expect, test } from 'vitest';
import type { ItemFound } from '../../../console/desk/desk-view.ts';
import { isMeant } from '../../../console/desk/lockers-and-items.ts';

const item = (lockerName: string): ItemFound => ({
  shipmentUid: `019a2b37-7${lockerName}`,
  title: 'Drill',
  referenceNo: 'PO-88',
  lockerName,
  pupName: 'Station',
  stateCode: 'ReadyForPickup',
  toUserUid: null,
});

test.each(['7', 'locker 7', 'locker 7, station', 'dri', 'po-88', 'station', '019a2b37-77'])('%s', (text) => {
  expect(isMeant(item('7'), text)).toBe(true);
});

test.each(['1', 'locker 1', 'a2', 'readyforpickup', 'pup'])('%s finds no other item', (text) => {
  expect(isMeant(item('17'), text)).toBe(false);
});
