// What a person may do to a process: only what its chart takes now, each with its consequence, before it is done.
import { describe, expect, test } from 'vitest';
import type { FlowFileProgress } from '../../../client/flow-files/flow-file-handle.ts';
import { entryOf } from '../../../console/inbox/decisions.ts';
import { choicesOf } from '../../../console/process/choices.ts';
import type { ProcessStatus } from '../../../console/process/process-view.ts';
import type { Progress } from '../../../contract/flows/flow-messages.ts';
import type { FoundFlow } from '../../../processes/views/found-flows.ts';

const at = '2031-05-01T12:00:00.000Z';
const inLocker = {
  shipmentUid: 's-1',
  stateCode: 'ReadyForPickup',
  stateStart: at,
  pupUid: 'pup-1',
  lockerName: '4',
};

const progress: Progress = {
  ...{
    flow: 'IssueAndSwapIntake',
    version: 1,
    phase: 'Open',
    outcome: null,
    activity: 'Following',
    awaits: [],
  },
  shipments: {
    issue: { ...inLocker, done: false },
    intake: { ...inLocker, shipmentUid: 's-2', stateCode: 'Registered', done: false },
  },
  ...{ unassigned: [], deadlines: [], itemsLeft: [], ledger: [], resolutions: [] },
} as Progress;

const status = (changes: Partial<ProcessStatus> = {}): ProcessStatus => ({
  ...{ key: 'order-1', runId: 'run-1', flow: 'IssueAndSwapIntake', status: 'RUNNING', isOpen: true },
  ...{ startedAt: at, closedAt: null, chartId: 'chart', active: [], next: [], nextLines: [], timers: [] },
  ...{
    progress,
    unanswered: null,
    trying: [],
    cost: { events: 1, bytes: 1 },
    temporalUi: '',
    clockAheadMs: 0,
  },
  ...changes,
});

const resolveBy = (...actions: string[]): ProcessStatus['next'] =>
  actions.map((action) => ({
    ...{ from: 'bookingUnknown', to: [], event: 'resolve', guard: `canResolve(${action})`, actions: [] },
    reenters: false,
  }));

const idsOf = (given: ProcessStatus) => choicesOf(given).map(({ id }) => id);
const choice = (given: ProcessStatus, id: string) => choicesOf(given).find((each) => each.id === id);

test('a flow that follows its shipments can be extended, given a receiver and cancelled', () => {
  expect(idsOf(status())).toEqual(['extend', 'setReceiver', 'removeReceiver', 'cancel']);
  const [deadline] = choice(status(), 'extend')?.fields ?? [];
  expect(deadline?.options).toEqual(['issue.dropOff', 'issue.pickUp', 'intake.pickUp']);
  // Of one that can be fetched the receiver is fixed.
  expect(choice(status(), 'setReceiver')?.fields[0]?.options).toEqual(['intake']);
});

test('the consequence of a cancellation names the shipments, and the item that somebody must fetch', () => {
  expect(choice(status(), 'cancel')?.consequence).toBe(
    'The flow undoes what it has booked, and ends as cancelled. These shipments are cancelled: issue, intake. Somebody must fetch what stays in a locker: issue in locker 4 of pup-1. It cannot be taken back.',
  );
});

