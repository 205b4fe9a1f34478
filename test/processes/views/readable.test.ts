import { expect, test } from 'vitest';
import { durationIsOver, formatDuration } from '../../../processes/views/readable.ts';
import { inLocale } from '../../../shared/texts/reader-of-request.ts';

test('a duration is said in the language of the reader', () => {
  expect(['P12D', 'PT1S', 'P1Y2MT3H', 'soon'].map(formatDuration)).toEqual([
    ...['12 days', '1 second', '1 year 2 months 3 hours'],
    null,
  ]);
  expect(inLocale('nl', () => formatDuration('P1Y2MT3H'))).toMatch(/^1 jaar 2 maanden 3 u/);
  expect(['P12D', 'PT1S', 'P1DT1H', 'soon'].map(durationIsOver)).toEqual([
    ...['12 days are over', '1 second is over', '1 day 1 hour are over'],
    null,
  ]);
  expect(inLocale('nl', () => ['P12D', 'P1D'].map(durationIsOver))).toEqual([
    '12 dagen zijn voorbij',
    '1 dag is voorbij',
  ]);
});
