// A copy of a built-in flow that does more than its booking: people see all of it.
import { expect, test } from 'vitest';
import { Player } from '../../../flows/simulation/player.ts';
import { fileOf } from '../language/names.ts';

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

const start = {
  request: { pupUid: 'p', toUserUid: 'u', allowLargerLockers: true, allowOverflowLockers: false },
};
const begun = (beside: string, after: string) => {
  const player = new Player(copy(beside, after), { input: start as never, at: '2026-01-05T09:00:00Z' });
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
