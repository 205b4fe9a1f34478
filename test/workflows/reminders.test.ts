// docs/connectors.md: What built-in flows tell
// When the reminder before a deadline comes.
import { expect, test } from 'vitest';
import { deadlineOf } from '../../flows/booking/deadlines.ts';
import { type FlowContext, newShipment, nothingKnown } from '../../flows/booking/known.ts';
import { reminderOf } from '../../flows/booking/reminders.ts';

const HOUR_MS = 3_600_000;
const NOW = Date.parse('2031-05-01T12:00:00Z');

/** An issue whose pick-up deadline is one day, counted from so many hours ago. */
function hoursToReminder(begunHoursAgo: number, input: object): number | null {
  const since = NOW - begunHoursAgo * HOUR_MS;
  const start = { flow: 'Issue', version: 1, workflowId: 'case-1', firstExecutionRunId: 'run-1' };
  const answeredAt = new Date(since).toISOString();
  const known = {
    ...nothingKnown({ ...start, input: { request: {}, ...input } }, NOW),
    booking: { answeredAt, knownAt: answeredAt, caseNo: null, pupUid: null, references: [] },
    shipments: [{ ...newShipment('shipment-1'), role: 'issue', stateCode: 'ReadyForPickup', since }],
  } as unknown as FlowContext;
  const until = deadlineOf(known, 'issue', 'pickUp') ?? Number.NaN;
  const moment = reminderOf(known, { role: 'issue', stage: 'pickUp', until }, NOW);
  return moment && (moment - NOW) / HOUR_MS;
}

const tell = { events: ['reminder'], remindBefore: 'PT2H' };
const deadlines = { issue: { pickUp: 'P1D' } };

test.each([
  ['its time before the deadline', 0, { deadlines, tell }, 22],
  ['late where its moment passed unseen', 23, { deadlines, tell }, -1],
  ['never after the deadline', 25, { deadlines, tell }, null],
  [
    'never where the stage begins later than its moment',
    0,
    { deadlines, tell: { ...tell, remindBefore: 'P2D' } },
    null,
  ],
  ['never unless it is asked for', 0, { deadlines, tell: { events: ['ended'] } }, null],
  ['never without tell', 0, { deadlines }, null],
])('a reminder comes %s', (_, begunHoursAgo, input, hours) => {
  expect(hoursToReminder(begunHoursAgo, input)).toBe(hours);
});
