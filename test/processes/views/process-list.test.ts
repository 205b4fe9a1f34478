// What lists show without asking anybody: words for states and flows, the next deadline.
import { expect, test } from 'vitest';
import { waitingFor } from '../../../flows/language/waiting-for.ts';
import { formatFlowName, formatLeg, formatState } from '../../../processes/views/format-names.ts';
import { summaryOf } from '../../../processes/views/process-summary.ts';
import { newBooking, newFileProgress } from '../../support/progress.ts';

test('states and flows are said in words, also those of flow files', () => {
  expect(formatFlowName('IssueFromStockAndSubsequentIntake')).toBe('Issue from stock and subsequent intake');
  expect(formatFlowName('IssueFromStockAndSubsequentIntakeAndCircularStock')).toBe('Loan');
  expect(formatFlowName('Check_in')).toBe('Check in');
  expect(formatState('lent.waitingForReturn, noted')).toBe('lent: waiting for return, noted');
  expect(formatLeg({ role: 'intake', state: 'ReadyForPickup', lockerName: '12' })).toBe(
    'Return to be picked up, locker 12',
  );
  // Nobody comes for what is in stock.
  const stock = { role: 'circularStock', state: 'ReadyForPickup', lockerName: '12' };
  expect(formatLeg(stock)).toBe('In stock, locker 12');
  expect(formatLeg({ ...stock, name: 'Charger, back in stock' })).toBe('Charger, back in stock, locker 12');
  expect(formatLeg({ role: null, state: 'lent.waiting', lockerName: null })).toBe('Lent: waiting');
});

test('a timer that runs beside a deadline is not what is due', () => {
  const [reminder, end] = ['2031-05-01T00:00:00.000Z', '2031-05-03T00:00:00.000Z'];
  const timer = waitingFor({ code: 'Time', params: { timer: 'reminder', until: reminder }, until: reminder });
  const hears = waitingFor({ code: 'Event', params: { events: ['extended'] } });
  const role = 'intake' as const;
  const booking = newBooking(
    { id: 'loan', deadlines: [{ role, stage: 'dropOff', until: end, passed: false }] },
    'Intake',
  );
  const waits = { waitingFor: [timer, hears] };
  expect(summaryOf(newFileProgress({ ...waits, bookings: [booking] }), 0).until).toBe(end);
  expect(summaryOf(newFileProgress(waits), 0).until).toBe(reminder);
});

test('nobody is late by a deadline of a stage that has not begun', () => {
  const [passed, end] = ['2031-05-01T00:00:00.000Z', '2031-05-03T00:00:00.000Z'];
  const deadlines = [
    {
      role: 'intake' as const,
      stage: 'dropOff' as const,
      until: passed,
      passed: false,
      ahead: true as const,
    },
    { role: 'issue' as const, stage: 'pickUp' as const, until: end, passed: false },
  ];
  const booking = newBooking({ id: 'loan', deadlines });
  expect(summaryOf(newFileProgress({ bookings: [booking] }), 0).until).toBe(end);
});

test('the next deadline of a flow file is the first end of what it waits for', () => {
  const waitingFor = [
    { words: 'an answer', until: null },
    { words: 'a reminder', until: '2031-05-02T00:00:00.000Z' },
    { words: 'the end', until: '2031-05-01T00:00:00.000Z' },
  ];
  expect(summaryOf(newFileProgress({ waitingFor: waitingFor as never }), 0).until).toBe(
    '2031-05-01T00:00:00.000Z',
  );
});
