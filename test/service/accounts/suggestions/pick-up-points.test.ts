// A row of an upload may name its pick up point by uid or by name.
import { expect, test } from 'vitest';
import { PickUpPoints } from '../../../../service/accounts/suggestions/suggestion.ts';

const points = new PickUpPoints([
  { pupUid: 'pup-1', name: 'Central' },
  { pupUid: 'pup-2', name: 'Station' },
  { pupUid: 'pup-3', name: 'station ' },
  { pupUid: 'Central', name: 'North' },
]);

test('a pick up point is found by its uid, or by its name in any case', () => {
  expect(['pup-1', ' cENTRAL', 'north', null].map((text) => points.uidOf(text))).toEqual([
    'pup-1',
    'pup-1',
    'Central',
    null,
  ]);
  expect(points.problemOf('north')).toBeUndefined();
});

test('a uid wins over an equal name', () => {
  expect(points.uidOf('Central')).toBe('Central');
});

test('a name that several have is refused with the advice to give the uid', () => {
  expect(points.uidOf('Station')).toBeNull();
  expect(points.problemOf('Station')).toBe('is the name of several pick up points; give the uid');
  expect(points.problemOf('South')).toBe('is not a pick up point of yours, neither by uid nor by name');
});
