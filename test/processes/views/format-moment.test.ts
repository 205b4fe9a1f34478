// Moments in texts that leave the console.
import { expect, test } from 'vitest';
import { formatMoment } from '../../../processes/views/format-moment.ts';

test('a moment names its zone: whoever reads it may be elsewhere', () => {
  expect(formatMoment('2026-12-12T10:15:00Z', 'Europe/Amsterdam')).toBe('Sat 12 Dec, 11:15 CET');
  expect(formatMoment('2026-07-12T10:15:00Z', 'Europe/Amsterdam')).toBe('Sun 12 Jul, 12:15 CEST');
  expect(formatMoment('2026-12-12T10:15:00Z', 'America/New_York')).toBe('Sat 12 Dec, 05:15 GMT-5');
  expect(formatMoment('2026-12-12T10:15:00Z', 'UTC')).toBe('Sat 12 Dec, 10:15 UTC');
});

test('where no zone is known it is that of the installation', () => {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  expect(formatMoment('2026-12-12T10:15:00Z', null)).toBe(formatMoment('2026-12-12T10:15:00Z', timeZone));
});
