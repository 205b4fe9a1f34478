// Quiet hours, by the clock on the wall of a time zone.
import { expect, test } from 'vitest';
import { isQuiet, quietHoursIn } from '../../../processes/notifications/quiet-hours.ts';

const night = quietHoursIn('22:00-07:00 Europe/Amsterdam');
const isQuietAt = (at: string, hours = night) => isQuiet(hours, Date.parse(at));

test('quiet hours go over midnight, and end at their last minute', () => {
  const at = ['20:59', '21:00', '23:30', '05:59', '06:00'].map((clock) =>
    isQuietAt(`2026-11-28T${clock}:00Z`),
  );
  expect(at).toEqual([false, true, true, true, false]);
});

test('quiet hours within a day begin and end on that day', () => {
  const lunch = quietHoursIn('12:00-13:00 UTC');
  const at = ['11:59', '12:00', '12:59', '13:00', '00:30'].map((clock) =>
    isQuietAt(`2026-11-28T${clock}:00Z`, lunch),
  );
  expect(at).toEqual([false, true, true, false, false]);
});

test('in summer they are an hour earlier by UTC, from the very night on', () => {
  // 29 March 2026: 02:00 becomes 03:00; 25 October: 03:00 becomes 02:00.
  expect(isQuietAt('2026-03-28T05:30:00Z')).toBe(true);
  expect(isQuietAt('2026-03-29T05:30:00Z')).toBe(false);
  expect(isQuietAt('2026-10-24T05:30:00Z')).toBe(false);
  expect(isQuietAt('2026-10-25T05:30:00Z')).toBe(true);
});

test.each(['22-7 UTC', '22:00-07:00', '22:00-07:00 Mars', '22:00-22:00 UTC', '24:00-07:00 UTC'])(
  '%s is refused',
  (text) => {
    expect(() => quietHoursIn(text)).toThrow(/^must /);
  },
);
