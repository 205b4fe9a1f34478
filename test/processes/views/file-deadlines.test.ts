// What has a time in a flow file, as lists of flows show it.
import { expect, test } from 'vitest';
import { deadlinesOfFile } from '../../../processes/views/file-deadlines.ts';
import { fileOf } from '../../flows/language/names.ts';

const request = '{ priorShipmentUid: s-1, toUserUid: user-anna }';
const operation = 'CreateLocalShipmentAsIssueFromStockAndSubsequentIntakeAndCircularStock';

test('timers have their names, and the deadlines of a booking their role, stage and length', () => {
  const file = fileOf(`
name: Loan
meaning: A device is lent.
calendars: { desk: { zone: Europe/Amsterdam, open: { MON-FRI: "09:00-17:00" } } }
initial: lent
states:
  lent:
    invoke:
      id: loan
      src: book
      input:
        operation: ${operation}
        request: ${request}
        deadlines: { issue: { pickUp: { open: P3D, in: desk } }, intake: { dropOff: P14D, pickUp: { date: P1D, at: closing, in: desk } } }
      onDone: over
      onError: over
    initial: early
    states:
      early:
        after:
          "\${later(now, 'P12D')}": { name: reminder, target: soon }
          P20D: soon
      soon: { after: { P1D: { name: lastCall, target: early } } }
  over: { type: final }
`);
  expect(deadlinesOfFile(file)).toEqual([
    'lent.early: reminder',
    'lent.early: after P20D',
    'lent.soon: lastCall (P1D)',
    'issue.pickUp (P3D open in desk)',
    'intake.dropOff (P14D)',
    'intake.pickUp (P1D date in desk, at closing)',
  ]);
});

test('of several bookings each deadline has its booking, and one that is the whole process takes those of its start', () => {
  const booked = (id: string, deadlines: string) =>
    `{ id: ${id}, src: book, input: { operation: CreateLocalShipmentAsIssueFromStock, request: ${request}, deadlines: ${deadlines} } }`;
  const file = fileOf(`
name: Two
meaning: Two things are lent.
initial: lent
states:
  lent: { invoke: [ ${booked('one', '{ issue: { pickUp: P1D } }')}, ${booked('other', '{ issue: { pickUp: P2D } }')} ] }
`);
  expect(deadlinesOfFile(file)).toEqual(['one.issue.pickUp (P1D)', 'other.issue.pickUp (P2D)']);
  const whole = fileOf(`
name: Whole
meaning: It is one booking.
initial: booked
states:
  booked: { invoke: { src: book, input: { operation: ${operation}, isWhole: true }, onDone: over } }
  over: { type: final }
`);
  expect(deadlinesOfFile(whole)).toContain('intake.dropOff');
});
