// docs/flow-files.md: Processes that start by themselves
// Cron expressions of schedules: which a file may have, and what Temporal is given.
import { expect, test } from 'vitest';
import { cronProblem, temporalCron } from '../../../../flows/language/reading/schedules.ts';

test.each([
  ['0 8 * * MON', '0 8 * * MON'],
  ['  */15 8-17  * * mon-FRI ', '*/15 8-17 * * mon-FRI'],
  ['0 6 1,15 JAN-jun *', '0 6 1,15 JAN-jun *'],
  ['0 8 * * MON#1', '0 8 1-7 * MON'],
  ['0 8 * * 5#4', '0 8 22-28 * 5'],
  ['0 8 * 3 sun#5', '0 8 29-31 3 sun'],
  ['5/10 0 31 12 *', '5/10 0 31 12 *'],
  ['0 0 * * 7', '0 0 * * 7'],
])('a file may have %j', (cron, temporal) => {
  expect(cronProblem(cron)).toBeUndefined();
  expect(temporalCron(cron)).toBe(temporal);
});

test.each([
  ['@daily', '1 field', 'minute, hour, day of the month, month, day of the week'],
  ['0 0 8 * * MON', '6 fields', 'minute, hour'],
  ['60 8 * * *', '60 as the minute', '0 to 59'],
  ['0 8 0 * *', '0 as the day of the month', '1 to 31'],
  ['0 8 * MON *', 'MON as the month', '1 to 12, JAN, FEB …'],
  ['0 8 * * Monday', 'Monday as the day of the week', 'MON#1 for the first Monday of the month'],
  ['0 8 * * FRI-MON', 'FRI-MON as the day of the week', 'a range such as 0-4'],
  ['0 8 * * MON#6', 'MON#6 as the day of the week', 'MON#1'],
  ['0 8 * * MON#1,TUE#1', 'MON#1 as the day of the week', 'MON#1'],
  ['0 8 * * MOM#1', 'MOM as the day of the week', 'SUN, MON …'],
  ['0 8 L * *', 'L as the day of the month', '1 to 31'],
  ['*/0 8 * * *', '*/0 as the minute', 'a step such as */5'],
  ['0 8 1-7 * MON', 'a day of the month together with a day of the week', 'MON#1'],
  ['0 8 1 * MON#1', 'a day of the month together with a day of the week', 'MON#1'],
])('%j is refused, with what was expected', (cron, wrong, expected) => {
  expect(cronProblem(cron)).toEqual({ wrong, expected: expect.stringContaining(expected) });
});
