// What another version of a file that books would have decided on what the service and people said to its booking.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what the files hold.
// biome-ignore-all lint/suspicious/noThenProperty: what the files hold.
import { expect, test } from 'vitest';
import type { Booked } from '../../../flows/booking/activities.ts';
import { backtest } from '../../../flows/simulation/backtest.ts';
import type { RecordedProcess, Stimulus } from '../../../flows/simulation/recorded-process.ts';
import { fileOf } from '../language/names.ts';

const BEGUN = Date.parse('2026-01-05T09:00:00Z');
const HOUR = 3_600_000;

interface Loan {
  readonly id?: string;
  readonly was?: string;
  readonly operation?: string;
  readonly request?: string;
  readonly legs?: string;
  readonly deadline?: string;
  readonly policy?: string;
  readonly wait?: string;
  /** What it does while it books. */
  readonly more?: string;
  readonly completed?: string;
}

/** It waits for an hour, and lends a tool then. */
const loan = ({
  id = 'loan',
  was = '',
  operation = 'CreateLocalShipmentAsIssue',
  request = '{ toUserUid: anna, description: drill }',
  legs = '{}',
  deadline = 'P1D',
  policy = 'wait',
  wait = 'PT1H',
  more = '',
  completed = '{ actions: { type: emit, params: { type: taken } } }',
}: Loan = {}) =>
  fileOf(`
name: Loan
meaning: A tool is issued from a locker.
initial: due
states:
  due: { after: { ${wait}: lent } }
  lent:
    invoke:
      id: ${id}
      ${was && `was: ${was}`}
      src: book
      input: { operation: ${operation}, request: ${request}, legs: ${legs}, deadlines: { issue: { pickUp: ${deadline} } }, onOverdue: ${policy} }
      onDone: over
      onError: refused
    on:
      ${id}.issue.overdue: { actions: { type: emit, params: { type: late } } }
      ${id}.issue.Completed: ${completed}
    ${more}
  aside: { on: { goOn: over } }
  over: { type: final }
  refused: { type: final }
`);

const at = (hours: number) => BEGUN + hours * HOUR;
const booked: Booked = {
  shipments: [
    {
      shipmentUid: 'S-1',
      role: 'issue',
      stateCode: 'ReadyForDropoff',
      stateStart: new Date(at(1)).toISOString(),
      pupUid: 'pup-1',
      lockerName: '7',
    },
  ],
  answeredAt: new Date(at(1)).toISOString(),
  caseNo: 'loan-1',
  pupUid: 'pup-1',
  references: [],
};
const outcome = (hours: number, call: string, output: unknown): Stimulus => ({
  at: at(hours),
  kind: 'call',
  call,
  came: { output },
});
const report = (hours: number, stateCode: string): Stimulus => ({
  at: at(hours),
  kind: 'signal',
  name: 'shipmentStatus',
  payload: { shipmentUid: 'S-1', stateCode, stateStart: new Date(at(hours)).toISOString() },
});
const booking = outcome(2, 'book loan#1', booked);

const recorded = (stimuli: readonly Stimulus[], file = loan(), calls = ['book loan#1']): RecordedProcess => ({
  key: 'loan-1',
  file,
  version: 1,
  input: {},
  begunAt: BEGUN,
  until: stimuli.at(-1)?.at ?? BEGUN,
  stimuli,
  calls,
  end: { status: 'done' },
});

/** Dropped off after three hours, picked up after so many. */
const pickedUpAfter = (hours: number) =>
  recorded([booking, report(3, 'ReadyForPickup'), report(hours, 'Completed')]);

