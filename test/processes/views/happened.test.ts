// What happened in every recorded process: as data, which no program has to read from words, and in sentences without a word that
// only developers know.
import { defaultPayloadConverter } from '@temporalio/common';
import { describe, expect, test } from 'vitest';
import { namedDecisionOf } from '../../../processes/temporal-context.ts';
import { type HappenedRow, happenedOf } from '../../../processes/views/happened.ts';
import type { HistoryEvent } from '../../../processes/views/history-event.ts';
import { sentenceOf } from '../../../processes/views/sentences.ts';
import { type TimelineEntry, timeline, timelineOf } from '../../../processes/views/timeline.ts';
import { type TimelineData, timerData, updateData } from '../../../processes/views/timeline-data.ts';
import { isOpenEnd, undosOf } from '../../../processes/views/undoable.ts';
import { historyOf, recordings } from '../../workflows/recording/recordings.ts';

const decode = async (payload: unknown) =>
  payload ? defaultPayloadConverter.fromPayload(payload as never) : null;

/** Names in code, ISO instants and durations, uids, JSON. */
const JARGON = /xstate|[a-z][A-Z]|\bP(?:\d|T\d)|[\da-f]{8}-[\da-f]{4}|[{}`]|undefined|\bnull\b/;
/** What a person or another system has typed is theirs. */
const quoted = (words: string): string => words.replaceAll(/“[^”]*”|because .*|failed: .*/g, '');

const wordsIn = (rows: readonly HappenedRow[]): string[] => rows.flatMap(({ words, did }) => [words, ...did]);

const recorded = await recordings();
const all: TimelineEntry[] = [];

describe.each(recorded)('$name', ({ recording }) => {
  test('has data as the published schema says, nothing unknown in it, and reads in sentences', async () => {
    const events = (historyOf(recording).events ?? []) as HistoryEvent[];
    const told = await timelineOf([events], decode, () => undefined);
    expect(timeline.parse(told)).toEqual(told);
    expect(JSON.stringify(told.entries.map(({ data }) => data))).not.toContain('"unknown"');
    all.push(...told.entries);
    const rows = await happenedOf(told.entries, new Map());
    const words = wordsIn(rows);
    expect(words[0]).toMatch(/^It (?:is started|goes on from before)\.$/);
    for (const each of words) {
      expect(each).toMatch(/^[\p{Lu}\d“].*[.!?…”]$/su);
      expect(quoted(each)).not.toMatch(JARGON);
    }
  });
});

test('a shipment of a former booking, which its process has forgotten, is named by what was booked', async () => {
  const payloads = (value: object) => ({ payloads: [defaultPayloadConverter.toPayload(value)] });
  const shipments = [{ shipmentUid: 's-1', role: 'issue' }];
  const report = { shipmentUid: 's-1', stateCode: 'Cancelled' };
  const { entries } = await timelineOf(
    [
      [
        { eventId: 5, activityTaskScheduledEventAttributes: { activityType: { name: 'book' } } },
        {
          eventId: 7,
          activityTaskCompletedEventAttributes: { scheduledEventId: 5, result: payloads({ shipments }) },
        },
        {
          eventId: 9,
          workflowExecutionSignaledEventAttributes: { signalName: 'shipmentStatus', input: payloads(report) },
        },
      ] as unknown as HistoryEvent[],
    ],
    decode,
    () => undefined,
  );
  expect(wordsIn(await happenedOf(entries, new Map()))).toContain('The delivery is cancelled.');
});

test('the timers of deadlines and reminders are known by role and stage', () => {
  const passed = all.flatMap(({ data }) => (data.type === 'timerPassed' ? [data] : []));
  expect(passed.length).toBeGreaterThan(0);
  expect(passed.filter(({ deadline }) => deadline === null)).toEqual([]);
  expect(timerData('reminder of intake: drop off until 2031-05-01 12:00 UTC').deadline).toEqual({
    role: 'intake',
    stage: 'dropOff',
    isReminder: true,
  });
});

test('who and why are shown, whatever the sentence says', async () => {
  const entry = {
    at: '2031-05-01T12:00:00Z',
    runId: 'run',
    eventId: '7',
    by: 'ed',
    onBehalfOf: null,
    why: 'ask',
  };
  const rows = await happenedOf(
    [
      { ...entry, data: { type: 'cancelRequested' } },
      { ...entry, data: updateData('dropEvent', { by: 'ed', why: 'ask' }) },
    ] as unknown as TimelineEntry[],
    new Map(),
  );
  expect(rows).toMatchObject([
    { words: 'Ed cancels it.', by: null, why: 'ask' },
    { words: 'Ed drops the event that cannot be taken, because ask.', by: null, why: null },
  ]);
});

test('what people have done is known as that, also where the sentence says who', async () => {
  const entry = { at: '2031-05-01T12:00:00Z', runId: 'run', onBehalfOf: null, why: null };
  const rows = await happenedOf(
    [
      { ...entry, eventId: '1', by: null, data: { type: 'started', flow: 'Issue' } },
      { ...entry, eventId: '2', by: 'mila', data: updateData('note', { by: 'mila', text: 'Ask her.' }) },
      { ...entry, eventId: '3', by: 'ed', data: { type: 'started', flow: 'Issue' } },
    ] as unknown as TimelineEntry[],
    new Map(),
  );
  expect(rows.map(({ by, isByPeople }) => [by, isByPeople])).toEqual([
    [null, false],
    [null, true],
    ['ed', true],
  ]);
});

test('a note on a late case does not read as if it had become late by it', async () => {
  const entry = { at: '2031-05-01T12:00:00Z', runId: 'run', by: null, onBehalfOf: null, why: null };
  const overdue = { type: 'phase', phase: 'Overdue' };
  const noted = updateData('note', { by: 'mila', text: 'He comes tomorrow.' });
  const rows = await happenedOf(
    [{ type: 'started', flow: 'Issue' }, overdue, noted, overdue].map((data, index) => ({
      ...entry,
      eventId: String(index),
      data,
    })) as unknown as TimelineEntry[],
    new Map(),
  );
  expect(rows).toMatchObject([
    { did: ['It is overdue now.'], isBad: true },
    { did: [], isBad: false },
  ]);
});

test('of a note the whole is told', () => {
  const text = 'x'.repeat(500);
  expect(updateData('note', { by: 'mila', text })).toMatchObject({ fields: { by: 'mila', text } });
});

test('a booking is known by its operation, and how it failed by a code', () => {
  const failed = all.flatMap(({ data }) => (data.type === 'callFailed' ? [data] : []));
  expect(failed.length).toBeGreaterThan(0);
  for (const { activity, operation, failure } of failed) {
    expect(failure.code).toMatch(/^[A-Z]\w+$/);
    if (activity === 'book') expect(operation).toMatch(/^Create/);
  }
});

test('a delay of a flow file is known by its state', () => {
  expect(timerData('lent.waiting.after.P3D')).toEqual({
    timer: 'lent.waiting.after.P3D',
    deadline: null,
    delay: { state: 'lent.waiting', after: 'P3D' },
  });
});

test('an update has what was said, but for the receiver', () => {
  expect(updateData('setReceiver', { role: 'issue', toUserUid: 'user-anna' })).toEqual({
    type: 'updated',
    name: 'setReceiver',
    fields: { role: 'issue' },
    values: null,
    moved: null,
  });
  const said = { by: 'anna', question: 'deskCheck', values: { whole: false } };
  expect(updateData('claim', { by: 'anna' }, { itemTitle: 'laptop-7', holder: 'anna' })).toMatchObject({
    fields: { by: 'anna', itemTitle: 'laptop-7' },
  });
  expect(updateData('answer', said)).toMatchObject({ values: { whole: false }, fields: { by: 'anna' } });
  expect(updateData('migrate', { by: 'ben', why: 'new', to: { version: 3 } })).toMatchObject({
    fields: { by: 'ben', why: 'new', version: 3 },
  });
});

const nobody = { by: null, onBehalfOf: null };

// To copy what is known so far for each entry would take a minute.
test('what says nothing goes with what came before it, also tens of thousands of entries', {
  timeout: 20_000,
}, async () => {
  const at = { at: null, ...nobody, why: null, runId: 'run-1' } as const;
  const entries = Array.from({ length: 60_000 }, (_, index) => ({
    ...at,
    eventId: String(index),
    data: { type: 'callCancelled', activity: 'book', ...call } as const,
  }));
  const rows = await happenedOf(entries, new Map());
  expect(rows).toHaveLength(1);
});

test('what the process did stands where the last thing came that says nothing', async () => {
  const entryOf = (data: TimelineData, index: number) => ({
    ...nobody,
    why: null,
    runId: 'run-1',
    eventId: String(index),
    at: `2031-05-01T12:00:0${index}.000Z`,
    data,
  });
  const silent: TimelineData = { type: 'callCancelled', activity: 'book', ...call };
  const started: TimelineData = { type: 'flowStarted', flow: 'Issue', key: 'loan-1' };
  const rows = await happenedOf([started, silent, silent, started].map(entryOf), new Map());
  expect(rows.map(({ eventId }) => eventId)).toEqual(['0', '2']);
});

test('what an `each` starts at once is one sentence, which names its items', async () => {
  const started = (flow: string, itemTitle: string, index: number): TimelineEntry => ({
    ...nobody,
    why: null,
    runId: 'run-1',
    eventId: String(index),
    at: null,
    data: { type: 'flowStarted', flow, key: `loan-1/recall.${index}`, itemTitle },
  });
  const first = { ...started('', '', 0), data: { type: 'started', flow: 'Loan' } as const };
  const all = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((title, index) => started('Recall', title, index + 1));
  const rows = await happenedOf([first, ...all, started('Repair', 'h', 9)], new Map());
  expect(rows.map(({ did }) => did)).toEqual([
    ['It starts “Recall” for a, b, c, d, e and 2 more.', 'It starts “Repair” for h.'],
  ]);
});

const names = new Map([['uid-1', 'the issue']]);

const signal = { role: null, shipmentUid: 'uid-1' } as const;
const call = { id: null, connector: null, operation: null };
const sent = {
  type: 'sent',
  event: 'device.free',
  id: 'event-1',
  where: { device: 'laptop-7' },
  until: '2031-05-01T13:00:00.000Z',
} as const;
const noLocker = { code: 'NoLockerFree', message: 'no locker is free' };

test.each<[TimelineData, string | null]>([
  [
    {
      type: 'reported',
      source: 'callback',
      role: 'issue',
      shipmentUid: 'uid-1',
      stateCode: 'ReadyForPickup',
    },
    'The delivery is to be picked up.',
  ],
  [
    {
      type: 'reported',
      source: 'callback',
      role: 'circularStock',
      shipmentUid: 'uid-1',
      stateCode: 'ReadyForPickup',
    },
    'The return to stock: in stock.',
  ],
  [
    { type: 'reported', source: 'reconciler', ...signal, stateCode: 'Completed' },
    'The issue is done; its callback had not come.',
  ],
  [
    { type: 'reported', source: 'callback', role: null, shipmentUid: 'uid-2', stateCode: 'Completed' },
    'A shipment whose role is not known is done.',
  ],
  [
    { type: 'timerPassed', ...timerData('issue: pick up until 2031-05-01 12:00 UTC') },
    'The deadline for the delivery to be picked up has passed.',
  ],
  [{ type: 'callDone', activity: 'keepReports', ...call }, null],
  [
    { type: 'callDone', activity: 'emitEvent', ...call, event: 'loan.dueSoon', connector: 'mail' },
    '“loan due soon” is delivered to Mail.',
  ],
  [
    { type: 'callDone', activity: 'emitEvent', ...call, event: 'loan.dueSoon' },
    '“loan due soon” is delivered to the system for events.',
  ],
  [
    { type: 'callTimedOut', activity: 'emitEvent', ...call, event: 'loan.dueSoon' },
    'The delivery of “loan due soon” took too long.',
  ],
  [
    { type: 'told', key: 'loan-1/repair', flow: 'DeviceRepair', event: 'parts.came' },
    'It tells “Device repair”: “parts came”.',
  ],
  [
    { type: 'told', key: 'loan-1/recall.0', flow: 'Recall', itemTitle: 'laptop-7', event: 'parts.came' },
    'It tells “Recall” for laptop-7: “parts came”.',
  ],
  [{ type: 'told', key: 'loan-1', flow: null, event: 'parts.came' }, 'It tells loan-1: “parts came”.'],
  [
    { type: 'toldBy', key: 'loan-1/recall.0', flow: 'Recall', itemTitle: 'laptop-7', event: 'parts.came' },
    '“Recall” for laptop-7 tells it: “parts came”.',
  ],
  [
    { type: 'toldBy', key: null, flow: null, event: 'parts.came' },
    'A flow that it has started tells it: “parts came”.',
  ],
  [{ type: 'toldBy', key: 'loan-1/loan', flow: 'Issue', event: 'issue.Completed' }, null],
  [{ type: 'toldBy', key: 'loan-1/repair', flow: 'Repair', event: 'needsPerson' }, null],
  [{ type: 'told', key: 'loan-1', flow: null, event: 'issue.overdue' }, null],
  [{ ...sent, processes: 2 }, 'It tells 2 cases with device laptop-7: “device free”.'],
  [{ ...sent, processes: 1 }, 'It tells 1 case with device laptop-7: “device free”.'],
  [{ ...sent, processes: null }, 'It tells whoever has device laptop-7: “device free”.'],
  [
    { ...sent, processes: 0, isWaiting: true },
    'Nobody with device laptop-7 has heard “device free” yet: it waits until 2031-05-01T13:00:00.000Z.',
  ],
  [{ ...sent, processes: 0 }, 'Nobody with device laptop-7 has heard “device free”.'],
  [
    { type: 'flowStarted', flow: 'Recall', key: 'loan-1/recall.0', itemTitle: 'laptop-7' },
    'It starts “Recall” for laptop-7.',
  ],
  [
    { type: 'callDone', activity: 'callConnector', ...call, connector: 'shop', id: 'order.1' },
    'Shop has answered “order” for item 2.',
  ],
  [
    { type: 'callDone', activity: 'callLockerApi', ...call, operation: 'GetShipment' },
    'The locker service has answered “get shipment”.',
  ],
  [
    { type: 'callDone', activity: 'callLockerApi', ...call, operation: 'FindAccount' },
    'The account is found or created.',
  ],
  [
    { type: 'callDone', activity: 'callLockerApi', ...call, operation: 'FindAccount', itemTitle: 'Anna' },
    'The account is found or created for Anna.',
  ],
  [
    {
      type: 'callDone',
      activity: 'callLockerApi',
      ...call,
      operation: 'SetAccount',
      fields: ['pickUpPointUid'],
    },
    'The pick up point of the account is set.',
  ],
  [
    {
      type: 'callDone',
      activity: 'callLockerApi',
      ...call,
      operation: 'SetAccount',
      fields: ['city', 'canRemoveManually'],
    },
    'The details of the account are set, what the person may change is set.',
  ],
  [
    {
      type: 'callDone',
      activity: 'callConnector',
      ...call,
      connector: 'shop',
      id: 'order.1',
      itemTitle: 'lid',
    },
    'Shop has answered “order” for lid.',
  ],
  [{ type: 'timerPassed', ...timerData('P14D') }, '14 days are over.'],
  [{ type: 'timerPassed', ...timerData('reminder') }, 'Its time is over: reminder.'],
  [{ type: 'timerPassed', ...timerData('wait in lent') }, 'Its time in “lent” is over.'],
  [
    { type: 'callFailed', activity: 'book', ...call, failure: noLocker },
    'The booking failed: no locker is free.',
  ],
  [
    {
      type: 'callFailed',
      activity: 'book',
      ...call,
      failure: { code: 'OutcomeUnknown', message: 'it broke' },
    },
    'It is not known whether the booking was made: it broke.',
  ],
  [
    { type: 'callTimedOut', activity: 'book', ...call },
    'The booking took too long: it is not known whether it was made.',
  ],
  [{ type: 'phase', phase: 'Open' }, null],
])('%j: %s', (data, words) => {
  expect(sentenceOf({ data, ...nobody }, names).words).toBe(words);
});

test('whoever told an event is named', () => {
  const data = { type: 'signalled', name: 'event', event: 'shelf.counted' } as const;
  expect(sentenceOf({ data, by: 'noor', onBehalfOf: null }, names)).toEqual({
    words: 'Noor tells it: “shelf counted”.',
    saysWho: true,
  });
  // By the command line, without `--by`.
  expect(sentenceOf({ data, by: '6116@vm', onBehalfOf: null }, names).words).toBe(
    'Vm (command line) tells it: “shelf counted”.',
  );
  expect(sentenceOf({ data, ...nobody }, names).words).toBe('It hears: “shelf counted”.');
});

const [before, after] = ['2031-05-01T12:00:00.000Z', '2031-05-03T12:00:00.000Z'];

test.each([
  [{ extendBy: 'P2D' }, { from: before, until: after }, `is extended: ${before} → ${after}`],
  [{ shortenBy: 'P2D' }, { from: after, until: before }, `is shortened: ${after} → ${before}`],
  [
    { undo: { from: before, until: after } },
    { from: after, until: before },
    `is put back: ${after} → ${before}`,
  ],
  [
    { undo: { from: null, until: after } },
    { from: after, until: null },
    `is taken away again: it was ${after}`,
  ],
  [{ until: after }, { from: null, until: after }, `is extended until ${after}`],
])('a moved end %j is told by what it was and is: %j', (given, moved, words) => {
  const data = updateData('extendDeadline', { role: 'issue', stage: 'pickUp', ...given }, moved);
  expect(sentenceOf({ data, ...nobody }, names).words).toBe(
    `The deadline for the delivery to be picked up ${words}.`,
  );
});

test('each move of a deadline is taken back for ten minutes, the newest first', () => {
  const at = Date.parse('2031-05-01T10:00:00.000Z');
  const entry = (minute: number, given: object, moved: object) => ({
    at: new Date(at + minute * 60_000).toISOString(),
    data: updateData('extendDeadline', { role: 'issue', ...given }, moved),
    ...nobody,
    why: null,
    runId: 'run',
    eventId: String(minute),
  });
  const move = { from: before, until: after };
  const second = { from: after, until: '2031-05-04T12:00:00.000Z' };
  const entries = [
    entry(0, { stage: 'pickUp', extendBy: 'P1D' }, move),
    entry(1, { stage: 'dropOff', extendBy: 'P1D' }, move),
    entry(2, { stage: 'pickUp', extendBy: 'P1D' }, second),
  ];
  const undos = undosOf(entries, at + 3 * 60_000);
  expect([...undos.keys()]).toEqual(['run 2', 'run 1']);
  expect(undos.get('run 2')).toEqual({
    offeredUntil: '2031-05-01T10:12:00.000Z',
    fields: { role: 'issue', stage: 'pickUp', ...second },
  });
  expect([...undosOf(entries, at + 11.5 * 60_000).keys()]).toEqual(['run 2']);
  const back = entry(3, { stage: 'pickUp', undo: second }, { from: second.until, until: after });
  const once = undosOf([...entries, back], at + 4 * 60_000);
  expect([...once.keys()]).toEqual(['run 0', 'run 1']);
  expect(once.get('run 0')?.fields).toEqual({ role: 'issue', stage: 'pickUp', ...move });
  const again = entry(4, { stage: 'pickUp', undo: move }, { from: after, until: before });
  expect([...undosOf([...entries, back, again], at + 5 * 60_000).keys()]).toEqual(['run 1']);
});

test('an end is put back only where the process still waits for it', () => {
  const deadlines = [{ role: 'issue', stage: 'pickUp' }];
  const progress = {
    bookings: [{ id: 'loan', deadlines }],
    waitingFor: [{ id: 'repairing.after' }],
  } as never;
  expect(isOpenEnd({ role: 'issue', stage: 'pickUp' }, progress)).toBe(true);
  expect(isOpenEnd({ role: 'issue', stage: 'pickUp', booking: 'spare' }, progress)).toBe(false);
  expect(isOpenEnd({ role: 'issue', stage: 'dropOff' }, progress)).toBe(false);
  expect(isOpenEnd({ timer: 'repairing.after' }, progress)).toBe(true);
  expect(isOpenEnd({ timer: 'asked.after' }, progress)).toBe(false);
});

const decided = { by: 'bram', why: 'seen' };

/** Each update that a process takes. */
const updates: readonly [name: string, payload: object | null, words: string][] = [
  [
    'extendDeadline',
    { role: 'issue', stage: 'pickUp', until: '2031-05-01T12:00:00Z' },
    'The deadline for the delivery to be picked up is extended until 2031-05-01T12:00:00Z.',
  ],
  ['extendDeadline', { timer: 'out.after.P2D', fromNow: 'P3D' }, 'Its time is extended to 3 days from then.'],
  ['moveClock', { aheadMs: 176_400_000 }, "The sandbox's clock is moved: 2 d 1 h ahead of the real time."],
  // A receiver is a person: who it is stands in the history alone.
  ['setReceiver', { role: 'issue', toUserUid: 'user-anna' }, 'A receiver is to be set for the delivery.'],
  ['removeReceiver', { role: 'issue' }, 'The receiver of the delivery is to be removed.'],
  [
    'resolve',
    { ...decided, action: 'setState', role: 'issue', stateCode: 'ReadyForPickup' },
    'Bram decides: from now on the delivery is to be picked up, because seen.',
  ],
  [
    'answer',
    { by: 'bram', question: 'isItThere', values: { there: true, count: 2, why: 'seen' } },
    'Bram answers “is it there”: there: yes, count: 2, why: seen.',
  ],
  ['answer', { by: 'bram', answer: { words: 'yes' } }, 'Bram answers its question.'],
  ['claim', { by: 'shop (API)', onBehalfOf: 'anna', question: 'a' }, 'Anna by shop (API) claims “a”.'],
  ['release', { by: 'bram', question: 'a' }, 'Bram releases “a”.'],
  [
    'assign',
    { ...decided, question: 'a', to: 'anna', of: 'desk' },
    'Bram assigns “a” to anna of desk, because seen.',
  ],
  ['dropEvent', decided, 'Bram drops the event that cannot be taken, because seen.'],
  ['giveUp', decided, 'Bram gives it up, because seen.'],
  ['migrate', { to: { version: 4, file: {} }, ...decided }, 'Bram migrates it to version 4, because seen.'],
  ['migrate', { back: true, ...decided }, 'Bram takes the migration back, because seen.'],
  ['note', { by: 'mila', text: 'Charger is missing' }, 'Mila notes: Charger is missing.'],
  ['note', { by: 'shop (API)', onBehalfOf: 'mila', text: 'Ask her!' }, 'Mila by shop (API) notes: Ask her!'],
  // What a client of another version sent.
  ['giveUp', {}, 'Somebody gives it up.'],
  ['anUpdateOfTomorrow', null, 'An update of tomorrow.'],
];

const wordsOfUpdate = (name: string, payload: object | null) => {
  const who = { ...nobody, ...(payload as { by?: string; onBehalfOf?: string } | null) };
  return sentenceOf({ data: updateData(name, payload), by: who.by, onBehalfOf: who.onBehalfOf }, names).words;
};

test.each(updates)('%s %j', (name, payload, words) => {
  expect(wordsOfUpdate(name, payload)).toBe(words);
});

test('every update of every recorded process has its sentence', () => {
  const updated = new Set<string>();
  for (const { recording } of recorded)
    for (const event of historyOf(recording).events ?? []) {
      const { name } = event.workflowExecutionUpdateAcceptedEventAttributes?.acceptedRequest?.input ?? {};
      if (name) updated.add(name);
    }
  expect(updates.map(([name]) => name)).toEqual(expect.arrayContaining([...updated]));
  expect(updated).toContain('extendDeadline');
});

test('an unmatched callback keeps the person and the program as one name, once', () => {
  const decision = namedDecisionOf({ by: 'shop (API)', onBehalfOf: 'Anna', why: ' booked by hand ' });
  expect(wordsOfUpdate('claim', { ...decision, workflowId: 'order-1042' })).toBe(
    'Anna by shop (API) gives the reports to order-1042, because booked by hand.',
  );
});

const tried = {
  itemSides: [20, 30, 40],
  tried: [{ pupUid: 'pup-station', size: 'M', lockers: 5, taken: 5, outOfOrder: 0, toBeEmptied: 0 }],
  allowLargerLockers: true,
  allowOverflowLockers: false,
};

test('a booking that found no locker failed once, and says for what by its data', async () => {
  const failure = { code: 'NoLockerAvailable', message: 'any words', lockersTried: tried };
  const call = { activity: 'book', id: null, connector: null, operation: null };
  const entry = (data: object, eventId: string) =>
    ({ at: null, data, by: null, onBehalfOf: null, why: null, runId: 'run', eventId }) as TimelineEntry;
  const rows = await happenedOf(
    [
      entry({ type: 'started', flow: 'Issue' }, '1'),
      entry({ type: 'callFailed', ...call, failure }, '5'),
      entry({ type: 'phase', phase: 'Open' }, '6'),
      entry({ type: 'failed', failure }, '7'),
    ],
    new Map(),
  );
  expect(wordsIn(rows)).toEqual([
    'It is started.',
    'The booking failed: no locker is free for 20 × 30 × 40 cm.',
  ]);
  const again = (status: string) =>
    entry({ type: 'started', flow: 'Issue', startedAgainAfter: { at: null, status, failure } }, '1');
  expect(wordsIn(await happenedOf([again('Failed')], new Map()))).toEqual([
    'It is started again: the start before failed: no locker is free for 20 × 30 × 40 cm.',
  ]);
  expect(wordsIn(await happenedOf([again('Cancelled')], new Map()))).toEqual([
    'It is started again: the start before was cancelled.',
  ]);
  const other = entry({ type: 'failed', failure: { code: 'Other', message: 'another' } }, '7');
  const both = await happenedOf([entry({ type: 'callFailed', ...call, failure }, '5'), other], new Map());
  expect(wordsIn(both)).toHaveLength(2);
});
