// What the page says is wrong with a process, what happens next and what to do: by codes, whatever the texts are.
import { describe, expect, test } from 'vitest';
import { overviewOf } from '../../../../console/process/overview/overview.ts';
import type { WaitingFor } from '../../../../contract/flows/flow-answers.ts';
import { chartView } from '../../../../engine/chart/chart-view.ts';
import { idleMachineOf } from '../../../../flows/language/machine/machine.ts';
import { readFlowFile } from '../../../../flows/language/reading/read-flow-file.ts';
import { waitingFor } from '../../../../flows/language/waiting-for.ts';
import { namesForTests } from '../../../flows/language/names.ts';
import { newBooking, newFileProgress, newProgress } from '../../../support/progress.ts';

type Parts = Parameters<typeof overviewOf>[0];

const overview = (wait: WaitingFor, { attempt = 1, ...given }: Partial<Parts> & { attempt?: number } = {}) =>
  overviewOf({
    process: {
      flow: 'Issue',
      status: 'Running',
      failure: null,
      trying: [{ activity: 'book', attempt, lastFailure: 'no answer', nextTryAt: null }],
    },
    progress: newProgress({ activity: 'Booking', waitingFor: [wait] }),
    actionForms: [],
    chart: null,
    timers: [],
    parent: null,
    ...given,
  });

const booking = waitingFor({ code: 'Booking', params: {} });
const freeLocker = waitingFor({ code: 'FreeLocker', params: {} });

test('a booking that is tried again is wrong, and one that waits for a free locker is not', () => {
  const wrong = (wait: WaitingFor, attempt: number) => overview(wait, { attempt }).wrong;
  // The service was asked in vain for what was booked before, and nothing has been tried yet.
  expect(wrong(booking, 0)).toEqual(['What may be booked already is looked for again: no answer.']);
  expect(wrong(booking, 1)).toEqual(['Book failed and is tried again: no answer.']);
  expect(wrong(booking, 2)).toEqual(['Book failed once and is tried again: no answer.']);
  expect(wrong(booking, 4)).toEqual(['Book failed 3 times and is tried again: no answer.']);
  expect(wrong(freeLocker, 4)).toEqual([]);
});

test('what a service does not offer is said in plain words, and in its own under Technical', () => {
  const lastFailure =
    'GetShipments: UnknownOperation: /sandbox/switches has getShipments off for this tenant';
  const { wrong, technical } = overview(booking, {
    process: {
      flow: 'Issue',
      status: 'Running',
      failure: null,
      trying: [{ activity: 'book', attempt: 2, lastFailure, notOffered: 'GetShipments', nextTryAt: null }],
    },
  });
  expect(wrong).toEqual(['Book failed once and is tried again: this locker service cannot list shipments.']);
  expect(technical).toEqual([lastFailure]);
});

const ofLeg = { role: 'issue', until: '2031-05-01T12:00:00.000Z', isOverdue: false } as const;

test.each([
  booking,
  freeLocker,
  waitingFor({ code: 'Undoing', params: {} }),
  waitingFor({ code: 'PickUp', params: ofLeg, role: 'issue' }),
  waitingFor({ code: 'Report', params: ofLeg, role: 'issue' }),
  waitingFor({ code: 'Cancellation', params: ofLeg, role: 'issue' }),
  waitingFor({ code: 'BeginAfterPickUp', params: { ...ofLeg, follows: 'intake' }, role: 'issue' }),
])('$code in other words gives the same overview', (wait) => {
  const words = 'un casier libre until 2031-04-01 12:00 UTC, overdue since then, free';
  expect(overview({ ...wait, words })).toEqual(overview(wait));
});

test('a code of a later version is told by its words', () => {
  const later = { ...waitingFor({ code: 'Begin', params: ofLeg, role: 'issue' }), code: 'Weather' } as never;
  expect(overview(later).next).toMatchObject([{ words: 'Issue to begin until 2031-05-01 12:00 UTC.' }]);
});

