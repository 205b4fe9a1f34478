// A locker whose door stands open, as its wall says: somebody else's item may still be inside, and no booking gets it.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestService, type TestService } from '../../support/service.ts';
import { type Wall, wallOf } from '../../support/wall.ts';
import { newWall, type WallCredentials } from '../../support/walls/new-wall.ts';
import { TestWall } from '../../support/walls/test-wall.ts';

let service: TestService;
let tenant: Wall;
let credentials: WallCredentials;
let wall: TestWall;

beforeEach(async () => {
  service = await createTestService();
  tenant = await wallOf(service.address);
  credentials = await newWall(service.url, 'demo', 'pup-central');
  wall = await TestWall.connected({ ...credentials, address: service.address });
});
afterEach(() => service[Symbol.asyncDispose]());

const first = 'pup-central-1';
/** Small: pup-central has 8 of that size, and they are booked in the order of their names. */
const small = {
  pupUid: 'pup-central',
  fromUserUid: 'user-anna',
  dimension: { width: 10, height: 10, length: 10 },
  allowLargerLockers: false,
  allowOverflowLockers: false,
};

const door = async (type: 'doorOpened' | 'doorClosed') => {
  wall.write({ type, lockerUid: first });
  await wall.settled();
};
const book = async () => {
  const [shipmentUid] = await tenant.book('CreateLocalShipment', small);
  return `pup-central-${(await tenant.shipment(shipmentUid)).lockerName}`;
};
const freeOnes = async () => {
  const request = { pageNo: 1, pageSize: 1, includeDetails: true, pupUid: 'pup-central' };
  const { items } = await tenant.ok('GetPickUpPoints', request);
  const [{ lockers }] = items as [{ lockers: { lockerUid: string; free: boolean }[] }];
  return lockers.filter(({ free }) => free).map(({ lockerUid }) => lockerUid);
};
const allBut = async (lockerUid: string) => {
  for (const locker of [1, 2, 3, 4, 5, 6, 7, 8].map((each) => `pup-central-${each}`))
    if (locker !== lockerUid) await tenant.ok('SetLockerOutOfOrder', { lockerUid: locker, outOfOrder: true });
};

// assumptions: Lockers and codes, Lockers whose door stands open
test('is passed over, and counts as free again once it is shut', async () => {
  await door('doorOpened');
  expect(await freeOnes()).not.toContain(first);
  expect(await book()).toBe('pup-central-2');
  await door('doorClosed');
  expect(await freeOnes()).toContain(first);
  expect(await book()).toBe(first);
});

test('is said to be the reason where no other fits, also of one that the request names', async () => {
  await allBut(first);
  await door('doorOpened');
  await tenant.refuses(
    'CreateLocalShipment',
    small,
    'NoLockerAvailable',
    '(8 lockers: 0 taken, 7 out of order, 0 to be emptied, 1 with its door open)',
  );
  expect((await tenant.call('CreateLocalShipment', small)).body).toMatchObject({
    tried: [{ size: 'S', lockers: 8, taken: 0, outOfOrder: 7, toBeEmptied: 0, doorOpen: 1 }],
  });
  const named = { ...small, lockerUid: first };
  await tenant.refuses('CreateLocalShipment', named, 'NoLockerAvailable', 'its door stands open');
  // Who cannot be asked has not said that it was shut.
  wall.cut();
  await tenant.refuses('CreateLocalShipment', small, 'NoLockerAvailable', '1 with its door open');
  await wall.connect();
  await door('doorClosed');
  expect(await book()).toBe(first);
});

test('that opens for a pick-up is booked again as soon as it is shut', async () => {
  await allBut(first);
  const [shipmentUid] = await tenant.book('CreateLocalShipment', small);
  const { deliveryCode, pickUpCode } = await tenant.codes(shipmentUid);
  for (const code of [deliveryCode, pickUpCode]) {
    const { opens } = await wall.type(`${code}`);
    await wall.answer('forget', ({ commandId }) => commandId === opens?.commandId);
  }
  expect(await tenant.states(shipmentUid)).toEqual(['Completed']);
  await tenant.refuses('CreateLocalShipment', small, 'NoLockerAvailable', '1 with its door open');
  await door('doorClosed');
  expect(await book()).toBe(first);
});