test.each<[string, Loan, string, string?]>([
  ['the same file', {}, 'same'],
  ['a longer deadline that passes too', { deadline: 'PT30H' }, 'sameAtAnotherTime'],
  ['a longer deadline that does not pass', { deadline: 'P3D' }, 'decidesOtherwise'],
  ['another reaction to the pick-up', { completed: 'aside' }, 'decidesOtherwise'],
  [
    'the same request in another order, and a field without a value',
    { request: '{ description: drill, toUserUid: anna, pupUid: null }' },
    'same',
  ],
  ['another name of the booking', { id: 'lending', was: 'loan' }, 'same'],
  [
    'another operation',
    { operation: 'CreateLocalShipmentAsIntake', deadline: 'null' },
    'cannotTell',
    'loan.booking asks the service for something else (operation, legs), and history has no answer to that',
  ],
  [
    'another receiver',
    { request: '{ toUserUid: berta, description: drill }' },
    'cannotTell',
    'loan.booking asks the service for something else (request), and history has no answer to that',
  ],
  [
    'a booking at another time',
    { wait: 'PT90M' },
    'cannotTell',
    'loan.booking asks the service at another time, and history has no answer from then',
  ],
  [
    'one more question',
    {
      more: `initial: asked
    states: { asked: { invoke: { id: why, src: ask, input: { of: desk, question: Why?, fields: { why: { type: text } } }, onDone: told } }, told: {} }`,
    },
    'decidesOtherwise',
  ],
  ['an end at a time of its own', { more: 'after: { PT30H: over }' }, 'decidesOtherwise'],
])('backtest of a booking with %s: %s', (_, changed, result, why) => {
  const told = backtest(pickedUpAfter(48), loan(changed));
  expect(told).toMatchObject({ result, ...(why !== undefined && { why }) });
});

test('a booking of which history does not know the end is not played on after it', () => {
  const early = loan({ legs: '{ issue: { done: [ReadyForPickup, Completed] } }' });
  const inLocker = recorded([booking, report(3, 'ReadyForPickup')], early);
  expect(backtest(inLocker, early).result).toBe('same');
  expect(backtest(inLocker, loan())).toMatchObject({
    result: 'decidesOtherwise',
    divergence: { before: { to: ['over'] }, now: null },
  });
});

const undone = outcome(28, 'undo S-1#1', {
  shipments: [{ shipmentUid: 'S-1', undone: 'Cancelled', stateCode: null, error: null }],
});

test.each<[string, string, string, string?]>([
  ['the same deadline', 'P1D', 'same'],
  [
    'a later deadline',
    'P2D',
    'cannotTell',
    'it does not call loan.undoing when the process did, and what was reported then came of that',
  ],
  [
    'an earlier deadline',
    'PT20H',
    'cannotTell',
    'loan.undoing asks the service at another time, and history has no answer from then',
  ],
])('a booking that its deadline has undone, with %s: %s', (_, deadline, result, why) => {
  const file = loan({ policy: 'cancel' });
  const stimuli = [booking, report(3, 'ReadyForPickup'), undone, report(28.001, 'Cancelled')];
  const overdue = recorded(stimuli, file, ['book loan#1', 'undo S-1#1']);
  const told = backtest(overdue, loan({ policy: 'cancel', deadline }));
  expect(told).toMatchObject({ result, ...(why !== undefined && { why }) });
});

const extended = (end: object): Stimulus => ({
  at: at(10),
  kind: 'update',
  name: 'extendDeadline',
  given: { booking: 'loan', role: 'issue', stage: 'pickUp', ...end },
});
const extendedBy = (end: object) =>
  recorded([booking, report(3, 'ReadyForPickup'), extended(end), report(48, 'Completed')]);

test('a deadline that somebody has moved is moved in the play, also of a booking that has another name now', () => {
  const moved = extendedBy({ fromNow: 'P7D' });
  expect(backtest(moved, loan()).result).toBe('same');
  expect(backtest(moved, loan({ id: 'lending', was: 'loan' })).result).toBe('same');
  // Its deadline passes before that.
  expect(backtest(moved, loan({ deadline: 'PT2H' })).result).toBe('decidesOtherwise');
});

test('a move that somebody has undone is undone in the play, whatever its end was here', () => {
  const undo = { from: '2026-01-06T12:00:00.007Z', until: '2026-01-12T19:00:00.007Z' };
  const undone = recorded([
    booking,
    report(3, 'ReadyForPickup'),
    extended({ fromNow: 'P7D' }),
    { ...extended({ undo }), at: at(11) },
    report(48, 'Completed'),
  ]);
  expect(backtest(undone, loan()).result).toBe('same');
  expect(backtest(undone, loan({ deadline: 'PT30H' })).result).toBe('sameAtAnotherTime');
});

