// What the timeline of a process tells of its doors: evidence of who opened them, and how.
import { expect, test } from 'vitest';
import { codesReadIn, doorRows, type ShownShipment } from '../../../console/process/door-rows.ts';

const anna: ShownShipment = { shipmentUid: 's-1', lockerName: '7', to: 'Anna Jansen', from: 'the shop' };

const event = (fields: object) =>
  ({
    kind: 'Requested',
    occurredAt: '2026-11-28T11:15:00.000',
    stateCode: null,
    accessGoal: null,
    operation: null,
    outcome: null,
    clientId: 'console',
    onBehalfOf: null,
    why: null,
    requestId: null,
    ...fields,
  }) as never;

const byMila = { onBehalfOf: 'mila', operation: 'UnlockShipmentLocker', why: 'her code is lost' };
const opened = (fields: object) => event({ kind: 'LockerOpened', clientId: 'console', ...fields });
const wordsOf = (events: readonly object[], shipment = anna) =>
  doorRows(events as never, shipment).map(({ words }) => words);

test('a door that staff opened has who and why, and never reads as the pick-up of the person', () => {
  // Who asked for something else just before has not opened it.
  const asked = event({ onBehalfOf: 'ben', operation: 'SetShipmentReceiver', outcome: 'Success' });
  const rows = doorRows([asked, opened({ ...byMila, accessGoal: 'PickUp' })], anna);
  expect(rows).toEqual([
    {
      at: '2026-11-28T11:15:00.000Z',
      words: 'Mila opened locker 7 without a code; it counts as taken out.',
      why: 'her code is lost',
      isBad: false,
      isByProgram: false,
      id: 's-1 1',
    },
  ]);
  const looked = [asked, opened(byMila)];
  expect(wordsOf(looked)).toEqual(['Mila opened locker 7 without a code, to look inside.']);
});

test('what staff says of a door that was opened with its key is told as their word', () => {
  const byHand = { ...byMila, operation: 'ReportShipmentAccess', accessGoal: 'PickUp' };
  expect(wordsOf([opened(byHand)])).toEqual([
    'Mila says that the item was taken out of locker 7, without a code.',
  ]);
});

test('who said that a locker is empty, and who took it out of order, are rows with their names', () => {
  const said = { onBehalfOf: 'mila', outcome: 'Success' };
  expect(
    wordsOf([
      event({ ...said, operation: 'SetLockerEmptied' }),
      event({ ...said, operation: 'SetLockerOutOfOrder' }),
    ]),
  ).toEqual(['Mila reported locker 7 as empty.', 'Mila took locker 7 out of order.']);
});

test('a look into the locker has who and why, and counts as nothing, whatever came before it', () => {
  const before = event({ onBehalfOf: 'sam', operation: 'CreateLocalShipment', outcome: 'Success' });
  const look = { operation: 'OpenLocker', accessGoal: 'Look', onBehalfOf: 'mila', why: 'it rattles' };
  expect(doorRows([before, opened(look)], anna)).toEqual([
    {
      at: '2026-11-28T11:15:00.000Z',
      words: 'Mila opened locker 7 to look inside.',
      why: 'it rattles',
      isBad: false,
      isByProgram: false,
      id: 's-1 1',
    },
  ]);
  expect(wordsOf([opened({ ...look, onBehalfOf: null })])).toEqual([
    'The program console opened locker 7 to look inside.',
  ]);
});

test.each([
  ['codeTyped', 'PickUp', 'Locker 7 was opened with the code of Anna Jansen for taking out.'],
  ['SimulateLockerAccess', 'DropOff', 'Locker 7 was opened with the code of the shop for putting in.'],
])('a code that was typed, by %s for %s, is told with whose it was', (operation, accessGoal, words) => {
  expect(wordsOf([opened({ operation, accessGoal })])).toEqual([words]);
  const nobody = { ...anna, to: null, from: null };
  expect(wordsOf([opened({ operation, accessGoal })], nobody)).toEqual([
    words.replace(/of (Anna Jansen|the shop) /, ''),
  ]);
});

test.each([
  [
    { kind: 'CodeRefused', operation: 'codeTyped', outcome: 'InvalidAccessCode' },
    'A wrong code was typed at locker 7.',
  ],
  [
    { kind: 'StayedShut', operation: 'codeTyped', outcome: 'UnlockFailed' },
    'The right code was typed at locker 7, and its door stayed shut.',
  ],
  [
    { ...byMila, outcome: 'UnlockFailed' },
    'Mila tried to open locker 7 without a code: the door stayed shut.',
  ],
  [{ ...byMila, outcome: 'Stale' }, 'Locker 7 opened, but its shipment had changed before.'],
])('the failed try %j is told, and stands out', (fields, words) => {
  expect(doorRows([event(fields)], anna)).toMatchObject([{ words, isBad: true }]);
});

test('who saw the codes is told; what changes no door and no code is not', () => {
  const codes = { operation: 'GetShipmentAccessCode', outcome: 'Success' };
  expect(wordsOf([event({ ...codes, onBehalfOf: 'sam' }), event(codes)])).toEqual([
    'Sam saw the codes of locker 7.',
    'The program console read the codes of locker 7.',
  ]);
  const others = [
    { kind: 'StateChanged', stateCode: 'Completed' },
    { operation: 'CreateLocalShipment', outcome: 'Success' },
    { operation: 'CancelShipment', outcome: 'InvalidShipmentState' },
    { ...byMila, outcome: 'Success' },
  ];
  expect(wordsOf(others.map(event))).toEqual([]);
});

test('who read the codes is said once for each, with the last time; a comparison shows them to nobody', () => {
  const read = (onBehalfOf: string, minute: number) =>
    event({
      operation: 'GetShipmentAccessCode',
      outcome: 'Success',
      onBehalfOf,
      occurredAt: `2026-11-28T11:${minute}:00.000`,
    });
  const events = [read('mila', 10), read('ben', 20), read('mila', 30), read('comparison with a message', 40)];
  expect(codesReadIn(events)).toEqual([
    { by: 'mila', at: '2026-11-28T11:30:00.000Z' },
    { by: 'ben', at: '2026-11-28T11:20:00.000Z' },
  ]);
});
