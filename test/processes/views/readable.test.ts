import { expect, test } from 'vitest';
import { durationIsOver, formatDuration } from '../../../processes/views/readable.ts';
import { inLocale } from '../../../shared/texts/reader-of-request.ts';

test('a duration is said in the language of the reader', () => {
  expect(['P12D', 'PT1S', 'P1Y2MT3H', 'soon'].map(formatDuration)).toEqual([
    ...['12 days', '1 second', '1 year 2 months 3 hours'],
    null,
  ]);
  expect(inLocale('nl', () => formatDuration('P1Y2MT3H'))).toMatch(/^1 jaar 2 maanden 3 u/);
  expect(inLocale('nl', () => durationIsOver(formatDuration('P12D') ?? ''))).toMatch(/^12 dagen /);
});
