// The header Retry-After, in seconds or as a date by the clock of its sender.
import { expect, test } from 'vitest';
import { retryAfterMs } from '../../../shared/limits/retry-after.ts';

const date = 'Fri, 20 Nov 2026 12:00:00 GMT';

test.each([
  ['absent', undefined, null],
  ['in seconds', '120', 120_000],
  ['as a date', 'Fri, 20 Nov 2026 12:02:00 GMT', 120_000],
  ['as a date that is past', 'Fri, 20 Nov 2026 11:00:00 GMT', 0],
  ['unreadable', 'soon', null],
  ['a date in another form', '2026-11-20T12:02:00Z', null],
  ['no whole number', '1.5', null],
])('a Retry-After that is %s is read so', (_, header, expected) => {
  expect(retryAfterMs(header, date)).toBe(expected);
});

test('without the clock of the sender, a date is compared with our own', () => {
  const inAMinute = new Date(Date.now() + 60_000).toUTCString();
  const wait = retryAfterMs(inAMinute, undefined);
  expect(wait).toBeGreaterThan(50_000);
  expect(wait).toBeLessThanOrEqual(60_000);
});
