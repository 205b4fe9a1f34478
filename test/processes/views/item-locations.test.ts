// Where the items of a process are: that somebody has one is data, whatever the words for it are.
import { expect, test } from 'vitest';
import type { FollowedLeg } from '../../../contract/flows/booking-progress.ts';
import { type WhereTexts, whereOf } from '../../../processes/views/item-locations.ts';
import { newProgress } from '../../support/progress.ts';

const leg = (shipmentUid: string, stateCode: string): FollowedLeg => ({
  shipmentUid,
  stateCode,
  stateStart: null,
  pupUid: 'pup-central',
  lockerName: '7',
  done: stateCode === 'Completed',
});

const texts: WhereTexts = {
  left: () => 'the same',
  withUser: () => 'the same',
  notYet: () => 'the same',
  inside: () => 'the same',
};

test('an item that is out and to be brought back is with somebody; one that nobody had yet is not', () => {
  const isWithPerson = (shipments: Record<string, FollowedLeg>, isOpen = true) =>
    whereOf(newProgress({ shipments }), isOpen, texts).map((each) => each.isWithPerson === true);
  const intake = leg('intake', 'ReadyForDropoff');
  const out = { issue: leg('issue', 'Completed'), intake };
  expect(isWithPerson(out)).toEqual([true]);
  expect(isWithPerson({ intake })).toEqual([false]);
  expect(isWithPerson({ issue: leg('issue', 'ReadyForPickup'), intake })).toEqual([false, false]);
  expect(whereOf(newProgress({ shipments: out }), true)[0]).toMatchObject({
    words: 'With the user; locker 7 is booked for it',
    booked: 'locker 7 is booked for it',
  });
  // Who has it now an ended process does not know.
  expect(isWithPerson(out, false)).toEqual([false]);
});
