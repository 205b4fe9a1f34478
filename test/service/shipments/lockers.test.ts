// assumptions: Lockers and codes, lockers: sizes and orientations, larger, overflow, LockerUid, out of order, items left behind.
import { expect, test } from 'vitest';
import type { Request } from '../../../contract/index.ts';
import { useTenantsAnew } from '../../support/use-service.ts';

const { service, demo: wall, other } = useTenantsAnew();

// The demo data: S 12 x 38 x 60, M 25 x 38 x 60, L 38 x 50 x 60 inside; pup-central has 8, 10 and 6 of them,
// pup-station, its overflow, 4, 5 and 3.
const small = { width: 10, height: 10, length: 10 };
const medium = { width: 20, height: 30, length: 40 };
const large = { width: 30, height: 40, length: 50 };

type Booking = Partial<Request<'CreateLocalShipment'>>;
const only = { allowLargerLockers: false, allowOverflowLockers: false };
const base = { fromUserUid: 'user-anna', toUserUid: 'user-bram', pupUid: 'pup-central', ...only };
const book = (changes: Booking) => wall.book('CreateLocalShipment', { ...base, ...changes });
const refused = (changes: Booking) =>
  wall.refused('CreateLocalShipment', { ...base, dimension: small, ...changes });
const sizeOf = async (shipmentUid: string) => (await wall.lockerOf(shipmentUid))?.size;

async function fill(count: number, changes: Booking): Promise<string[]> {
  const uids: string[] = [];
  for (let booked = 0; booked < count; booked++) uids.push((await book(changes))[0]);
  return uids;
}

// assumptions: Lockers and codes, Which locker is booked
test('an item is booked into the smallest size that it fits in, in any of its six orientations', async () => {
  const orientations = [
    [12, 38, 60],
    [12, 60, 38],
    [38, 12, 60],
    [38, 60, 12],
    [60, 12, 38],
    [60, 38, 12],
  ] as const;
  for (const [width, height, length] of orientations) {
    const [shipment] = await book({ dimension: { width, height, length } });
    expect(await sizeOf(shipment)).toBe('S');
  }
  const [bigger] = await book({ dimension: { width: 12.1, height: 38, length: 60 } });
  expect(await sizeOf(bigger)).toBe('M');
  const [wider] = await book({ dimension: { width: 10, height: 40, length: 60 } });
  expect(await sizeOf(wider)).toBe('L');
});

test('without AllowLargerLockers only the smallest fitting size is booked, though larger ones are free', async () => {
  await fill(8, { dimension: small });
  expect(await refused({})).toMatchObject({ status: 409, error: 'NoLockerAvailable' });
  const [medium_] = await book({ dimension: medium });
  expect(await sizeOf(medium_)).toBe('M');
});

test('with AllowLargerLockers the sizes are taken in ascending order', async () => {
  const uids = await fill(24, { dimension: small, allowLargerLockers: true });
  const sizes = await Promise.all(uids.map(sizeOf));
  expect(sizes).toEqual([...Array(8).fill('S'), ...Array(10).fill('M'), ...Array(6).fill('L')]);
  expect(await refused({ allowLargerLockers: true })).toMatchObject({ error: 'NoLockerAvailable' });
});

// assumptions: Lockers and codes, AllowOverflowLockers
test('with AllowOverflowLockers the overflow pick up points follow, by the same rules, and a chain stays together', async () => {
  await fill(6, { dimension: large });
  const overflowing = { dimension: large, allowOverflowLockers: true };
  const [shipment] = await book(overflowing);
  expect(await wall.shipment(shipment)).toMatchObject({ pupUid: 'pup-station' });
  const [issue, intake] = await wall.book('CreateLocalShipmentAsIssueAndSwapIntake', overflowing);
  const places = await Promise.all([issue, intake].map((uid) => wall.shipment(uid)));
  expect(places.map(({ pupUid, lockerName }) => [pupUid, lockerName])).toEqual(
    Array(2).fill(['pup-station', places[0]?.lockerName]),
  );
  await book(overflowing);
  expect(await refused(overflowing)).toMatchObject({ error: 'NoLockerAvailable' });
});