test('a deadline of a flow file that tells others says so, however its actions are drawn', () => {
  const { file } = readFlowFile(
    `
name: Loan
meaning: A reminder, and later another one without a word to anybody.
initial: lent
states:
  lent:
    on: { back: over }
    after:
      P3D: { actions: { type: emit, params: { type: reminder } } }
      P9D: { actions: { type: assign, params: { emitted: "yes" } } }
  over: { type: final }
context: { emitted: "no" }
`,
    namesForTests,
  );
  if (!file) throw new Error('no file');
  const view = chartView(idleMachineOf(file));
  const chart = {
    ...view,
    transitions: view.transitions.map((each) => ({
      ...each,
      actions: each.actions.map(() => 'other words'),
    })),
  };
  const timers = ['P3D', 'P9D'].map((after) => ({
    state: 'lent',
    event: `after ${after}`,
    after,
    until: ofLeg.until,
  }));
  const { next } = overview(booking, { chart, timers, progress: newFileProgress() });
  expect(next.map(({ words }) => words)).toEqual([
    '3 days in “Lent” end, and others hear of it.',
    '9 days in “Lent” end.',
  ]);
});

test('the answer that a process waits for is the first choice, whatever the ids of the forms are', () => {
  const form = { label: 'Answer', consequence: '', fields: [], request: { path: '', body: {} } };
  const actionForms = [
    { ...form, id: 'answer:1', command: 'extend' },
    { ...form, id: 'Q', command: 'answer' },
  ];
  expect(overview(booking, { actionForms }).primary).toBe('Q');
});

const fault = { path: 'states.lent.on.back', expression: 'event.data.a', reason: 'No such key: a' };

test('a fault of a flow file is told by its reason, whatever its message is', () => {
  const failure = { code: 'ExpressionFailed', message: 'the file is wrong', fault };
  const process = { flow: 'Loan', status: 'Failed', failure, trying: [] } as never;
  expect(overview(booking, { process }).wrong).toContain('A rule of its flow has a mistake.');
  const halted = { code: 'ExpressionFailed', message: 'other words', event: 'back', details: fault };
  const said = overview(booking, { progress: newFileProgress({ halted }) });
  expect(said.wrong).toContain('It has stopped: a rule of its flow has a mistake.');
  // Where and why is for who maintains the flow.
  expect(said.technical).toEqual(['states.lent.on.back: event.data.a: No such key: a']);
  expect(said.next[0]?.words).toBe(
    'Whoever maintains the flow corrects its file and migrates the case to it.',
  );
  const named = overview(booking, {
    progress: newFileProgress({ halted: { ...halted, maintainer: 'IT, extension 12' } }),
  });
  expect(named.next[0]?.words).toBe('IT, extension 12 corrects its file and migrates the case to it.');
  expect(named.todo).toBe(
    'Tell IT, extension 12: the case goes on once its file is corrected and the case migrated to it. If that takes too long: under More it can be given up, or go on without what it was told.',
  );
});

test('after a refused booking the page says to start again', () => {
  const failure = { code: 'NoLockerAvailable', message: 'no locker is free' };
  const process = { flow: 'Issue', status: 'Failed', failure, trying: [] } as never;
  const { wrong, todo } = overview(booking, { process, progress: newProgress({ activity: 'Booking' }) });
  expect(wrong).toEqual(['No locker is free.']);
  const size = { pupUid: 'p', size: 'M', lockers: 2, taken: 2, outOfOrder: 0, toBeEmptied: 0 };
  const lockersTried = {
    itemSides: [1, 2, 3],
    tried: [size],
    allowLargerLockers: false,
    allowOverflowLockers: false,
  };
  const known = {
    flow: 'Issue',
    status: 'Failed',
    failure: { ...failure, lockersTried },
    trying: [],
  } as never;
  expect(overview(booking, { process: known, pickUpPoints: new Map([['p', 'Station']]) })).toMatchObject({
    wrong: ['Station is full: no locker is free for 1 × 2 × 3 cm.'],
    tried: [expect.stringContaining('2 of size M (2 taken)')],
  });
  expect(todo).toBe(
    'Nothing is booked, and nothing happens by itself: start it again, with another size, place or person, or later.',
  );
});

test('what a process does not say is not said to be nothing', () => {
  const silent = overview(booking, { progress: null });
  expect(silent.unread).toEqual(['what the case says of itself']);
  expect(overview(booking).unread).toEqual([]);
});

