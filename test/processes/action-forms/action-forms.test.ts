// What a person may do to a process: what it says itself, as forms, each with its consequence before it is done.
import { describe, expect, test } from 'vitest';
import type { Action, CommandName, Consequence, FieldsSchema } from '../../../contract/flows/actions.ts';
import {
  type ActionFormsInput,
  actionFormsOf,
  decisionsOf,
} from '../../../processes/action-forms/action-forms.ts';
import { questionForm } from '../../../processes/action-forms/question-forms.ts';
import { formatConsequence } from '../../../processes/format-consequence.ts';
import { entryOf } from '../../../processes/inbox/decisions.ts';
import type { FoundFlow } from '../../../processes/views/found-flows.ts';
import { newBooking, newFileProgress, newProgress } from '../../support/progress.ts';

const at = '2031-05-01T12:00:00.000Z';

const object = (
  properties: FieldsSchema['properties'],
  required = Object.keys(properties),
): FieldsSchema => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});
const decided = { by: { type: 'string' }, why: { type: 'string' } } as const;

const possible = (command: CommandName, fields: FieldsSchema, more: Partial<Action> = {}): Action => ({
  command,
  sent: { kind: 'update', name: command },
  isPossible: true,
  fields,
  ...more,
});

const consequence = (changes: Partial<Consequence>): Consequence => ({
  after: { activity: 'Ended', phase: null, state: 'ended', ends: { status: 'Canceled' } },
  isTaken: true,
  shipments: [],
  itemsLeft: [],
  itemsOut: [],
  deadlines: [],
  children: [],
  event: null,
  questions: [],
  calls: [],
  ...changes,
});

const choosing = (actions: readonly Action[], changes: Partial<ActionFormsInput> = {}): ActionFormsInput => ({
  key: 'order-1',
  isOpen: true,
  flow: 'Issue',
  progress: null,
  actions: { format: 1, flow: 'Issue', isOpen: true, actions },
  ...changes,
});

const idsOf = (given: ActionFormsInput) => actionFormsOf(given).map(({ id }) => id);
const choice = (given: ActionFormsInput, id: string) => actionFormsOf(given).find((each) => each.id === id);

const inLocker4 = { pupUid: 'pup-1', lockerName: '4' };
const cancel = possible('cancel', object(decided, []), {
  consequence: consequence({
    shipments: [
      { shipmentUid: 's-1', role: 'issue', effect: 'Cancelled', stateCode: 'ReadyForPickup', ...inLocker4 },
      { shipmentUid: 's-2', role: 'intake', effect: 'Stays', stateCode: 'Registered', ...inLocker4 },
    ],
    itemsLeft: [{ shipmentUid: 's-1', role: 'issue', ...inLocker4 }],
  }),
});