test('larger sizes at the pick up point itself come before its overflow', async () => {
  await fill(10, { dimension: medium });
  const [shipment] = await book({
    dimension: medium,
    allowLargerLockers: true,
    allowOverflowLockers: true,
  });
  expect(await wall.shipment(shipment)).toMatchObject({ pupUid: 'pup-central' });
  expect(await sizeOf(shipment)).toBe('L');
});

test('a pick up point without overflow configured stays by itself', async () => {
  const atStation = { pupUid: 'pup-station', dimension: large, allowOverflowLockers: true };
  await fill(3, atStation);
  expect(await refused(atStation)).toMatchObject({ error: 'NoLockerAvailable' });
});

// assumptions: Lockers and codes, Effect of LockerUid
test('LockerUid books that locker or none, by the same rules', async () => {
  const [shipment] = await book({ dimension: small, lockerUid: 'pup-central-5' });
  expect(await wall.shipment(shipment)).toMatchObject({ lockerName: '5' });
  for (const [changes, status, error] of [
    [{ lockerUid: 'pup-central-5' }, 409, 'NoLockerAvailable'],
    [{ lockerUid: 'pup-central-9' }, 409, 'NoLockerAvailable'],
    [{ lockerUid: 'pup-central-4', dimension: medium }, 409, 'NoFittingLocker'],
    [{ lockerUid: 'pup-station-1' }, 404, 'InvalidLockerUid'],
    [{ lockerUid: 'pup-station-1', allowOverflowLockers: true }, 404, 'InvalidLockerUid'],
    [{ lockerUid: 'pup-other-1' }, 404, 'InvalidLockerUid'],
    [{ lockerUid: 'nothing' }, 404, 'InvalidLockerUid'],
  ] as const)
    expect(await refused(changes)).toMatchObject({ status, error });
  const [larger] = await book({ dimension: small, lockerUid: 'pup-central-9', allowLargerLockers: true });
  expect(await wall.shipment(larger)).toMatchObject({ lockerName: '9' });
});

// assumptions: Lockers and codes, Nothing to book
test('an item too big for every permitted locker is NoFittingLocker, free or not', async () => {
  const huge = { dimension: { width: 39, height: 51, length: 60 } };
  expect(await refused(huge)).toMatchObject({ status: 409, error: 'NoFittingLocker' });
  await fill(24, { dimension: small, allowLargerLockers: true });
  expect(await refused({ ...huge, allowLargerLockers: true })).toMatchObject({ error: 'NoFittingLocker' });
});

test('an item that fits only at the overflow is NoFittingLocker without it and booked with it', async () => {
  await service.database
    .updateTable('locker_sizes')
    .set({ large_side: 90 })
    .where('size', '=', 'L')
    .where('pick_up_point_id', 'in', (pup) =>
      pup.selectFrom('pick_up_points').select('pick_up_point_id').where('pup_uid', '=', 'pup-station'),
    )
    .execute();
  const long = { dimension: { width: 30, height: 40, length: 80 } };
  expect(await refused(long)).toMatchObject({ error: 'NoFittingLocker' });
  const [shipment] = await book({ ...long, allowOverflowLockers: true });
  expect(await wall.shipment(shipment)).toMatchObject({ pupUid: 'pup-station' });
  await service.database
    .updateTable('locker_sizes')
    .set({ large_side: 60 })
    .where('size', '=', 'L')
    .execute();
});

