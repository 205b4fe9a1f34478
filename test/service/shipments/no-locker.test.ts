// Why a booking found no locker, in words and numbers: first the words, then the same over HTTP with real numbers.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestService, type TestService } from '../../support/service.ts';
import { type Wall, wallOf } from '../../support/wall.ts';

let service: TestService;
let wall: Wall;

beforeAll(async () => {
  service = await createTestService();
  wall = await wallOf(service.address);
});
afterAll(() => service[Symbol.asyncDispose]());
beforeEach(() => wall.sandbox('POST', 'reset'));

const request = {
  pupUid: 'pup-central',
  fromUserUid: 'user-anna',
  dimension: { width: 40, height: 10, length: 5 },
  allowLargerLockers: false,
  allowOverflowLockers: false,
};
const why = async (changes: object = {}) =>
  (await wall.refused('CreateLocalShipment', { ...request, ...changes })).message;

/** Of the 8 small lockers of pup-central: 5 taken, 2 out of order, 1 to be emptied. */
async function fillSmall(): Promise<void> {
  const book = async (lockerUid: string) =>
    String((await wall.ok('CreateLocalShipment', { ...request, lockerUid })).shipmentUid);
  const left = await book('pup-central-1');
  await wall.drop(left);
  await wall.cancel(left);
  for (const locker of [2, 3])
    await wall.sandbox('POST', 'outOfOrder', { lockerUid: `pup-central-${locker}`, outOfOrder: true });
  for (const locker of [4, 5, 6, 7, 8]) await book(`pup-central-${locker}`);
}

test('it names the item, the size, how many lockers are taken, out of order and to be emptied, and the missing permissions', async () => {
  await fillSmall();
  expect(await why()).toBe(
    'No locker is free for the item of 5 x 10 x 40 cm. Tried: S at pup-central (8 lockers: 5 taken, ' +
      '2 out of order, 1 to be emptied). Larger lockers were not allowed. ' +
      'Overflow pick up points were not allowed.',
  );
});

test('it names every size at the pick up point and at its overflow, if both were allowed', async () => {
  await fillSmall();
  const anywhere = { allowLargerLockers: true, allowOverflowLockers: true };
  for (let taken = 0; taken < 16 + 12; taken++)
    await wall.ok('CreateLocalShipment', { ...request, ...anywhere });
  const all = (lockers: number) => `(${lockers} lockers: ${lockers} taken, 0 out of order, 0 to be emptied)`;
  expect(await why(anywhere)).toBe(
    'No locker is free for the item of 5 x 10 x 40 cm. Tried: S at pup-central (8 lockers: 5 taken, ' +
      `2 out of order, 1 to be emptied), M at pup-central ${all(10)}, L at pup-central ${all(6)}, ` +
      `S at pup-station ${all(4)}, M at pup-station ${all(5)}, L at pup-station ${all(3)}. ` +
      'Larger lockers were allowed. Overflow pick up points were allowed.',
  );
});

test('for an item that is too big it names the installed sizes', async () => {
  expect(await why({ dimension: { width: 70, height: 10, length: 5 } })).toBe(
    'The item of 5 x 10 x 70 cm is too big for every locker that this booking permits: ' +
      'S at pup-central (12 x 38 x 60 cm inside), M at pup-central (25 x 38 x 60 cm inside), ' +
      'L at pup-central (38 x 50 x 60 cm inside). Overflow pick up points were not allowed.',
  );
});

test('for a locker that the request names it says why it could not be booked', async () => {
  await fillSmall();
  expect(await why({ lockerUid: 'pup-central-4' })).toBe(
    'The locker pup-central-4 at pup-central is not free: taken.',
  );
  expect(await why({ lockerUid: 'pup-central-2' })).toContain('is not free: out of order.');
  expect(await why({ lockerUid: 'pup-central-1' })).toContain('to be emptied (a collect-only booking');
  expect(await why({ lockerUid: 'pup-central-9' })).toBe(
    'The locker pup-central-9 at pup-central is of size M, larger than S, the smallest installed that fits the ' +
      'item of 5 x 10 x 40 cm. Larger lockers were not allowed.',
  );
  expect(await why({ lockerUid: 'pup-central-8', dimension: { width: 20, height: 20, length: 20 } })).toBe(
    'The locker pup-central-8 at pup-central is of size S (12 x 38 x 60 cm inside): ' +
      'too small for the item of 20 x 20 x 20 cm.',
  );
});

test('a refused change of state names the shipment, its state and the state that it needs', async () => {
  const { shipmentUid } = await wall.ok('CreateLocalShipment', request);
  await wall.ok('CancelShipment', { shipmentUid });
  const { message } = await wall.refused('CancelShipment', { shipmentUid });
  expect(message).toContain(`Shipment ${shipmentUid} is Cancelled`);
  expect(message).toContain('ReadyForDropoff');
});
