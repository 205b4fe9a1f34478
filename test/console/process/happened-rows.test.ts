// What happened in a case, with what happened at its doors: what programs read stands with the doors alone, and is never lost.
import { expect, test } from 'vitest';
import { filters, merged } from '../../../console/page/process/happened-rows.ts';
import { doorRows } from '../../../console/process/door-rows.ts';

const read = {
  kind: 'Requested',
  operation: 'GetShipmentAccessCode',
  outcome: 'Success',
  stateCode: null,
  accessGoal: null,
  changedAt: null,
  clientId: 'shop',
  why: null,
  occurredAt: '2031-05-01T12:00:00.000',
} as const;
const shipment = { shipmentUid: 'a', lockerName: '7', to: null, from: null };
const readBy = (onBehalfOf: string | null) =>
  doorRows([{ ...read, onBehalfOf }] as unknown as Parameters<typeof doorRows>[0], shipment);

const shownIn = (filter: keyof typeof filters, onBehalfOf: string | null) =>
  merged([], { items: readBy(onBehalfOf), unread: null })
    .filter(filters[filter].isShown)
    .map(({ words }) => words);

test('codes that a person saw are shown everywhere', () => {
  for (const filter of ['all', 'people', 'doors'] as const)
    expect(shownIn(filter, 'mila'), filter).toEqual(['Mila saw the codes of locker 7.']);
});

test.each([
  [null, 'The program shop read the codes of locker 7.'],
  ['comparison with a message', 'A message was compared with the codes of locker 7: nobody saw them.'],
])('codes that a program read, for %s, are no news, and stand at the doors', (onBehalfOf, words) => {
  expect(shownIn('all', onBehalfOf)).toEqual([]);
  expect(shownIn('people', onBehalfOf)).toEqual([]);
  expect(shownIn('doors', onBehalfOf)).toEqual([words]);
});

const at = (time: string) => `2031-05-01T${time}Z`;
const row = (time: string, words: string, more = {}) => ({
  at: at(time),
  words,
  did: [],
  by: null,
  why: null,
  isByPeople: false,
  isBad: false,
  undo: null,
  runId: 'r',
  eventId: words,
  ...more,
});
const reported = (time: string, words: string) => row(time, words, { isAtLocker: true });
const door = (time: string, words: string, isBad = false) => ({
  at: at(time),
  words,
  why: null,
  isBad,
  isByProgram: false,
  id: words,
});

test.each([
  [
    'the clock of the service is ahead',
    [row('12:00:00.100', 'booked'), reported('12:00:05.990', 'taken out'), row('12:00:06.000', 'it ends')],
    [door('12:00:06.010', 'opened')],
    ['booked', 'opened', 'taken out', 'it ends'],
  ],
  [
    'a try failed just before',
    [row('12:00:00.000', 'booked'), reported('12:00:05.500', 'taken out')],
    [door('12:00:05.400', 'stayed shut', true), door('12:00:05.600', 'opened')],
    ['booked', 'stayed shut', 'opened', 'taken out'],
  ],
  [
    'a program goes through it in a moment',
    [
      row('12:00:00.000', 'booked'),
      reported('12:00:00.300', 'put in'),
      reported('12:00:00.800', 'taken out'),
    ],
    [door('12:00:00.200', 'opened to put in'), door('12:00:00.700', 'opened to take out')],
    ['booked', 'opened to put in', 'put in', 'opened to take out', 'taken out'],
  ],
  [
    'it was opened later, as a new moment',
    [row('12:00:00.000', 'extended'), reported('12:00:05.000', 'put in')],
    [door('12:00:00.000', 'codes seen'), door('12:00:09.000', 'looked inside')],
    ['extended', 'codes seen', 'put in', 'looked inside'],
  ],
])('of one moment a door comes before what became of the item: %s', (_, happened, items, words) => {
  expect(merged(happened, { items, unread: null }).map((each) => each.words)).toEqual(words);
});
