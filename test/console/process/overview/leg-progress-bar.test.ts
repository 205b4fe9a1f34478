// The progress bar of a built-in flow: what its declaration and its progress say of the stages of each shipment.
import { describe, expect, test } from 'vitest';
import { legProgressBar } from '../../../../console/process/overview/leg-progress-bar.ts';
import type { Progress } from '../../../../contract/flows/flow-answers.ts';
import { rolesOf } from '../../../../flows/built-in/declaration.ts';
import { declarations } from '../../../../flows/built-in/flows.ts';
import { newProgress } from '../../../support/progress.ts';

const CIRCLE = 'IssueFromStockAndSubsequentIntakeAndCircularStock';

const progressOf = (given: Partial<Progress>): Progress => newProgress({ flow: CIRCLE, ...given });

const leg = (shipmentUid: string, stateCode: string, done = false) => ({
  shipmentUid,
  stateCode,
  stateStart: '2031-05-01T12:00:00.000Z',
  pupUid: 'pup-1',
  lockerName: '7',
  done,
});

const shown = (given: Partial<Progress>, hasFailed = false) =>
  legProgressBar(progressOf(given), hasFailed).map(({ title, stages }) => [
    title,
    ...stages.map((each) => `${each.status} ${each.title}`),
  ]);

const waiting = {
  issue: leg('S', 'ReadyForPickup'),
  intake: leg('R', 'Registered'),
  circularStock: leg('C', 'Registered'),
};

test('a lane for each shipment: what is over, what is awaited with its end, what comes', () => {
  const until = '2031-05-04T12:00:00.000Z';
  const waitingFor = [
    {
      kind: 'leg',
      code: 'PickUp',
      role: 'issue',
      stage: 'pickUp',
      since: null,
      until,
      who: 'receiver',
      words: '',
    },
  ] as const;
  expect(shown({ shipments: waiting, waitingFor })).toEqual([
    ['Delivery', 'past Booked', 'present To be picked up', 'future Done'],
    ['Return', 'present Booked ahead', 'future To be dropped off', 'future Done'],
    ['Back in stock', 'present Booked ahead', 'future In stock'],
  ]);
  const [issue] = legProgressBar(progressOf({ shipments: waiting, waitingFor }), false);
  expect(issue?.stages[1]).toMatchObject({ until, isOverdue: false, since: '2031-05-01T12:00:00.000Z' });
});

test('what is done is over, also where nothing follows', () => {
  const shipments = {
    issue: leg('S', 'Completed', true),
    intake: leg('R', 'Completed', true),
    circularStock: leg('C', 'ReadyForPickup', true),
  };
  expect(shown({ shipments, activity: 'Ended', outcome: 'Done', phase: null })).toEqual([
    ['Delivery', 'past Booked', 'past Taken out', 'past Done'],
    ['Return', 'past Booked', 'past Dropped off', 'past Done'],
    ['Back in stock', 'past Booked', 'past In stock'],
  ]);
});

test('what is over has been so since the state after it began', () => {
  const report = (stateCode: string, hour: number) => ({
    shipmentUid: 'S',
    stateCode,
    stateStart: `2031-05-01T${hour}:00:00.000Z`,
    judgement: 'next' as const,
    times: 1,
    receivedAt: '2031-05-02T00:00:00.000Z',
  });
  const reportHistory = [report('ReadyForPickup', 10), report('Completed', 11)].toReversed();
  const [issue] = legProgressBar(
    progressOf({ shipments: { ...waiting, issue: leg('S', 'Completed', true) }, reportHistory }),
    false,
  );
  expect(issue?.stages.map(({ title, since }) => [title, since])).toEqual([
    ['Booked', null],
    ['Taken out', '2031-05-01T11:00:00.000Z'],
    ['Done', '2031-05-01T12:00:00.000Z'],
  ]);
});

test('a booking that nobody knows of is a failure, and so is a contradiction', () => {
  const doubt = {
    kind: 'decision',
    code: 'BookingUnknown',
    who: 'operator',
    since: null,
    until: null,
    words: '',
  } as const;
  const inDoubt = { activity: 'NeedsPerson', phase: 'NeedsPerson', waitingFor: [doubt] } as const;
  expect(shown(inDoubt)[0]?.[1]).toBe('failed Booking in doubt');
  const waitingFor = [{ ...doubt, reason: 'Contradiction', shipmentUid: 'S' } as const];
  expect(shown({ shipments: waiting, waitingFor })[0]?.[2]).toBe('failed To be picked up');
});

test('one that was cancelled says where it was before, and has nothing to come', () => {
  const reportHistory = ['ReadyForPickup', 'Cancelled'].map((stateCode) => ({
    shipmentUid: 'S',
    stateCode,
    stateStart: null,
    judgement: 'next' as const,
    times: 1,
    receivedAt: '2031-05-01T12:00:00.000Z',
  }));
  const shipments = { issue: leg('S', 'Cancelled') };
  const ended = { activity: 'Ended', outcome: 'Overdue', phase: null } as const;
  expect(shown({ ...ended, shipments, reportHistory })[0]).toEqual([
    ...['Delivery', 'past Booked', 'past To be picked up', 'failed Cancelled'],
  ]);
});

test('one that failed before it was booked says so', () => {
  expect(shown({ activity: 'Ended', phase: null }, true)[0]).toEqual(['Delivery', 'failed Not booked']);
});

describe.each(declarations)('$name', (flow) => {
  test('has a lane for each leg, which ends where the leg is done', () => {
    const begun = legProgressBar(progressOf({ flow: flow.name, activity: 'Booking' }), false);
    expect(begun.length).toBe(rolesOf(flow).length);
    for (const [index, { stages }] of begun.entries()) {
      expect(stages[0]?.status).toBe(index === 0 ? 'present' : 'future');
      expect(stages.at(-1)?.title).toMatch(/^(Done|In stock)$/);
    }
    const shipments = Object.fromEntries(
      rolesOf(flow).map((role) => [role, leg(role, flow.legs[role]?.begins ?? 'ReadyForPickup')]),
    );
    for (const { stages } of legProgressBar(progressOf({ flow: flow.name, shipments }), false))
      expect(stages.filter(({ status }) => status === 'present')).toHaveLength(1);
  });
});