test('what somebody did and could not do now leaves the rest untold', () => {
  const unknown = backtest(extendedBy({ extendBy: 'P7D' }), loan({ deadline: 'null' }));
  expect(unknown).toMatchObject({
    result: 'cannotTell',
    why: expect.stringMatching(/^somebody did extendDeadline, which is refused now: /),
  });
});

test('what had its name of now already, when the process ran, was not renamed since', () => {
  const file = loan({ id: 'lending', was: 'loan' });
  const lending = recorded([outcome(2, 'book lending#1', booked), report(48, 'Completed')], file, [
    'book lending#1',
  ]);
  expect(backtest(lending, file).result).toBe('same');
});

test('a booking that history cancelled while it was made is not known to be made', () => {
  const gone = { more: 'after: { PT1H: aside }' };
  const cancelled: Stimulus = {
    at: at(3),
    kind: 'call',
    call: 'book loan#1',
    came: { error: { name: 'ActivityFailure', cause: { name: 'CancelledFailure' } } },
  };
  const goOn: Stimulus = { at: at(4), kind: 'event', payload: { type: 'goOn' } };
  const left = recorded([cancelled, goOn], loan(gone));
  expect(backtest(left, loan(gone)).result).toBe('same');
  expect(backtest(left, loan({ more: 'after: { PT150M: aside }' }))).toMatchObject({
    result: 'cannotTell',
    why: 'it lets loan.booking go on, which history cancelled',
  });
});

const each = (deadline: string) =>
  fileOf(`
name: Recall
meaning: Takes two tools back, one after the other.
initial: recalling
states:
  recalling:
    invoke:
      id: recall
      src: each
      input:
        of: [anna, berta]
        atOnce: 1
        do: { src: book, input: { operation: CreateLocalShipmentAsIntake, request: { fromUserUid: "\${item}" }, deadlines: { intake: { dropOff: ${deadline} } } } }
      onDone: over
      onError: over
    on:
      recall.intake.overdue: { actions: { type: emit, params: { type: late } } }
  over: { type: final }
`);

test('the bookings of a list are played, each as it went', () => {
  const of = (index: number, hours: number): Stimulus[] => {
    const shipmentUid = `R-${index}`;
    const shipments = booked.shipments.map((shipment) => ({
      ...shipment,
      shipmentUid,
      role: 'intake' as const,
    }));
    const stateStart = new Date(at(hours + 40)).toISOString();
    const payload = { shipmentUid, stateCode: 'Completed', stateStart };
    return [
      outcome(hours, `book recall.${index}#1`, {
        ...booked,
        shipments,
        answeredAt: new Date(at(hours)).toISOString(),
      }),
      { at: at(hours + 40), kind: 'signal', name: 'shipmentStatus', payload },
    ];
  };
  const recalled: RecordedProcess = {
    ...recorded([...of(0, 1), ...of(1, 50)], each('P1D')),
    calls: ['book recall.0#1', 'book recall.1#1'],
  };
  expect(backtest(recalled, each('P1D')).result).toBe('same');
  expect(backtest(recalled, each('PT30H')).result).toBe('sameAtAnotherTime');
  expect(backtest(recalled, each('P3D')).result).toBe('decidesOtherwise');
});

test('the answer to a call that a timer makes comes when it came, before what came later', () => {
  const refused: Stimulus = {
    at: at(2),
    kind: 'call',
    call: 'book loan#1',
    came: {
      error: { name: 'ActivityFailure', cause: { name: 'ApplicationFailure', type: 'NoLockerAvailable' } },
    },
  };
  const file = loan({ more: 'after: { PT30H: over }' });
  const later: Stimulus = { at: at(40), kind: 'event', payload: { type: 'goOn' } };
  expect(backtest(recorded([refused, later], file), file).result).toBe('same');
});
