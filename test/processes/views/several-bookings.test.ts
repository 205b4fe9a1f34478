// What is read of a process that has two bookings beside a chart of its own: the shipments of both, each with its booking.
import { describe, expect, test } from 'vitest';
import { formatProgress } from '../../../cli/format-progress.ts';
import { lockersOf } from '../../../console/process/overview/lockers.ts';
import { overviewOf } from '../../../console/process/overview/overview.ts';
import { progressBarOf } from '../../../console/process/overview/progress-bar.ts';
import { processProgressSchema } from '../../../contract/flows/flow-answers.ts';
import { waitingFor } from '../../../flows/language/waiting-for.ts';
import { nextEndOf } from '../../../processes/commands/named-end.ts';
import { entryOf } from '../../../processes/inbox/decisions.ts';
import type { FoundFlow } from '../../../processes/views/found-flows.ts';
import { summaryOf } from '../../../processes/views/process-summary.ts';
import { namesIn } from '../../../processes/views/progress.ts';
import { rowStateOf } from '../../../processes/views/row-state.ts';
import { newBooking, newFileProgress } from '../../support/progress.ts';

const leg = (shipmentUid: string, stateCode: string, lockerName: string | null, done = false) => ({
  shipmentUid,
  stateCode,
  stateStart: '2031-05-01T12:00:00Z',
  pupUid: 'pup-1',
  lockerName,
  done,
});
const report = (shipmentUid: string, receivedAt: string) => ({
  shipmentUid,
  stateCode: 'ReadyForPickup',
  stateStart: null,
  receivedAt,
  judgement: 'next' as const,
  times: 1,
});

const deadline = (until: string) => ({
  role: 'intake' as const,
  stage: 'dropOff' as const,
  until,
  passed: false,
});
const ofLeg = { role: 'intake', until: null, isOverdue: false } as const;
const doubt = { why: 'the connection broke', candidates: [], retryMayBookTwice: null };

const twoBookings = newFileProgress({
  state: { lent: 'both' },
  waitingFor: [
    waitingFor({ code: 'DropOff', params: ofLeg, role: 'intake', booking: 'laptop' }),
    waitingFor({ code: 'PickUp', params: ofLeg, role: 'intake', booking: 'charger' }),
  ],
  bookings: [
    newBooking(
      {
        id: 'laptop',
        shipments: { intake: leg('L', 'ReadyForDropoff', '4') },
        deadlines: [deadline('2031-05-09T12:00:00.000Z')],
        reportHistory: [report('L', '2031-05-01T12:02:00Z')],
      },
      'Intake',
    ),
    newBooking(
      {
        id: 'charger',
        shipments: { intake: leg('C', 'ReadyForPickup', '7') },
        deadlines: [deadline('2031-05-05T12:00:00.000Z')],
        reportHistory: [report('C', '2031-05-01T12:01:00Z')],
      },
      'Intake',
    ),
  ],
});

const process = { flow: 'DeviceLoan', status: 'Running', failure: null, trying: [] as never[] } as const;

test('what it answers is of the published shape', () => {
  expect(processProgressSchema.safeParse(twoBookings).error).toBeUndefined();
});

test('a list has its state and the shipments of both, each with its booking, and the end that comes first', () => {
  const { states, until } = summaryOf(twoBookings, 0);
  expect(states.map(({ booking, role, words }) => [booking, role, words])).toEqual([
    [null, null, 'Lent: both'],
    ['laptop', 'intake', 'Laptop, return to be dropped off, locker 4'],
    ['charger', 'intake', 'Charger, return to be picked up, locker 7'],
  ]);
  expect(until).toBe('2031-05-05T12:00:00.000Z');
  expect(nextEndOf(twoBookings)).toMatchObject({ booking: 'charger', until: '2031-05-05T12:00:00.000Z' });
  expect(nextEndOf(twoBookings, 'laptop')).toMatchObject({ until: '2031-05-09T12:00:00.000Z' });
});

