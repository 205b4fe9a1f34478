// A copy of a built-in flow that does more than its booking: people see all of it.
import { expect, test } from 'vitest';
import type { BookingState } from '../../../flows/booking/booking-state.ts';
import type { FlowFile } from '../../../flows/language/flow-file.ts';
import { Player } from '../../../flows/simulation/player.ts';
import { fileOf } from '../language/names.ts';
import { booksTwice } from './books-twice.ts';

/** @param beside in the state that books  @param after in the state that follows */
const copy = (beside: string, after: string) =>
  fileOf(`
name: MyIssue
meaning: Issues an item, and does more.
initial: following
states:
  following:
    ${beside}
    invoke:
      - { id: shipments, src: book, input: { operation: CreateLocalShipmentAsIssue, isWhole: true }, onDone: noting, onError: over }
      ${beside ? '' : '- { id: look, src: GetPickUpPoints, input: { pageNo: 1, pageSize: 10 } }'}
  noting: { ${after} }
  over: { type: final }
`);
const asks = (id: string) => `{ id: ${id}, src: ask, input: { of: desk, question: Fetched? }, onDone: over }`;

const asksAgain = `
name: MyIssue
meaning: Issues an item, as often as the desk says so.
initial: following
states:
  following:
    invoke: { id: shipments, src: book, input: { operation: CreateLocalShipmentAsIssue, isWhole: true }, onDone: asking, onError: asking }
  asking: { invoke: { id: again, src: ask, input: { of: desk, question: Again? }, onDone: following } }
  over: { type: final }
`;

const start = {
  request: { pupUid: 'p', toUserUid: 'u', allowLargerLockers: true, allowOverflowLockers: false },
};
const begun = (beside: string, after: string) => played(copy(beside, after));
const played = (file: FlowFile) => {
  const player = new Player(file, { input: start as never, at: '2026-01-05T09:00:00Z' });
  player.pass('PT1S');
  return player;
};
const seen = ({ process, progress: { phase, activity, waitingFor, questions } }: Player) => ({
  phase,
  activity,
  waits: waitingFor.map(({ kind }) => kind),
  asked: questions.map(({ id }) => id),
  inbox: process.definition.views.searchAttributes(process.snapshot, process.pending)?.LockerInbox,
  details: process.definition.views.details(process.snapshot, process.pending),
});

test('what it waits for after its booking: a question, a moment, an event', () => {
  const player = begun('', `invoke: ${asks('fetch')}, after: { P1D: over }, on: { go: over }`);
  expect(player.progress).toMatchObject({ phase: 'Open', activity: 'Following' });
  for (const state of ['ReadyForPickup', 'Completed']) player.send(`shipments.issue.${state}`);
  expect(seen(player)).toMatchObject({
    phase: 'Open',
    activity: 'Running',
    asked: ['fetch'],
    inbox: ['desk'],
  });
  expect(seen(player).waits).toEqual(['answer', 'time', 'event']);
  expect(seen(player).details).toContain('Fetched?');
  expect(player.progress).toMatchObject({ outcome: 'Done', bookings: [{ isWhole: true }] });
});

test('a question beside its booking, with the legs', () => {
  const player = begun('on: { aside: over }', 'after: { P1D: over }');
  expect(seen(player).waits).toContain('event');
  expect(player.progress.bookings).toMatchObject([{ isWhole: true, activity: 'Following' }]);
  for (const state of ['ReadyForPickup', 'Completed']) player.send(`shipments.issue.${state}`);
  expect(seen(player)).toMatchObject({ phase: 'Open', activity: 'Running', waits: ['time'] });
});

test.each([
  ['a person says so', asksAgain],
  ['it does so by itself', booksTwice('MyIssue')],
])('one that books again is what its latest booking is: %s', (_, text) => {
  const player = played(fileOf(text));
  for (const state of ['ReadyForPickup', 'Completed']) player.send(`shipments.issue.${state}`);
  if (player.progress.questions.length > 0) player.done('again', { by: 'anna' });
  player.pass('PT1S');
  expect(player.progress).toMatchObject({
    activity: 'Following',
    outcome: null,
    waitingFor: [{ kind: 'leg', booking: 'shipments' }],
    bookings: [
      { id: 'shipments ended', isWhole: false, activity: 'Ended', outcome: 'Done' },
      { id: 'shipments', isWhole: true, activity: 'Following' },
    ],
    shipments: { issue: { stateCode: 'ReadyForDropoff' } },
  });
  const cancel = player.process.definition
    .commands?.(player.process)
    .filter(({ command }) => command === 'cancel');
  expect(cancel?.map((each) => each.refusal())).toEqual([undefined]);
  for (const state of ['ReadyForPickup', 'Completed']) player.send(`shipments.issue.${state}`);
  expect(player.progress).toMatchObject({ outcome: 'Done' });
});

test('one that has another id since a migration does not book as for the first time', () => {
  const file = fileOf(booksTwice('MyIssue'));
  const player = played(file);
  const text = JSON.stringify(file).replace('"id":"shipments"', '"id":"lockers","was":"shipments"');
  player.migrate({ file: JSON.parse(text), version: 2 });
  for (const state of ['ReadyForPickup', 'Completed']) player.send(`lockers.issue.${state}`);
  const names = player.process.chart.actors.view.map(({ state }) => (state as BookingState).name);
  expect(names).toEqual([undefined, 'lockers/2']);
});

test('its end is told when the process ends, with its own result', () => {
  const file = fileOf(
    asksAgain
      .replace('meaning:', 'output: { again: no }\nmeaning:')
      .replace('onDone: following', 'onDone: over'),
  );
  const tell = { to: 'hub', events: ['ended'], with: {} };
  const player = new Player(file, {
    input: start as never,
    beside: { tell },
    at: '2026-01-05T09:00:00Z',
  });
  player.pass('PT1S');
  for (const state of ['ReadyForPickup', 'Completed']) player.send(`shipments.issue.${state}`);
  expect(player.takeSent().emitted).toEqual([]);
  player.done('again', { by: 'anna' });
  expect(player.takeSent().emitted).toMatchObject([
    { type: 'flow.ended', data: { result: { again: 'no' } } },
  ]);
});
