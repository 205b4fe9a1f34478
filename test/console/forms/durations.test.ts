// Durations as people write them, and as flows take them.
import { expect, test } from 'vitest';
import { durationIn, formatDuration } from '../../../console/page/forms/durations.ts';

test.each([
  ['3 days', 'P3D'],
  ['1 day', 'P1D'],
  ['36 hours', 'PT36H'],
  ['1 week', 'P1W'],
  ['1 day 12 hours', 'P1DT12H'],
  ['90 min', 'PT90M'],
  ['2 d', 'P2D'],
  ['  10   Days ', 'P10D'],
  ['PT36H', 'PT36H'],
  ['P2W', 'P2W'],
])('%j is %s', (typed, iso) => {
  expect(durationIn(typed)).toBe(iso);
});

test.each(['', 'days', '0 days', 'P', 'PT', '3', 'three days', '-1 day', '3 days later', 'P3X', '1.5 days'])(
  '%j is no duration',
  (typed) => {
    expect(durationIn(typed)).toBeUndefined();
  },
);

test('what a flow has is said in words that can be typed again', () => {
  for (const iso of ['P3D', 'PT36H', 'P1W', 'P1DT12H30M', 'PT1S'])
    expect(durationIn(formatDuration(iso))).toBe(iso);
  expect(formatDuration('P1DT12H')).toBe('1 day 12 hours');
  expect(formatDuration('soon')).toBe('soon');
});
