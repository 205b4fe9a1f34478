// An item fits exactly when one of its six orientations does, and the smallest size is the one of the least volume.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Box, fits, sidesOf } from '../../service/sides.ts';
import { atSizes } from '../support/suite.ts';

const side = fc.oneof(fc.integer({ min: 1, max: 6 }), fc.double({ min: 1, max: 6, noNaN: true }));
const box = fc.record({ width: side, height: side, length: side });

function orientations({ width: a, height: b, length: c }: Box): [number, number, number][] {
  return [
    [a, b, c],
    [a, c, b],
    [b, a, c],
    [b, c, a],
    [c, a, b],
    [c, b, a],
  ];
}

atSizes({ short: 2_000, long: 10000 }, (numRuns, seed) =>
  test('an item fits exactly when one of its six orientations fits side by side', () => {
    fc.assert(
      fc.property(box, box, (item, locker) => {
        const anyFits = orientations(item).some(
          ([width, height, length]) =>
            width <= locker.width && height <= locker.height && length <= locker.length,
        );
        expect(fits(sidesOf(item), sidesOf(locker))).toBe(anyFits);
      }),
      { seed, numRuns },
    );
  }),
);