test('the command line shows its state, and the rows of both in one table', () => {
  const lines = formatProgress(twoBookings, new Date('2031-05-01T12:00:00Z'));
  expect(lines).toContain('  in: lent.both');
  expect(lines).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^laptop: intake +ReadyForDropoff.*L$/),
      expect.stringMatching(/^charger: intake +ReadyForPickup.*C$/),
      expect.stringMatching(/^laptop: intake\.dropOff +2031-05-09/),
    ]),
  );
  const reports = lines.slice(lines.findIndex((line) => line.startsWith('last reports')) + 1);
  expect(reports.map((line) => line.split(/ {2,}/)[1])).toEqual(['charger: intake', 'laptop: intake']);
});

test('the page says of each where its item is and what comes, with its stages and its locker', () => {
  const parts = { process, progress: twoBookings, actionForms: [], chart: null, timers: [], parent: null };
  const { where, next } = overviewOf(parts);
  expect(where.map(({ words }) => words)).toEqual([
    'Laptop: not in a locker yet; locker 4 is booked for it',
    'Charger: in locker 7',
  ]);
  expect(next.map(({ words }) => words)).toEqual([
    'Laptop: the user brings the item to the locker.',
    'Charger: the desk takes the item out of the locker.',
  ]);
  const halted = { code: 'ExpressionFailed', message: 'wrong', event: 'back' };
  const stands = { ...parts, progress: { ...twoBookings, phase: 'NeedsPerson', halted } } as const;
  expect(overviewOf(stands).next.map(({ words }) => words)).toEqual([
    'Whoever maintains the flow corrects its file and migrates the case to it.',
    ...next.map(({ words }) => words),
  ]);
  expect(rowStateOf(stands.progress).next).toMatchObject({
    words: 'Whoever maintains the flow corrects its file and migrates the case to it',
    isForUs: true,
  });
  const progressBar = progressBarOf({ ...parts, active: [] });
  expect(progressBar.map(({ title, stages }) => [title, stages.at(1)?.title, stages.at(1)?.status])).toEqual([
    ['Laptop, return', 'To be dropped off', 'present'],
    ['Charger, return', 'Dropped off', 'past'],
  ]);
  expect(lockersOf('loan-1', twoBookings)).toMatchObject([
    { shipmentUid: 'L', words: 'Laptop, return: to be dropped off', goal: 'DropOff' },
    { shipmentUid: 'C', words: 'Charger, return: to be picked up', goal: 'PickUp' },
  ]);
  expect([...namesIn(twoBookings)]).toEqual([
    ['L', 'the return of “Laptop”'],
    ['C', 'the return of “Charger”'],
  ]);
});

describe('the inbox', () => {
  const found = { workflowId: 'loan-1', startedAt: null, pickUpPoint: null } as FoundFlow;
  const [laptop, charger] = twoBookings.bookings;
  const inDoubt = newFileProgress({
    phase: 'NeedsPerson',
    waitingFor: [
      waitingFor({ code: 'BookingUnknown', params: {}, booking: 'charger' }),
      waitingFor({
        code: 'Contradiction',
        params: { shipmentUid: 'L', reported: 'Registered', last: 'Completed' },
        booking: 'laptop',
      }),
    ],
    bookings: [laptop, { ...charger, doubt }].flatMap((each) => each ?? []) as never,
  });

  test('says which booking is in doubt, why, and what else is to be decided', () => {
    const [entry] = entryOf(found, { progress: inDoubt, actions: [{} as never], clockAheadMs: 0 });
    expect(entry).toMatchObject({
      title: 'Device loan, Charger: was it booked?',
      why: expect.stringMatching(
        /connection broke.* The return of “Laptop” is reported as “booked ahead” after “done”\.$/,
      ),
      reasons: [{ code: 'BookingUnknown', params: {} }, { code: 'Contradiction' }],
    });
  });

  test('tells a reason that this release does not know as the process itself words it', () => {
    const [first] = inDoubt.waitingFor;
    const waits = [{ ...first, code: 'Later', why: 'something new' }] as never;
    const [entry] = entryOf(found, {
      progress: { ...inDoubt, waitingFor: waits },
      actions: [{} as never],
      clockAheadMs: 0,
    });
    expect(entry).toMatchObject({ why: 'Something new.' });
  });
});
