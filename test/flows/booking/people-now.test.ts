// Whom a process is about that holds an item for one person after the other, in virtual time: those whom it waits for now.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { peopleIn, peopleNowIn } from '../../../flows/language/subjects.ts';
import { Player } from '../../../flows/simulation/player.ts';
import { fileOf } from '../language/names.ts';

const hold = fileOf(readFileSync('docs/examples/patterns/bookings/held-for-the-next.flow.yaml', 'utf8'));

const held = () => {
  const player = new Player(hold, { input: { book: 'book-1', readers: ['anna', 'bram'], dimension: {} } });
  player.pass('PT1S');
  return player;
};

function subjectsOf({ process: { definition, snapshot, pending } }: Player): readonly string[] {
  return (definition.views.searchAttributes(snapshot, pending)?.LockerSubjects ?? []) as readonly string[];
}
const now = (player: Player) => peopleNowIn(subjectsOf(player), player.status === 'active');
const found = (player: Player) => peopleIn(subjectsOf(player)).toSorted();

test('a hold is about whoever it is held for or waits for a locker, and is found by all whom it was held for', () => {
  const player = held();
  expect(now(player)).toEqual(['anna']);
  player.send('hold.issue.ReadyForPickup');
  player.pass('P7D');
  expect([player.states, now(player), found(player)]).toEqual([['left'], [], ['anna']]);
  player.done('where', { lockerUid: 'hold-locker', pupUid: 'hold-pickUpPoint' });
  expect(player.progress.waitingFor.map(({ code }) => code)).toContain('FreeLocker');
  expect(now(player)).toEqual(['bram']);
  player.pass('PT1S');
  expect(now(player)).toEqual(['bram']);
  player.pass('P7D');
  // The desk takes it out.
  expect([player.states, now(player), found(player)]).toEqual([['backToTheShelf'], [], ['anna', 'bram']]);
  player.send('shelf.collect.Completed');
  expect([player.status, now(player)]).toEqual(['done', ['bram', 'anna']]);
});

test('whoever has got it stays the one whom the process is about', () => {
  const player = held();
  player.send('hold.issue.ReadyForPickup');
  player.pass('P7D');
  player.done('where', { lockerUid: 'hold-locker', pupUid: 'hold-pickUpPoint' });
  player.pass('PT1S');
  player.send('again.collect.Completed');
  expect([player.status, now(player)]).toEqual(['done', ['bram']]);
});

test('whom the file marks comes after whoever is booked for, and not at all once the booking for them is over', () => {
  const text = `
name: Lent
meaning: Lends it to one, and then to another.
input:
  type: object
  required: [owner, first, second]
  properties:
    owner: { type: string, format: account }
    first: { type: string, format: account }
    second: { type: string }
initial: first
states:
  first:
    invoke: { id: first, src: book, input: { operation: CreateLocalShipmentAsIssue, request: { pupUid: pup-1, toUserUid: "\${input.first}", allowLargerLockers: true, allowOverflowLockers: false } }, onDone: then, onError: then }
  then:
    invoke: { id: then, src: book, input: { operation: CreateLocalShipmentAsIssue, request: { pupUid: pup-1, toUserUid: "\${input.second}", allowLargerLockers: true, allowOverflowLockers: false } }, onDone: over, onError: over }
  over: { type: final }
`;
  const player = new Player(fileOf(text), { input: { owner: 'olga', first: 'anna', second: 'bram' } });
  player.pass('PT1S');
  expect(now(player)).toEqual(['anna', 'olga']);
  player.done('first');
  player.pass('PT1S');
  expect([player.states, now(player), found(player)]).toEqual([
    ['then'],
    ['bram', 'olga'],
    ['anna', 'bram', 'olga'],
  ]);
});
