// What the interface states of a shipment's fields and of the operations that manage it, where a test of one flow or of one
// operation does not show it: over real HTTP, each rule with what it refuses.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestService, type TestService } from '../support/service.ts';
import { type Wall, wallOf } from '../support/wall.ts';

let service: TestService;
let wall: Wall;

beforeAll(async () => {
  service = await createTestService();
  wall = await wallOf(service.address);
});
afterAll(() => service[Symbol.asyncDispose]());
beforeEach(() => wall.sandbox('POST', 'reset'));

const booking = {
  PupUid: 'pup-central',
  Dimension: { width: 10, height: 10, length: 10 },
  AllowLargerLockers: true,
  AllowOverflowLockers: false,
};

// interface: CreateLocalShipment
test('CreateLocalShipment is refused without any user, and with a receiver that is to be set later', async () => {
  const [swapped] = await wall.book('CreateLocalShipment');
  for (const [users, field] of [
    [{}, 'FromUserUid'],
    [{ FromUserUid: null, ToUserUid: null }, 'FromUserUid'],
    [{ SwapsShipmentUid: swapped }, 'FromUserUid'],
    [{ SwapsShipmentUid: swapped, IsReceiverDelayed: false }, 'FromUserUid'],
    [{ ToUserUid: 'user-bram', IsReceiverDelayed: true }, 'ToUserUid'],
    [{ FromUserUid: 'user-anna', ToUserUid: 'user-bram', IsReceiverDelayed: true }, 'ToUserUid'],
  ] as const)
    expect(await wall.refused('CreateLocalShipment', { ...booking, ...users })).toMatchObject({
      error: 'InvalidRequest',
      message: expect.stringContaining(field),
    });
});

// interface: Shipment
test('each shipment and each object has a uid of its own', async () => {
  const uids = [];
  for (let made = 0; made < 4; made++) {
    const [issue, intake] = await wall.book('CreateLocalShipmentAsIssueAndSwapIntake');
    for (const shipmentUid of [issue, intake]) {
      const object = await wall.ok('AddShipmentObject', { shipmentUid, details: {} });
      expect(object).toMatchObject({ shipmentUid });
      uids.push(shipmentUid, object.shipmentObjectUid);
    }
  }
  expect(new Set(uids).size).toBe(16);
});

test('stateStart is the moment at which the current state began, and stays while the state does', async () => {
  const [shipmentUid] = await wall.book('CreateLocalShipment');
  const minuteOf = async () => {
    const { stateStart } = await wall.shipment(shipmentUid);
    expect(stateStart).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?$/);
    return Math.round(Date.parse(`${stateStart}Z`) / 60_000);
  };
  const began = await minuteOf();
  await wall.sandbox('POST', 'clock', { advance: 'P1D' });
  await wall.ok('SetShipmentDetails', {
    shipmentUid,
    ReferenceNo: 'A',
    ReferenceCaseNo: 'B',
    Description: 'C',
  });
  expect(await minuteOf()).toBe(began);
  await wall.drop(shipmentUid);
  expect((await minuteOf()) - began).toBeGreaterThanOrEqual(24 * 60);
  await wall.sandbox('POST', 'clock', { advance: 'P1D' });
  await wall.pick(shipmentUid);
  expect((await minuteOf()) - began).toBeGreaterThanOrEqual(48 * 60);
});

// interface: Shipment management
test('caseReferenceNew overrides the case number of a shipment, and null leaves it', async () => {
  const details = { referenceCaseNo: 'CASE-7' };
  const caseNoWith = async (caseReferenceNew: string | null | undefined) => {
    const [shipmentUid] = await wall.book('CreateLocalShipmentAsStock', { details });
    await wall.ok('SetShipmentReceiver', { shipmentUid, toUserUid: 'user-bram', caseReferenceNew });
    return (await wall.shipment(shipmentUid)).referenceCaseNo;
  };
  expect(await caseNoWith('CASE-8')).toBe('CASE-8');
  expect(await caseNoWith(null)).toBe('CASE-7');
  expect(await caseNoWith(undefined)).toBe('CASE-7');
});

/** A shipment in each state in which it is active. */
const inState = {
  Registered: async () => (await wall.book('CreateLocalShipmentAsIssueAndSwapIntake'))[1],
  ReadyForDropoff: async () => (await wall.book('CreateLocalShipment'))[0],
  WaitForReceiver: async () => {
    const [stock] = await wall.book('CreateLocalShipmentAsStock');
    await wall.drop(stock);
    return stock;
  },
  ReadyForPickup: async () => (await wall.book('CreateCollectOnlyShipment'))[0],
};
const stateOf = { DropOff: 'ReadyForDropoff', PickUp: 'ReadyForPickup' } as const;

// interface: States and transitions
test.each(Object.entries(inState))(
  'a locker unlocks without a goal in the state %s, and for a goal only in the state of that goal',
  async (stateCode, shipmentIn) => {
    const shipmentUid = await shipmentIn();
    expect(await wall.states(shipmentUid)).toEqual([stateCode]);
    await wall.ok('UnlockShipmentLocker', { shipmentUid });
    await wall.ok('UnlockShipmentLocker', { shipmentUid, unlockGoal: null });
    for (const unlockGoal of ['DropOff', 'PickUp'] as const) {
      expect(await wall.states(shipmentUid)).toEqual([stateCode]);
      if (stateOf[unlockGoal] !== stateCode)
        expect(await wall.refused('UnlockShipmentLocker', { shipmentUid, unlockGoal })).toMatchObject({
          error: 'UnlockNotAllowed',
        });
    }
    for (const unlockGoal of ['DropOff', 'PickUp'] as const)
      if (stateOf[unlockGoal] === stateCode)
        await wall.ok('UnlockShipmentLocker', { shipmentUid, unlockGoal });
  },
);

// interface: Shipment management
test('UnlockShipmentLocker is refused with another goal, and for a shipment that is completed', async () => {
  const [shipmentUid] = await wall.book('CreateCollectOnlyShipment');
  expect(await wall.refused('UnlockShipmentLocker', { shipmentUid, unlockGoal: 'Open' })).toMatchObject({
    error: 'InvalidRequest',
    message: expect.stringContaining('unlockGoal'),
  });
  await wall.pick(shipmentUid);
  for (const unlockGoal of [null, 'DropOff', 'PickUp'])
    expect(await wall.refused('UnlockShipmentLocker', { shipmentUid, unlockGoal })).toMatchObject({
      error: 'InvalidShipmentState',
    });
});

test('CancelShipment ends a shipment and releases its locker, which can be booked again', async () => {
  const lockerUid = 'pup-central-9';
  const [shipmentUid] = await wall.book('CreateLocalShipment', { lockerUid });
  const again = { ...booking, ToUserUid: 'user-bram', LockerUid: lockerUid };
  expect(await wall.refused('CreateLocalShipment', again)).toMatchObject({ error: 'NoLockerAvailable' });
  await wall.cancel(shipmentUid);
  expect(await wall.states(shipmentUid)).toEqual(['Cancelled']);
  expect(await wall.ok('CreateLocalShipment', again)).toMatchObject({ lockerName: '9' });
});
