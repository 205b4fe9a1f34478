// UnlockShipmentLocker and SimulateLockerAccess at doors (interface; assumptions: Lockers and codes): what opens, what advances,
// and what is left as it was when a door stays shut.
import { expect, test } from 'vitest';
import { lockersSeen } from '../../support/chains/wall-seen.ts';
import { notifiedStates } from '../../support/notifications.ts';
import { createTestService } from '../../support/service.ts';
import { useTenantsAnew } from '../../support/use-service.ts';
import { wallOf } from '../../support/wall.ts';

const { service, demo: wall } = useTenantsAnew();

const openings = async (shipmentUid: string) => {
  const lockers = await lockersSeen(service.database, 'pup-central');
  return lockers.find(({ shipments }) => shipments.some((each) => each.shipmentUid === shipmentUid))
    ?.openings;
};

// assumptions: Lockers and codes, UnlockShipmentLocker
test('a goal that opens counts as that access and advances the shipment', async () => {
  const [shipmentUid] = await wall.book('CreateLocalShipment');
  await wall.ok('UnlockShipmentLocker', { shipmentUid, unlockGoal: 'DropOff' });
  expect(await wall.states(shipmentUid)).toEqual(['ReadyForPickup']);
  expect(await openings(shipmentUid)).toBe(1);
  await wall.ok('UnlockShipmentLocker', { shipmentUid, unlockGoal: 'PickUp' });
  expect(await wall.states(shipmentUid)).toEqual(['Completed']);
});

test('without a goal the door opens in any active state and the shipment does not advance', async () => {
  const [shipmentUid, registered] = await wall.book('CreateLocalShipmentAsIssueAndSwapIntake');
  await wall.ok('UnlockShipmentLocker', { shipmentUid });
  await wall.ok('UnlockShipmentLocker', { shipmentUid: registered, unlockGoal: null });
  expect(await wall.states(shipmentUid, registered)).toEqual(['ReadyForDropoff', 'Registered']);
  expect(await openings(shipmentUid)).toBe(2);
  expect(await notifiedStates(service.database, shipmentUid, registered)).toEqual([]);
});

test("a pinCode is checked against the goal's code, without a goal against either, and not at all when empty", async () => {
  const [shipmentUid] = await wall.book('CreateLocalShipment');
  const { pickUpCode, deliveryCode } = await wall.codes(shipmentUid);
  for (const [unlockGoal, pinCode] of [
    ['DropOff', pickUpCode],
    ['DropOff', '000'],
    [null, '000'],
  ])
    await wall.refuses('UnlockShipmentLocker', { shipmentUid, unlockGoal, pinCode }, 'InvalidAccessCode');
  for (const pinCode of [pickUpCode, deliveryCode, '', null])
    await wall.ok('UnlockShipmentLocker', { shipmentUid, pinCode });
  await wall.ok('UnlockShipmentLocker', { shipmentUid, unlockGoal: 'DropOff', pinCode: deliveryCode });
  await wall.ok('UnlockShipmentLocker', { shipmentUid, unlockGoal: 'PickUp', pinCode: pickUpCode });
});

test('two people who type one code at once open the door once', async () => {
  const [shipmentUid] = await wall.book('CreateLocalShipment');
  const { deliveryCode } = await wall.codes(shipmentUid);
  const typed = await Promise.all(Array.from({ length: 5 }, () => wall.type(shipmentUid, deliveryCode)));
  expect(typed.filter(({ success }) => success)).toHaveLength(1);
  expect(typed.filter(({ error }) => error === 'InvalidAccessCode')).toHaveLength(4);
  expect(await openings(shipmentUid)).toBe(1);
});

test('opening one door from all sides at once needs no more connections than there are', {
  tags: 'long',
}, async () => {
  await using narrow = await createTestService({ databaseConnections: 2 });
  const person = await wallOf(narrow.address);
  const [shipmentUid] = await person.book('CreateLocalShipment');
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => [
      person.call('UnlockShipmentLocker', { shipmentUid }),
      person.call('AddShipmentObject', { shipmentUid, details: {} }),
    ]).flat(),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
});