test('only what the process says is possible is offered', () => {
  const deadline = object({ role: { type: 'string' }, until: { type: 'string', format: 'date-time' } });
  const given = choosing([
    possible('extendDeadline', {
      ...deadline,
      allOf: [
        { oneOf: [{ required: ['until'] }, { required: ['fromNow'] }] },
        {
          oneOf: [
            { properties: { role: { const: 'issue' }, stage: { enum: ['dropOff', 'pickUp'] } } },
            { properties: { role: { const: 'intake' }, stage: { enum: ['pickUp'] } } },
          ],
        },
      ],
    }),
    possible('setReceiver', object({ role: { type: 'string', enum: ['intake'] } })),
    { ...possible('removeReceiver', object({})), isPossible: false, fields: null },
    cancel,
  ]);
  expect(idsOf(given)).toEqual(['extend', 'shorten', 'setReceiver', 'cancel']);
  expect(choice(given, 'extend')?.consequence).toMatch(/^Late is only what comes after the new end/);
  expect(choice(given, 'extend')?.fields.map(({ name, kind }) => [name, kind])).toEqual([
    ['deadline', 'select'],
    ['extendBy', 'select'],
    ['until', 'instant'],
    ['why', 'lines'],
  ]);
  const { fields: [field] = [] } = choice(given, 'extend') ?? {};
  expect(field?.options).toEqual(['issue.dropOff', 'issue.pickUp', 'intake.pickUp']);
  expect(field?.optionLabels).toEqual([
    'Delivery to be dropped off',
    'Delivery to be picked up',
    'Return to be picked up',
  ]);
  expect(field).not.toHaveProperty('suggested');
  // The one that runs, not the first one.
  const deadlines = [
    { role: 'intake', stage: 'pickUp', until: '2031-05-01T12:00:00Z', passed: false, ahead: true },
    { role: 'issue', stage: 'pickUp', until: '2031-05-02T12:00:00Z', passed: false },
  ] as const;
  const running = { ...given, progress: newProgress({ deadlines }) };
  expect(choice(running, 'extend')?.fields).toMatchObject([
    { suggested: 'issue.pickUp' },
    { name: 'extendBy', suggested: 'P1D', none: 'Until a date…' },
    { unless: 'extendBy', extends: { field: 'deadline', ends: { 'issue.pickUp': '2031-05-02T12:00:00Z' } } },
    { name: 'why' },
  ]);
  expect(choice(running, 'shorten')).toMatchObject({
    isDestructive: true,
    fields: [{}, { name: 'shortenBy' }, {}, {}],
  });
  expect(choice(given, 'setReceiver')?.fields).toEqual([
    { name: 'role', label: 'Shipment', kind: 'select', options: ['intake'], optionLabels: ['Return'] },
  ]);
});

test('a wait of a flow file is extended by its id, and shown as the process says it; the next to end is suggested', () => {
  const timers = ['waiting.P2D', 'waiting.P1D'];
  const until = { type: 'string', format: 'date-time' } as const;
  const given = choosing([
    possible('extendDeadline', object({ timer: { type: 'string', enum: timers }, until }, ['timer'])),
  ]);
  const waits = [
    { kind: 'time', id: 'waiting.P2D', until: '2031-05-02T12:00:00Z', words: 'in two days' },
    { kind: 'time', id: 'waiting.P1D', until: '2031-05-01T12:00:00Z', words: 'tomorrow' },
  ];
  const progress = newFileProgress({ state: 'waiting', waitingFor: waits as never });
  expect(choice({ ...given, progress }, 'extend')).toMatchObject({
    label: 'Extend a wait',
    fields: [
      {
        name: 'timer',
        kind: 'select',
        options: timers,
        suggested: 'waiting.P1D',
        optionLabels: ['in two days', 'tomorrow'],
      },
      { name: 'extendBy' },
      {
        name: 'until',
        kind: 'instant',
        extends: { field: 'timer', ends: { 'waiting.P1D': '2031-05-01T12:00:00Z' } },
      },
      { name: 'why' },
    ],
    request: { path: '/v1/processes/order-1/commands/extend', body: {} },
  });
  const none = possible('extendDeadline', object({ timer: { type: 'string', enum: [] }, until }, ['timer']));
  expect(idsOf(choosing([none]))).toEqual([]);
});

