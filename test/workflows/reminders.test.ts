// docs/connectors.md: What built-in flows tell
// When the reminder before a deadline comes: how long the chart waits before it sends the reminder.
import { expect, test, vi } from 'vitest';
import { type FlowContext, newShipment, nothingKnown } from '../../flows/booking/known.ts';
import { delayOfReminder } from '../../flows/booking/reminders.ts';

const HOUR_MS = 3_600_000;
const NOW = Date.parse('2031-05-01T12:00:00Z');

/** An issue whose pick-up deadline is one day, counted from so many hours ago. */
function hoursToReminder(begunHoursAgo: number, input: object): number {
  vi.useFakeTimers({ now: NOW, toFake: ['Date'] });
  try {
    const since = NOW - begunHoursAgo * HOUR_MS;
    const start = { flow: 'Issue', version: 1, workflowId: 'case-1', firstExecutionRunId: 'run-1' };
    const answeredAt = new Date(since).toISOString();
    const known = {
      ...nothingKnown({ ...start, input: { request: {}, ...input } }, Date.now()),
      booking: { answeredAt, knownAt: answeredAt, caseNo: null, pupUid: null, references: [] },
      shipments: [{ ...newShipment('shipment-1'), role: 'issue', stateCode: 'ReadyForPickup', since }],
    } as unknown as FlowContext;
    return delayOfReminder(known, 'issue', 'pickUp', Date.now()) / HOUR_MS;
  } finally {
    vi.useRealTimers();
  }
}

const tell = { events: ['reminder'], remindBefore: 'PT2H' };
const deadlines = { issue: { pickUp: 'P1D' } };

test.each([
  ['its time before the deadline', 0, { deadlines, tell }, 22],
  ['at once where its moment passed unseen', 23, { deadlines, tell }, 0],
  ['never after the deadline', 25, { deadlines, tell }, Number.POSITIVE_INFINITY],
  [
    'never where the stage begins later than its moment',
    0,
    { deadlines, tell: { ...tell, remindBefore: 'P2D' } },
    Number.POSITIVE_INFINITY,
  ],
  ['never without a deadline', 0, { tell }, Number.POSITIVE_INFINITY],
  ['never unless it is asked for', 0, { deadlines, tell: { events: ['ended'] } }, Number.POSITIVE_INFINITY],
  ['never without tell', 0, { deadlines }, Number.POSITIVE_INFINITY],
])('a reminder comes %s', (_, begunHoursAgo, input, hours) => {
  expect(hoursToReminder(begunHoursAgo, input)).toBe(hours);
});