describe('a booking in doubt', () => {
  const form = (command: string, id = command) => ({ id, command, label: command }) as never;
  const actionForms = ['adopt', 'retry', 'cancel'].map((command) => form(command));
  const doubt = { booking: 'shipments', askedAt: '2031-05-01T12:00:00.000Z', found: [], unread: null };
  const found = { shipmentUid: 's-1', pupUid: null, lockerName: '12', since: null };
  const said = (given: Partial<Parts>) =>
    overview(booking, {
      progress: newProgress({ activity: 'NeedsPerson', phase: 'NeedsPerson' }),
      actionForms,
      ...given,
    });

  test('is booked again only where the service has none', () => {
    expect(said({ doubts: [doubt] })).toMatchObject({
      primary: 'retry',
      todo: 'Nothing was booked: book again.',
      where: [{ words: 'Still with whoever brings it: no locker is booked' }],
    });
    // An item in stock has a locker of another flow's.
    const inDoubt = { activity: 'NeedsPerson', phase: 'NeedsPerson' } as const;
    const ofStock = newProgress({ ...inDoubt, flow: 'IssueFromStock' });
    expect(said({ progress: ofStock, doubts: [doubt] }).where).toMatchObject([
      { words: 'In no locker: nothing is booked' },
    ]);
    // A copy of a built-in flow is called otherwise, and books the same.
    const process = { flow: 'LendDrill', status: 'Running' as const, failure: null, trying: [] };
    expect(said({ process, doubts: [doubt] }).where).toMatchObject([
      { words: 'Still with whoever brings it: no locker is booked' },
    ]);
    const unread = said({ doubts: [{ ...doubt, unread: 'away' }] });
    expect(unread.where[0]?.words).toBe('In no locker: whether one is booked is not known');
    expect(said({ doubts: [{ ...doubt, unread: 'away' }] }).primary).toBe('adopt');
    expect(said({ doubts: [] }).primary).toBe('adopt');
  });

  test('is decided by who knows what the service has', () => {
    const wait = waitingFor({ code: 'BookingUnknown', params: {} });
    const progress = newProgress({ activity: 'NeedsPerson', phase: 'NeedsPerson', waitingFor: [wait] });
    const next = (given: Partial<Parts>) => said({ progress, ...given }).next[0]?.words;
    expect(next({ doubts: [doubt] })).toBe('Somebody books it again: nothing happens by itself.');
    expect(next({ doubts: [{ ...doubt, found: [found] }] })).toBe('Somebody chooses what was booked.');
    expect(next({ doubts: [] })).toMatch(/^A person decides/);
    const wrong = (given: Partial<Parts>) => said({ progress, ...given }).wrong;
    expect(wrong({ doubts: [doubt] })).toContain('The booking was not made.');
    // What the page has asked wins: it does not say beside it that nothing is known.
    const one = said({ progress, doubts: [{ ...doubt, found: [found] }] });
    expect(one.where[0]?.words).toBe(
      'In no locker: the locker service has one booking, and nobody has chosen it yet',
    );
    expect(one.wrong).toContain('The answer to the booking was lost: nobody has chosen yet what was booked.');
    expect(JSON.stringify(one)).not.toMatch(/not known/i);
    for (const doubts of [[], [{ ...doubt, unread: 'away' }]])
      expect(wrong({ doubts })).toContain('It is not known whether the booking was made.');
  });

  test('offers each shipment that is found beside what it says of them', () => {
    const two = [form('adopt', 'adopt:s-1'), form('adopt', 'adopt:s-2'), form('retry')];
    const { primary, remedies, doubts } = said({
      doubts: [{ ...doubt, found: [found, { ...found, shipmentUid: 's-2' }] }],
      actionForms: two,
    });
    expect(primary).toBe('adopt:s-1');
    expect(remedies).toEqual([
      { kind: 'act', id: 'adopt:s-1' },
      { kind: 'act', id: 'adopt:s-2' },
    ]);
    expect(doubts).toHaveLength(1);
  });
});

test('what the sentences name is a button beside them', () => {
  const forms = ['extend', 'cancel'].map((command) => ({ id: command, command, label: command }) as never);
  const late = overview(booking, { progress: newProgress({ phase: 'Overdue' }), actionForms: forms });
  expect(late.remedies).toEqual([
    { kind: 'act', id: 'extend' },
    { kind: 'act', id: 'cancel' },
  ]);
  const process = { flow: 'Issue', trying: [], failure: { code: 'NoLockerAvailable', message: 'full' } };
  expect(overview(booking, { process: { ...process, status: 'Failed' } }).remedies).toEqual([
    { kind: 'startAgain', id: null },
  ]);
  expect(overview(booking, { process: { ...process, status: 'Cancelled' } }).remedies).toEqual([]);
});