test('each of several bookings has forms of its own, which name it and send its id', () => {
  const pairs = [{ properties: { role: { const: 'intake' }, stage: { enum: ['dropOff', 'pickUp'] } } }];
  const fields = object({ role: { type: 'string' }, until: { type: 'string', format: 'date-time' } });
  const extending = (booking: string) =>
    possible('extendDeadline', { ...fields, allOf: [{ oneOf: pairs }] }, { booking });
  const deadline = (stage: 'dropOff' | 'pickUp', until: string) =>
    ({ role: 'intake', stage, until, passed: false }) as const;
  const bookings = [
    newBooking({ id: 'laptop', deadlines: [deadline('dropOff', '2031-05-03T12:00:00Z')] }, 'Intake'),
    newBooking({ id: 'charger', deadlines: [deadline('pickUp', '2031-05-02T12:00:00Z')] }, 'Intake'),
  ];
  const actions = [extending('laptop'), extending('charger')];
  const given = choosing(actions, { progress: newFileProgress({ bookings }) });
  expect(actionFormsOf(given)).toMatchObject([
    {
      id: 'extend:laptop',
      label: 'Extend a deadline: Laptop',
      fields: [
        { suggested: 'intake.dropOff' },
        { name: 'extendBy' },
        { extends: { ends: { 'intake.dropOff': expect.any(String) } } },
        { name: 'why' },
      ],
      request: { path: '/v1/processes/order-1/commands/extend', body: { booking: 'laptop' } },
    },
    { id: 'shorten:laptop', request: { body: { booking: 'laptop' } } },
    {
      id: 'extend:charger',
      fields: [{ suggested: 'intake.pickUp' }, {}, {}, {}],
      request: { body: { booking: 'charger' } },
    },
    { id: 'shorten:charger' },
  ]);
});

test('the consequence of a command to a process with several bookings names each shipment with its booking', () => {
  const of = (booking: string): Consequence['shipments'][number] => ({
    booking,
    shipmentUid: `${booking}-1`,
    role: 'intake',
    effect: 'Cancelled',
    stateCode: null,
    pupUid: null,
    lockerName: null,
  });
  const deadline = { role: 'intake', stage: 'dropOff', timer: null, from: null, until: at } as const;
  const shipments = [of('laptop'), of('charger')];
  const words = formatConsequence(
    consequence({ shipments, deadlines: [{ ...deadline, booking: 'laptop' }] }),
  );
  expect(words).toContain(
    'cancels the return (laptop), the return (charger); return to be dropped off (laptop): no deadline → 2031',
  );
});

test('the consequence of a cancellation names what is cancelled, what stays, and the item that somebody must fetch', () => {
  expect(choice(choosing([cancel]), 'cancel')).toMatchObject({
    consequence: expect.stringContaining(
      'Cancels the delivery; leaves the return as it is; somebody must fetch the item of the delivery in locker 4 of pup-1; it ends: cancelled.',
    ),
    fields: [{ name: 'why' }],
    isDestructive: true,
  });
});

test('the consequence of a cancellation names the place by its name, where that is known', () => {
  const pickUpPoints = new Map([['pup-1', 'Central']]);
  expect(choice({ ...choosing([cancel]), pickUpPoints }, 'cancel')?.consequence).toContain(
    'in locker 4 of Central;',
  );
});

test('the end that follows is named by its state: its title, or else its outcome or its id', () => {
  const ending = (ends: Consequence['after']['ends'], state = 'granted') =>
    formatConsequence(consequence({ after: { activity: 'Ended', phase: null, state, ends } }));
  expect(ending({ status: 'Completed', title: 'Granted by the office' })).toBe(
    'it ends: Granted by the office',
  );
  expect(ending({ status: 'Completed' }, 'notLent')).toBe('it ends: Not lent');
  expect(ending({ status: 'Completed', outcome: 'Overdue' })).toBe('it ends: overdue');
  expect(ending({ status: 'Failed', code: 'ExpressionFailed' })).toBe('it ends: expression failed');
  expect(ending({ status: 'Canceled', title: 'Granted' })).toBe('it ends: cancelled');
});