// assumptions: Lockers and codes, Lockers out of order
test('a locker out of order is never booked, by name neither', async () => {
  for (let locker = 2; locker <= 8; locker++)
    await wall.ok('SetLockerOutOfOrder', { lockerUid: `pup-central-${locker}`, outOfOrder: true });
  const [shipment] = await book({ dimension: small });
  expect(await wall.shipment(shipment)).toMatchObject({ lockerName: '1' });
  expect(await refused({})).toMatchObject({ error: 'NoLockerAvailable' });
  expect(await refused({ lockerUid: 'pup-central-2' })).toMatchObject({ error: 'NoLockerAvailable' });
  const collect = { ...base, dimension: small, keepBookedAfterPickUp: false, lockerUid: 'pup-central-2' };
  await wall.refuses('CreateCollectOnlyShipment', collect, 'NoLockerAvailable');
});

const leaveBehind = (lockerUid: string, name?: 'CreateLocalShipmentAsStock') =>
  wall.leaveBehind(name, { lockerUid, dimension: small });

const stateOf = async (lockerUid: string) =>
  (await wall.lockers()).find((locker) => locker.lockerUid === lockerUid)?.state;

// assumptions: Lockers and codes, An item left behind
test('an item left behind keeps its locker from being booked, in both states in which it is inside', {
  tags: 'long',
}, async () => {
  await leaveBehind('pup-central-1');
  await leaveBehind('pup-central-2', 'CreateLocalShipmentAsStock');
  expect([await stateOf('pup-central-1'), await stateOf('pup-central-2')]).toEqual([
    'ToBeEmptied',
    'ToBeEmptied',
  ]);
  await fill(6, { dimension: small });
  expect(await refused({})).toMatchObject({ error: 'NoLockerAvailable' });
  expect(await refused({ lockerUid: 'pup-central-1' })).toMatchObject({ error: 'NoLockerAvailable' });
});

/** Booked by name for a collection, from a locker in which something was left behind or not. */
async function collectionAt(lockerUid: string, keepBookedAfterPickUp = false): Promise<string> {
  const request = { ...only, dimension: small, keepBookedAfterPickUp, lockerUid };
  return (await wall.book('CreateCollectOnlyShipment', request))[0];
}
const openWithoutGoal = (shipmentUid: string) => wall.call('UnlockShipmentLocker', { shipmentUid });
const typeCode = async (uid: string) => wall.type(uid, (await wall.codes(uid)).pickUpCode);

test('only a collect-only booking of the same tenant that names it gets a locker to be emptied; its pick-up frees it', async () => {
  await leaveBehind('pup-central-1');
  await fill(7, { dimension: small });
  const collect = { ...only, pupUid: 'pup-central', dimension: small, keepBookedAfterPickUp: false };
  const unnamed = await wall.refused('CreateCollectOnlyShipment', collect);
  expect(unnamed).toMatchObject({ error: 'NoLockerAvailable' });
  const foreign = { ...collect, pupUid: 'pup-other', lockerUid: 'pup-central-1' };
  await other.refuses('CreateCollectOnlyShipment', foreign, 'InvalidLockerUid');
  const collection = await collectionAt('pup-central-1');
  expect(await stateOf('pup-central-1')).toBe('Booked');
  await wall.pick(collection);
  expect(await stateOf('pup-central-1')).toBe('Free');
});

test.each([
  ['by a code at the wall', typeCode],
  ['by UnlockShipmentLocker', (kept: string) => wall.pick(kept)],
])('a kept-booked collect of a left item empties the locker at its first pick-up, %s', async (_, pickUp) => {
  await leaveBehind('pup-central-1');
  const kept = await collectionAt('pup-central-1', true);
  expect(await wall.lockerOf(kept)).toMatchObject({ toBeEmptied: true });
  await pickUp(kept);
  expect(await wall.lockerOf(kept)).toMatchObject({ state: 'Booked', toBeEmptied: false });
});

