// How long until the next try: each wait twice the one before, with an end, and never all at one moment.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { backoffMs } from '../../../shared/limits/backoff.ts';
import { atSizes } from '../../support/suite.ts';

const patience = { firstMs: 1_000, lastMs: 600_000 };

// assumptions: Callbacks, Acceptance
atSizes({ short: 100, long: 1_000 }, (numRuns, seed) =>
  test('each pause is twice the one before, up to 10 min, and jitter takes at most a fifth of it', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000_000 }), (failures) => {
        const longest = Math.min(1_000 * 2 ** (failures - 1), 600_000);
        const pause = backoffMs(failures, patience);
        expect(pause).toBeGreaterThanOrEqual(longest * 0.8);
        expect(pause).toBeLessThanOrEqual(longest);
      }),
      { seed, numRuns },
    );
  }),
);

test('those that failed together do not come back together', () => {
  const pauses = Array.from({ length: 20 }, () => backoffMs(8, patience));
  expect(new Set(pauses).size).toBeGreaterThan(10);
});

test('without jitter a wait is exactly twice the one before', () => {
  const exact = { ...patience, jitter: 0 };
  expect([1, 2, 3, 100].map((failures) => backoffMs(failures, exact))).toEqual([
    1_000, 2_000, 4_000, 600_000,
  ]);
});