describe('a flow in doubt of its booking', () => {
  const doubt = (booking: 'MayBookTwice' | 'BooksAgain' = 'BooksAgain') =>
    choosing(
      [
        cancel,
        possible('resolve.retry', object(decided), { consequence: consequence({ booking }) }),
        possible(
          'resolve.adopt',
          object({
            shipments: object({ issue: { type: 'string', examples: ['s-7'], default: 's-7' } }),
            ...decided,
          }),
        ),
        possible('resolve.giveUp', object(decided)),
      ],
      { progress: newProgress({ phase: 'NeedsPerson', activity: 'NeedsPerson' }) },
    );

  test('has the decisions first', () => {
    expect(idsOf(doubt())).toEqual(['retry', 'adopt', 'giveUp', 'cancel']);
  });

  test('is offered the same in the inbox, in the same words', () => {
    const found = { workflowId: 'order-1', startedAt: at, pickUpPoint: null } as FoundFlow;
    const why = { why: 'lost', candidates: [], retryMayBookTwice: null };
    const progress = newProgress({ phase: 'NeedsPerson', activity: 'NeedsPerson', doubt: why });
    const actions = decisionsOf(doubt());
    const [entry] = entryOf(found, { progress, actions, clockAheadMs: 0 });
    expect(entry?.actions).toEqual(actionFormsOf(doubt()).filter(({ id }) => id !== 'cancel'));
  });

  test('says whether trying again may book twice', () => {
    const [safe, risky] = [choice(doubt(), 'retry'), choice(doubt('MayBookTwice'), 'retry')];
    expect(safe?.consequence).toContain('nothing twice');
    expect(safe?.isDestructive).toBeUndefined();
    expect(risky).toMatchObject({
      consequence: expect.stringContaining('may book a second time'),
      isDestructive: true,
    });
  });

  test('asks for a shipment of each role, and proposes what the listing showed', () => {
    expect(choice(doubt(), 'adopt')?.fields).toMatchObject([
      { name: 'shipments.issue', hint: 'It may be s-7.', suggested: 's-7' },
      { name: 'why' },
    ]);
    expect(choice(doubt(), 'adopt')?.request).toEqual({
      path: '/v1/processes/order-1/commands/adopt',
      body: {},
    });
  });
});

test('a process of a flow file has its questions and its events', () => {
  const progress = newFileProgress({
    questions: [
      {
        id: 'look',
        of: 'desk',
        question: 'Is it <b>broken</b>?',
        askedAt: at,
        until: null,
        fields: {
          broken: { type: 'yesNo' },
          state: { choice: ['new', 'old'], label: 'State', optional: true },
        },
      },
    ],
  });
  const given = choosing(
    [
      possible('answer', object({ values: { type: 'object' } }), { question: 'look' }),
      possible(
        'event',
        object({ type: { type: 'string', enum: ['repaired'] }, data: {}, id: { type: 'string' } }, ['type']),
      ),
      cancel,
    ],
    { flow: 'Loan', progress },
  );
  expect(idsOf(given)).toEqual(['answer:look', 'event', 'cancel']);
  expect(choice(given, 'answer:look')).toMatchObject({
    consequence: expect.stringContaining('Is it <b>broken</b>?'),
    fields: [
      { name: 'values.broken', label: 'broken', kind: 'yesNo' },
      { name: 'values.state', label: 'State', kind: 'select', options: ['new', 'old'], optional: true },
    ],
  });
  expect(choice(given, 'event')?.fields).toMatchObject([
    { name: 'type', kind: 'select', options: ['repaired'] },
    { name: 'data', kind: 'json', optional: true },
  ]);
});

test.each([
  [undefined, 'Without one it goes on at'],
  [
    [{ state: 'chased.sentBack' }, { state: 'lost', title: 'It is lost' }],
    'goes on to “Sent back” or “It is lost” at',
  ],
])('without an answer a question with the ends %j %s', (unanswered, words) => {
  const asked = { id: 'look', of: 'desk', fields: {}, until: at, unanswered };
  expect(questionForm('order-1', asked).consequence).toContain(words);
});

test('a process that has ended takes nothing; one that nobody answers for can still be cancelled', () => {
  expect(actionFormsOf(choosing([cancel], { isOpen: false }))).toEqual([]);
  expect(idsOf(choosing([], { actions: null }))).toEqual(['cancel']);
  expect(idsOf(choosing([], { actions: null, flow: 'UnmatchedCallback' }))).toEqual([]);
});