// assumptions: Lockers and codes, A collect-only shipment that is cancelled
test.for([
  { from: 'free', isKept: false, what: 'nothing', open: () => undefined, becomes: 'Free' },
  { from: 'free', isKept: true, what: 'a pick-up', open: (uid: string) => wall.pick(uid), becomes: 'Free' },
  { from: 'left', isKept: true, what: 'nothing', open: () => undefined, becomes: 'ToBeEmptied' },
  { from: 'left', isKept: true, what: 'an opening without a goal', open: openWithoutGoal, becomes: 'Free' },
  { from: 'left', isKept: true, what: 'a pick-up', open: (uid: string) => wall.pick(uid), becomes: 'Free' },
  {
    from: 'left',
    isKept: false,
    what: 'a door that is stuck',
    open: openWithoutGoal,
    becomes: 'ToBeEmptied',
  },
])(
  'a collect ($isKept: kept booked) of what is $from, cancelled after $what, leaves the locker $becomes',
  async ({ from, isKept, what, open, becomes }) => {
    if (from === 'left') await leaveBehind('pup-central-1');
    const collection = await collectionAt('pup-central-1', isKept);
    if (what.includes('stuck'))
      await wall.sandbox('POST', 'faults', { lockerUid: 'pup-central-1', fault: 'stuck' });
    await open(collection);
    await wall.cancel(collection);
    expect(await stateOf('pup-central-1')).toBe(becomes);
  },
);

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
  await leaveBehind('pup-central-1');
  for (const locker of [2, 3])
    await wall.ok('SetLockerOutOfOrder', { lockerUid: `pup-central-${locker}`, outOfOrder: true });
  for (const locker of [4, 5, 6, 7, 8]) await book(`pup-central-${locker}`);
}

test('NoLockerAvailable names the item, the size, how many lockers are taken, out of order and to be emptied, and the missing permissions', async () => {
  await fillSmall();
  expect(await why()).toBe(
    'No locker is free for the item of 5 x 10 x 40 cm. Tried: S at pup-central (8 lockers: 5 taken, ' +
      '2 out of order, 1 to be emptied). Larger lockers were not allowed. ' +
      'Overflow pick up points were not allowed.',
  );
  expect((await wall.call('CreateLocalShipment', request)).body).toMatchObject({
    itemSides: [5, 10, 40],
    tried: [{ pupUid: 'pup-central', size: 'S', lockers: 8, taken: 5, outOfOrder: 2, toBeEmptied: 1 }],
    allowLargerLockers: false,
    allowOverflowLockers: false,
  });
});

test('for a locker that the request names the refusal says why it could not be booked', async () => {
  await fillSmall();
  expect(await why({ lockerUid: 'pup-central-4' })).toBe(
    'The locker pup-central-4 at pup-central is not free: taken.',
  );
  expect(await why({ lockerUid: 'pup-central-2' })).toContain('is not free: out of order.');
  expect(await why({ lockerUid: 'pup-central-1' })).toContain('to be emptied (a collect-only booking');
  // That it is to be emptied is no reason against one.
  await wall.ok('SetLockerOutOfOrder', { lockerUid: 'pup-central-1', outOfOrder: true });
  const { fromUserUid: toUserUid, ...item } = request;
  const collect = { ...item, lockerUid: 'pup-central-1', toUserUid, keepBookedAfterPickUp: false };
  expect(await wall.refused('CreateCollectOnlyShipmentAsCollectByUser', collect)).toMatchObject({
    message: 'The locker pup-central-1 at pup-central is not free: out of order.',
  });
  expect(await why({ lockerUid: 'pup-central-9' })).toBe(
    'The locker pup-central-9 at pup-central is of size M, larger than S, the smallest installed that fits the ' +
      'item of 5 x 10 x 40 cm. Larger lockers were not allowed.',
  );
  expect(await why({ lockerUid: 'pup-central-8', dimension: { width: 20, height: 20, length: 20 } })).toBe(
    'The locker pup-central-8 at pup-central is of size S (12 x 38 x 60 cm inside): ' +
      'too small for the item of 20 x 20 x 20 cm.',
  );
});
