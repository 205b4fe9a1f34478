import { expect, test } from 'vitest';
import { roles, stages } from '../../../contract/flows/flow-input.ts';
import { timerName, timerNamed } from '../../../flows/booking/timer-names.ts';

const timers = roles.flatMap((role) =>
  stages.flatMap((stage) => [false, true].map((isReminder) => ({ role, stage, isReminder }))),
);

test.each(timers)('the timer $role.$stage (reminder: $isReminder) is read again from its name', (timer) => {
  expect(timerNamed(timerName(timer, Date.parse('2031-05-01T12:00:00Z')), roles)).toEqual(timer);
});

test('a timer of a chart is none of a deadline', () => {
  expect(['P3D', 'wait in lent', 'issue: lost until Monday'].map((name) => timerNamed(name, roles))).toEqual([
    ...[null, null, null],
  ]);
});
