// Moments as people type them at a terminal, in its time.
import { expect, test } from 'vitest';
import { endIn, formatMoment, momentIn, searchedMomentIn } from '../../cli/moments.ts';

const now = new Date(2026, 10, 28, 7, 30);
const read = (text: string) => momentIn(text, '--since', now);

test.each([
  ['22:00', new Date(2026, 10, 27, 22, 0)],
  ['07:30', now],
  ['7:31', new Date(2026, 10, 27, 7, 31)],
  ['8h', new Date(2026, 10, 27, 23, 30)],
  ['90min', new Date(2026, 10, 28, 6, 0)],
  ['10m', new Date(2026, 10, 28, 7, 20)],
  ['2d', new Date(2026, 10, 26, 7, 30)],
  ['2026-11-27', new Date(2026, 10, 27)],
  ['2026-11-27 22:00', new Date(2026, 10, 27, 22, 0)],
  ['2026-11-27T22:00:05', new Date(2026, 10, 27, 22, 0, 5)],
  ['2026-11-27T22:00:00Z', new Date('2026-11-27T22:00:00Z')],
  ['2026-11-27T22:00:00+05:30', new Date('2026-11-27T16:30:00Z')],
])('%s is a moment', (text, expected) => {
  expect(read(text)).toEqual(expected);
});

test.each([
  '',
  'yesterday',
  '24:00',
  '22:60',
  '8',
  '8y',
  '-8h',
  '2026-02-31',
  '2026-02-30T12:00:00Z',
  '2026-13-01',
  '2026-11-27 22',
])('“%s” is none', (text) => {
  expect(() => read(text)).toThrow(`--since ${text} is not a moment; expected one like 22:00, 8h, 30min`);
});

test.each([
  ['22:00', new Date(2026, 10, 27, 22, 0)],
  ['8h', new Date(2026, 10, 27, 23, 30)],
  ['2026-11-27 22:00', new Date(2026, 10, 27, 22, 0)],
  ['2026-11-27', new Date('2026-11-27T00:00:00Z')],
  ['2026-11-27T22:00', new Date('2026-11-27T22:00:00Z')],
  ['2026-11-27t22:00:00.5z', new Date('2026-11-27T22:00:00.500Z')],
  ['2026-11-27T22:00:00+05:30', new Date('2026-11-27T16:30:00Z')],
])('a search takes %s, and what scripts write without an offset as UTC', (text, expected) => {
  expect(searchedMomentIn(text, '--started-after', now)).toEqual(expected);
});

test.each([
  ['22:00', new Date(2026, 10, 28, 22, 0)],
  ['07:30', new Date(2026, 10, 29, 7, 30)],
  ['2026-11-30 22:00', new Date(2026, 10, 30, 22, 0)],
  ['2026-11-30T22:00', new Date(2026, 10, 30, 22, 0)],
  ['2026-11-30T22:00:00Z', new Date('2026-11-30T22:00:00Z')],
])('%s is an end to come', (text, expected) => {
  expect(endIn(text, '--until', now)).toEqual(expected);
});

test.each(['8h', '2026-11-30', '2026-02-30 22:00'])('“%s” is no end', (text) => {
  expect(() => endIn(text, '--until', now)).toThrow(
    `--until ${text} is not a moment; expected one like 22:00, "2026-11-27 22:00" or`,
  );
});

test('a moment is printed as it may be typed', () => {
  expect(read(formatMoment(new Date(2026, 0, 5, 3, 4).toISOString()))).toEqual(new Date(2026, 0, 5, 3, 4));
});