describe('a flow in doubt of its booking', () => {
  const doubt = (retryMayBookTwice: boolean | null) =>
    status({
      progress: {
        ...progress,
        ...{ activity: 'NeedsPerson', phase: 'NeedsPerson', shipments: {} },
        doubt: { why: 'the answer was lost', candidates: ['s-7'], retryMayBookTwice },
      },
      next: resolveBy('retry', 'adopt', 'giveUp'),
    });

  test('has the decisions that its chart takes first, and no deadline to extend', () => {
    expect(idsOf(doubt(false))).toEqual(['resolve.retry', 'resolve.adopt', 'resolve.giveUp', 'cancel']);
  });

  test('is offered the same in the inbox, in the same words', () => {
    const found = { workflowId: 'order-1', startedAt: at, pickUpPoint: null } as FoundFlow;
    const [entry] = entryOf(found, doubt(true).progress as Progress);
    const onPage = choicesOf(doubt(true)).filter(({ id }) => id.startsWith('resolve.'));
    expect(entry?.actions).toEqual(
      onPage.map((choice) => ({ ...choice, id: choice.id.replace('resolve.', '') })),
    );
  });

  test.each([
    [false, /It books nothing twice/],
    [true, /retry may book a second time/],
    [null, /perhaps the service cannot be asked .* retry may book a second time/],
  ] as const)('says what trying again may do, where booking twice is %s', (may, words) => {
    expect(choice(doubt(may), 'resolve.retry')?.consequence).toMatch(words);
  });

  test('asks for a shipment of each role, and proposes what the listing showed', () => {
    const fields = choice(doubt(false), 'resolve.adopt')?.fields ?? [];
    expect(fields.map(({ name }) => name)).toEqual(['shipments.issue', 'shipments.intake', 'why']);
    expect(fields[0]?.hint).toBe('It may be s-7.');
  });
});

test('a cancelled flow that could not undo all is told what trying again, a state and its end mean there', () => {
  const stuck = status({
    progress: { ...progress, activity: 'NeedsPerson', phase: 'NeedsPerson' },
    next: resolveBy('retry', 'setState', 'giveUp'),
  });
  const labels = choicesOf(stuck).map(({ label }) => label);
  expect(labels).toEqual(['Try to undo it again', 'Say what state it is in', 'Leave it as it is', 'Cancel']);
  expect(choice(stuck, 'resolve.giveUp')).toMatchObject({
    consequence: expect.stringContaining('stays booked'),
    isDestructive: true,
  });
});

test('a process of a flow file has its questions, its events, and the decisions of one that stands still', () => {
  const file: FlowFileProgress = {
    ...{
      flow: 'Loan',
      version: 2,
      phase: 'Open',
      activity: 'Running',
      awaits: [],
      state: 'out',
      tags: [],
      children: [],
    },
    ...{ events: ['repaired'], childEvents: ['loan.*'], dropped: 0, timers: [], held: null },
    questions: [
      {
        ...{ id: 'look', of: 'desk', question: 'Is it <b>broken</b>?', askedAt: at, until: null },
        fields: {
          broken: { type: 'yesNo' },
          state: { choice: ['new', 'old'], label: 'State', optional: true },
        },
      },
    ],
  };
  const open = status({ flow: 'Loan', progress: file });
  expect(idsOf(open)).toEqual(['answer:look', 'event', 'cancel']);
  expect(choice(open, 'answer:look')?.fields).toEqual([
    { name: 'values.broken', label: 'broken', kind: 'yesNo' },
    { name: 'values.state', label: 'State', kind: 'select', options: ['new', 'old'], optional: true },
  ]);
  expect(choice(open, 'event')?.fields[0]?.options).toEqual(['repaired']);
  expect(idsOf(status({ flow: 'Loan', progress: { ...file, events: [] } }))).toEqual([
    'answer:look',
    'cancel',
  ]);
  const held = { code: 'ExpressionFailed', message: 'no such field', event: 'repaired' };
  const stuck = status({ flow: 'Loan', progress: { ...file, held, questions: [] } });
  expect(idsOf(stuck)).toEqual(['dropEvent', 'giveUp', 'cancel']);
  expect(choice(stuck, 'dropEvent')?.consequence).toContain('The event repaired');
});

test('a process that has ended takes nothing; one that no worker answers for can still be cancelled', () => {
  expect(choicesOf(status({ isOpen: false }))).toEqual([]);
  expect(idsOf(status({ flow: 'Issue', progress: null }))).toEqual(['cancel']);
  expect(idsOf(status({ flow: 'ParkedCallback', progress: null }))).toEqual([]);
});
