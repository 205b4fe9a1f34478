import { afterEach, expect, test } from 'vitest';
import { durationIsOver, formatDuration } from '../../../processes/views/readable.ts';
import { dutch } from '../../../shared/texts/dutch.ts';
import { readBy } from '../../../shared/texts/text.ts';

afterEach(() => readBy(() => undefined));

test('a duration is said in the language of the reader', () => {
  expect(['P12D', 'PT1S', 'P1Y2MT3H', 'soon'].map(formatDuration)).toEqual([
    ...['12 days', '1 second', '1 year 2 months 3 hours'],
    null,
  ]);
  readBy(() => ({ locale: 'nl', catalogue: dutch }));
  expect(formatDuration('P1Y2MT3H')).toMatch(/^1 jaar 2 maanden 3 u/);
  expect(durationIsOver(formatDuration('P12D') ?? '')).toMatch(/^12 dagen /);
});