describe('what the desk is to do', () => {
  const shipment = {
    shipmentUid: 's-1',
    stateCode: 'ReadyForDropoff',
    stateStart: null,
    pupUid: 'pup-central',
    lockerName: '13',
    done: false,
  };
  const waits = (code: 'DropOff' | 'PickUp', role: 'issue' | 'intake', isOverdue: boolean) =>
    waitingFor({
      code,
      params: { role, until: ofLeg.until, isOverdue },
      role,
      shipmentUid: 's-1',
      ...(isOverdue && { isOverdue }),
    });
  const said = (code: 'DropOff' | 'PickUp', role: 'issue' | 'intake', isOverdue = false) =>
    overview(booking, {
      pickUpPoints: new Map([['pup-central', 'Central']]),
      process: { flow: 'Issue', status: 'Running', failure: null, trying: [] },
      progress: newProgress({
        phase: isOverdue ? 'Overdue' : 'Open',
        shipments: { [role]: shipment },
        waitingFor: [waits(code, role, isOverdue)],
      }),
    });

  test('names the locker and its wall, where nobody else is next', () => {
    expect(said('DropOff', 'issue').desk).toEqual(['put the item into locker 13, Central']);
    expect(said('PickUp', 'intake').desk).toEqual(['take the item out of locker 13, Central']);
    expect(said('PickUp', 'issue').desk).toEqual([]);
    expect(said('DropOff', 'intake').desk).toEqual([]);
  });

  test('is told from what others do, whom one who knows them can name', () => {
    const [desk] = said('DropOff', 'issue').next;
    expect(desk).toMatchObject({ words: 'The desk puts the item into the locker.' });
    expect(desk?.actor).toBeUndefined();
    expect(said('PickUp', 'issue').next).toMatchObject([
      {
        words: 'The receiver takes the item out of the locker.',
        actor: { who: 'receiver', words: 'The receiver' },
      },
    ]);
    expect(said('DropOff', 'intake').next[0]?.actor?.who).toBe('user');
  });

  test('is not asked of a person, and to be late is no fault', () => {
    const late = said('DropOff', 'issue', true);
    expect(late).toMatchObject({ hasFault: false, todoCode: null });
    expect(late.wrong).toEqual(['Delivery: the drop off is overdue.']);
    expect(late.todo).toBe('Put the item into locker 13, Central; or extend the deadline, or cancel.');
    expect(said('PickUp', 'issue', true)).toMatchObject({
      hasFault: false,
      todoCode: 'PickUpIsLate',
      todo: expect.stringContaining('Ask the person'),
    });
    expect(said('DropOff', 'intake', true).todoCode).toBe('DropOffIsLate');
  });
});

test('an item that was left is fetched once its case has ended; until then the case may count on it', () => {
  const itemsLeft = [{ role: 'issue', shipmentUid: 's-1', pupUid: 'pup-1', lockerName: '4' }] as const;
  const bookings = [newBooking({ activity: 'Ended', itemsLeft })];
  const asked = { id: 'desk', of: 'desk', question: 'What now?', fields: {}, askedAt: '', until: null };
  const todoOf = (status: 'Running' | 'Completed', questions: readonly (typeof asked)[] = []) =>
    overview(booking, {
      process: { flow: 'Hold', status, failure: null, trying: [] },
      progress: newFileProgress({ bookings, questions }),
    }).todo;
  expect(todoOf('Completed')).toMatch(/^Fetch the item that was left;/);
  expect(todoOf('Running')).toMatch(/^The case goes on and may count on the item that was left:/);
  expect(todoOf('Running', [asked])).toBe('Answer the question to desk: “What now?”');
});

test.each([
  [{ isExisting: false }, 'The account is there'],
  [{ isExisting: true }, 'The account was there already'],
  [
    { isExisting: true, differingDetails: ['firstName', 'lastName'] },
    'The account was there already, and was left as it is: it differs in first name, last name',
  ],
])('an account with %j says whether it is a new one, and what was not changed', (found, words) => {
  const account = { canManageUser: true, differingDetails: [], unknownDetails: [], ...found };
  const result = { outcome: 'Done', userUid: 'user-1', ...account };
  const process = { flow: 'OnboardAccount', status: 'Completed' as const, failure: null, trying: [], result };
  const progress = newFileProgress({});
  expect(overview(booking, { process, progress }).where).toEqual([{ words, pupUid: null }]);
});
