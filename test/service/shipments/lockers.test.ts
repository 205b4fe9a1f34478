// assumptions: Lockers and codes, lockers: sizes and orientations, larger, overflow, LockerUid, out of order, items left behind.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Request } from '../../../contract/index.ts';
import { createTestService, type TestService } from '../../support/service.ts';
import { isLongSuite } from '../../support/suite.ts';
import { type Wall, wallOf } from '../../support/wall.ts';

let service: TestService;
let wall: Wall;

beforeAll(async () => {
  service = await createTestService();
  wall = await wallOf(service.address);
});
afterAll(() => service[Symbol.asyncDispose]());
beforeEach(() => wall.sandbox('POST', 'reset'));

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
    await wall.sandbox('POST', 'outOfOrder', { lockerUid: `pup-central-${locker}`, outOfOrder: true });
  const [shipment] = await book({ dimension: small });
  expect(await wall.shipment(shipment)).toMatchObject({ lockerName: '1' });
  expect(await refused({})).toMatchObject({ error: 'NoLockerAvailable' });
  expect(await refused({ lockerUid: 'pup-central-2' })).toMatchObject({ error: 'NoLockerAvailable' });
  const collect = { ...base, dimension: small, keepBookedAfterPickUp: false, lockerUid: 'pup-central-2' };
  expect(await wall.refused('CreateCollectOnlyShipment', collect)).toMatchObject({
    error: 'NoLockerAvailable',
  });
});

test.runIf(isLongSuite)(
  'a locker that goes out of order while it is booked serves its chain, and is not booked again',
  async () => {
    const [shipment] = await book({ dimension: small, lockerUid: 'pup-central-3' });
    await wall.sandbox('POST', 'outOfOrder', { lockerUid: 'pup-central-3', outOfOrder: true });
    await wall.drop(shipment);
    await wall.pick(shipment);
    expect(await refused({ lockerUid: 'pup-central-3' })).toMatchObject({ error: 'NoLockerAvailable' });
  },
);

async function leaveBehind(lockerUid: string): Promise<void> {
  const [shipment] = await book({ dimension: small, lockerUid });
  await wall.drop(shipment);
  await wall.cancel(shipment);
}

const stateOf = async (lockerUid: string) =>
  (await wall.lockers()).find((locker) => locker.lockerUid === lockerUid)?.state;

// assumptions: Lockers and codes, An item left behind
test.runIf(isLongSuite)(
  'an item left behind keeps its locker from being booked, in both states in which it is inside',
  async () => {
    await leaveBehind('pup-central-1');
    const [stock] = await wall.book('CreateLocalShipmentAsStock', {
      ...only,
      dimension: small,
      lockerUid: 'pup-central-2',
    });
    await wall.drop(stock);
    await wall.cancel(stock);
    expect([await stateOf('pup-central-1'), await stateOf('pup-central-2')]).toEqual([
      'ToBeEmptied',
      'ToBeEmptied',
    ]);
    await fill(6, { dimension: small });
    expect(await refused({})).toMatchObject({ error: 'NoLockerAvailable' });
    expect(await refused({ lockerUid: 'pup-central-1' })).toMatchObject({ error: 'NoLockerAvailable' });
  },
);

test('only a collect-only booking of the same tenant that names it gets a locker to be emptied; its pick-up frees it', async () => {
  await leaveBehind('pup-central-1');
  const [collect] = await wall.book('CreateCollectOnlyShipmentAsCollectByDispatcher', {
    ...only,
    dimension: small,
    keepBookedAfterPickUp: false,
    lockerUid: 'pup-central-1',
  });
  expect(await stateOf('pup-central-1')).toBe('Booked');
  await wall.pick(collect);
  expect(await stateOf('pup-central-1')).toBe('Free');
  await leaveBehind('pup-central-1');
  const other = await wallOf(service.address, 'other');
  const foreign = { ...only, pupUid: 'pup-other', dimension: small, keepBookedAfterPickUp: false };
  expect(
    await other.refused('CreateCollectOnlyShipment', { ...foreign, lockerUid: 'pup-central-1' }),
  ).toMatchObject({ error: 'InvalidLockerUid' });
});

test('a collect-only booking does not get a locker to be emptied without naming it', async () => {
  await leaveBehind('pup-central-1');
  await fill(7, { dimension: small });
  const collect = { ...only, pupUid: 'pup-central', dimension: small, keepBookedAfterPickUp: false };
  expect(await wall.refused('CreateCollectOnlyShipment', collect)).toMatchObject({
    error: 'NoLockerAvailable',
  });
});

