// How many lockers some cases want at a place, and how many of these are free there.
import { expect, test } from 'vitest';
import type { DeskLockers } from '../../../console/desk/desk-view.ts';

// By a name that the compiler does not follow: it checks the page with the types of a browser, and the tests without.
const PAGE = '../../../console/page/processes/lockers-wanted.ts';
const { wantedAt, wantedIn } = (await import(PAGE)) as {
  wantedAt(at: Pick<DeskLockers, 'sizes'>, wanted: readonly object[]): { sizes: object[]; tooLarge: number };
  wantedIn(outcomes: readonly object[]): readonly object[];
};

const box = (side: number) => ({ width: side, height: side, length: side });
const size = (name: string, side: number, free: number) => ({
  size: name,
  innerDimension: box(side),
  lockers: 20,
  free,
});
const harbour = { sizes: [size('S', 20, 0), size('M', 40, 9), size('L', 60, 2)] };

const wanting = (count: number, dimension: object | null, more: object = {}) =>
  Array.from({ length: count }, (_, at) => ({
    key: `order-${at}`,
    refusal: null,
    consequence: { changes: [], input: { request: { pupUid: 'pup-harbour', dimension, ...more } } },
  }));

test('a case wants the smallest size that holds its item in any orientation', () => {
  const wanted = wantedIn(wanting(12, { width: 10, height: 38, length: 22 }));
  expect(wantedAt(harbour, wanted)).toEqual({
    sizes: [{ size: 'M', wanted: 12, free: 9, larger: 0, short: 3 }],
    tooLarge: 0,
  });
});

test('larger ones count for those that may have one, after those that need them', () => {
  const wanted = wantedIn([
    ...wanting(1, box(50)),
    ...wanting(11, box(30), { allowLargerLockers: true }),
    ...wanting(1, box(61)),
  ]);
  expect(wantedAt(harbour, wanted)).toEqual({
    sizes: [
      { size: 'L', wanted: 1, free: 2, larger: 0, short: 0 },
      { size: 'M', wanted: 11, free: 9, larger: 1, short: 1 },
    ],
    tooLarge: 1,
  });
});

test('without a size, or where no inner size is known, any free locker counts', () => {
  expect(wantedAt(harbour, wantedIn(wanting(12, null)))).toEqual({
    sizes: [{ size: null, wanted: 12, free: 11, larger: 0, short: 1 }],
    tooLarge: 0,
  });
  const untold = { sizes: [{ size: '', innerDimension: null, lockers: 5, free: 3 }] };
  expect(wantedAt(untold, wantedIn(wanting(4, box(10)))).sizes).toMatchObject([
    { size: null, free: 3, short: 1 },
  ]);
});

test('what is refused, and what books no locker of a place, wants none', () => {
  const [one] = wanting(1, box(10));
  const refused = { ...one, refusal: { code: 'FlowRuns', message: 'it runs' }, consequence: null };
  const ofFile = { ...one, consequence: { changes: [], input: { person: 'anna' } } };
  expect(wantedIn([refused, ofFile])).toEqual([]);
});
