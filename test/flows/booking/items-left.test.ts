// The pattern HeldForTheNext in virtual time: an item that a booking left in its locker, and a later one has, is left no more.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Actions } from '../../../contract/flows/actions.ts';
import { Player } from '../../../flows/simulation/player.ts';
import { fileOf } from '../language/names.ts';

const file = fileOf(readFileSync('docs/examples/patterns/bookings/held-for-the-next.flow.yaml', 'utf8'));
const book = { role: 'issue', shipmentUid: 'book-1', pupUid: 'hold-pickUpPoint', lockerName: 'hold-locker' };

/** The first reader has not come, and the book is in this locker. */
function left(lockerUid = 'hold-locker'): Player {
  const input = { book: 'book-1', readers: ['anna', 'bram'], dimension: {} };
  const player = new Player(file, { input });
  player.send('hold.issue.ReadyForPickup');
  player.pass('P7D');
  expect(itemsLeft(player)).toEqual([book]);
  player.done('where', { lockerUid, pupUid: 'hold-pickUpPoint' });
  player.pass('PT1S');
  return player;
}

const itemsLeft = ({ progress }: Player) => progress.bookings.flatMap((each) => each.itemsLeft);

test('whoever has the locker now fetches the item, or has fetched it', () => {
  const player = left();
  expect(player.states).toEqual(['heldAgain']);
  expect(itemsLeft(player)).toEqual([]);
  player.send('again.collect.Completed');
  expect([player.status, itemsLeft(player)]).toEqual(['done', []]);
});

test('who does not come leaves it, and who takes it out after that has it', () => {
  const player = left();
  player.pass('P7D');
  expect(player.states).toEqual(['backToTheShelf']);
  expect(itemsLeft(player)).toEqual([book]);
  player.send('shelf.collect.Completed');
  expect([player.status, itemsLeft(player)]).toEqual(['done', []]);
});

test('a cancellation says that it leaves the item, which nobody fetches then', () => {
  const player = left();
  const { actions } = player.process.actions(undefined) as Actions;
  const cancel = actions.find(({ command }) => command === 'cancel');
  expect(cancel?.consequence).toMatchObject({ itemsLeft: [book] });
  player.cancel();
  expect(itemsLeft(player)).toEqual([book]);
});

test('an item stays left if the later booking has another locker', () => {
  expect(itemsLeft(left('another-locker'))).toEqual([book]);
});