test.each([
  ['by a code at the wall', async (kept: string) => wall.type(kept, (await wall.codes(kept)).pickUpCode)],
  ['by UnlockShipmentLocker', (kept: string) => wall.pick(kept)],
])('a kept-booked collect of a left item empties the locker at its first pick-up, %s', async (_, pickUp) => {
  await leaveBehind('pup-central-1');
  const [kept] = await wall.book('CreateCollectOnlyShipment', {
    ...only,
    dimension: small,
    keepBookedAfterPickUp: true,
    lockerUid: 'pup-central-1',
  });
  expect(await wall.lockerOf(kept)).toMatchObject({ toBeEmptied: true });
  await pickUp(kept);
  expect(await wall.lockerOf(kept)).toMatchObject({ state: 'Booked', toBeEmptied: false });
});

// assumptions: Lockers and codes, A collect-only shipment that is cancelled
test.for([
  ['a single collect', false],
  ['a kept-booked collect', true],
] as const)(
  '%s that is cancelled leaves a locker that was free as free',
  async ([, keepBookedAfterPickUp]) => {
    const [collect] = await wall.book('CreateCollectOnlyShipment', {
      ...only,
      dimension: small,
      keepBookedAfterPickUp,
      lockerUid: 'pup-central-1',
    });
    if (keepBookedAfterPickUp) await wall.pick(collect);
    await wall.cancel(collect);
    expect(await stateOf('pup-central-1')).toBe('Free');
  },
);

test.for([
  ['not opened it', 'ToBeEmptied', () => undefined],
  [
    'opened it without a goal',
    'Free',
    (uid: string) => wall.ok('UnlockShipmentLocker', { shipmentUid: uid }),
  ],
  ['picked up', 'Free', (uid: string) => wall.pick(uid)],
] as const)(
  'a kept-booked collect of a left item, cancelled after the collector has %s, leaves the locker %s',
  async ([, state, open]) => {
    await leaveBehind('pup-central-1');
    const [kept] = await wall.book('CreateCollectOnlyShipment', {
      ...only,
      dimension: small,
      keepBookedAfterPickUp: true,
      lockerUid: 'pup-central-1',
    });
    await open(kept);
    await wall.cancel(kept);
    expect(await stateOf('pup-central-1')).toBe(state);
  },
);

test('after a cancelled collect of a left item, with a door that stayed shut, the locker is still to be emptied', async () => {
  await leaveBehind('pup-central-1');
  const [collect] = await wall.book('CreateCollectOnlyShipment', {
    ...only,
    dimension: small,
    keepBookedAfterPickUp: false,
    lockerUid: 'pup-central-1',
  });
  await wall.sandbox('POST', 'faults', { lockerUid: 'pup-central-1', fault: 'stuck' });
  expect(await wall.refused('UnlockShipmentLocker', { shipmentUid: collect })).toMatchObject({
    error: 'UnlockFailed',
  });
  await wall.cancel(collect);
  expect(await stateOf('pup-central-1')).toBe('ToBeEmptied');
});

test('a chain cancelled before anything is inside frees its locker at once', async () => {
  const [issue] = await wall.book('CreateLocalShipmentAsIssueAndSwapIntake', {
    ...only,
    dimension: small,
    lockerUid: 'pup-central-1',
  });
  await wall.cancel(issue);
  expect(await stateOf('pup-central-1')).toBe('Free');
});

// assumptions: Lockers and codes, Who may be a user of a shipment
test('any existing account of any tenant may be From or To user', async () => {
  const [shipment] = await book({ dimension: small, fromUserUid: 'user-olga', toUserUid: 'user-anna' });
  expect(await wall.shipment(shipment)).toMatchObject({ fromUserUid: 'user-olga' });
  expect(await refused({ toUserUid: 'nobody' })).toMatchObject({
    status: 404,
    error: 'InvalidUserUid',
    message: expect.stringContaining('nobody'),
  });
});

test.runIf(isLongSuite)(
  'an account with active shipments is in use, and a removed one can have no new ones',
  async () => {
    const [shipment] = await book({ dimension: small });
    expect(await wall.refused('RemoveAccount', { userUid: 'user-bram' })).toMatchObject({
      error: 'AccountInUse',
    });
    await wall.cancel(shipment);
    await wall.ok('RemoveAccount', { userUid: 'user-bram' });
    expect(await refused({})).toMatchObject({ error: 'InvalidUserUid' });
    expect(await wall.shipment(shipment)).toMatchObject({ toUserUid: 'user-bram' });
  },
);
