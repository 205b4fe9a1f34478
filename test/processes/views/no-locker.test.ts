// Why no locker was free, in words: by the numbers that the service gives, never by its sentence.
import { expect, test } from 'vitest';
import type { LockersTried } from '../../../contract/wire/lockers-tried.ts';
import { formatNoLocker, formatTried } from '../../../processes/views/no-locker.ts';

const size = (more: Partial<LockersTried['tried'][number]> = {}) => ({
  pupUid: 'pup-station',
  size: 'M',
  lockers: 5,
  taken: 5,
  outOfOrder: 0,
  toBeEmptied: 0,
  ...more,
});
const tried = (...sizes: LockersTried['tried']): LockersTried => ({
  itemSides: [20, 30, 40],
  tried: sizes,
  allowLargerLockers: true,
  allowOverflowLockers: false,
});
const names = new Map([
  ['pup-station', 'Station'],
  ['pup-central', 'Central'],
]);

test('a pick up point whose lockers are all taken is full', () => {
  const full = tried(size(), size({ size: 'L', lockers: 3, taken: 3 }));
  expect(formatNoLocker(full, names)).toBe('Station is full: no locker is free for 20 × 30 × 40 cm');
  expect(formatTried(full, names)).toBe(
    'Tried: 5 of size M (5 taken), 3 of size L (3 taken). Larger lockers were allowed, other pick up points were not allowed.',
  );
});

test('one that has lockers out of order is not called full', () => {
  const broken = tried(size({ taken: 3, outOfOrder: 1, toBeEmptied: 1 }));
  expect(formatNoLocker(broken, names)).toBe('at Station no locker is free for 20 × 30 × 40 cm');
  expect(formatTried(broken, names)).toContain('5 of size M (3 taken, 1 out of order, 1 to be emptied)');
});

test('one whose doors stand open says how many', () => {
  const open = (taken: number, doorOpen: number) => formatTried(tried(size({ taken, doorOpen })), names);
  expect(open(4, 1)).toContain('5 of size M (4 taken, 1 with its door open)');
  expect(open(3, 2)).toContain('5 of size M (3 taken, 2 with their doors open)');
});

test('several are named together, and one without a name is not', () => {
  const two = tried(size(), size({ pupUid: 'pup-central' }));
  expect(formatNoLocker(two, names)).toBe(
    'Station and Central are full: no locker is free for 20 × 30 × 40 cm',
  );
  expect(formatTried(two, names)).toContain('5 of size M at Central');
  expect(formatNoLocker(two)).toBe('no locker is free for 20 × 30 × 40 cm');
});
