// GetShipment, GetShipmentObjects and GetShipmentEvents over real HTTP: one shipment by its uid, and all that is known of it.
import { expect, test } from 'vitest';
import { useTenantsAnew } from '../../support/use-service.ts';

const { demo } = useTenantsAnew();

// assumptions: Operating, GetShipment
test('GetShipment has what GetShipments lists of it, and its locker', async () => {
  const [issue, intake] = await demo.book('CreateLocalShipmentAsIssueAndSwapIntake');
  for (const shipmentUid of [issue, intake]) {
    const { success, error, message, lockerUid, updatedAt, isItemLeft, ...record } = await demo.ok(
      'GetShipment',
      { shipmentUid },
    );
    expect(record).toEqual(await demo.shipment(shipmentUid));
    expect(lockerUid).toBe(`${record.pupUid}-${record.lockerName}`);
    expect(isItemLeft).toBe(false);
    expect(Date.parse(`${updatedAt}Z`)).toBeGreaterThan(0);
  }
});

test('GetShipment tells that an item was left behind until it is taken out, and never of a later one', async () => {
  const isLeft = async (shipmentUid: string) => (await demo.ok('GetShipment', { shipmentUid })).isItemLeft;
  const { shipmentUid: first, lockerUid } = await demo.leaveBehind();
  expect(await isLeft(first)).toBe(true);
  await demo.ok('SetLockerEmptied', { lockerUid });
  expect(await isLeft(first)).toBe(false);
  const { shipmentUid: second } = await demo.leaveBehind('CreateLocalShipmentAsIssue', { lockerUid });
  expect([await isLeft(first), await isLeft(second)]).toEqual([false, true]);
});

// assumptions: Operating, GetShipmentObjects
test('GetShipmentObjects lists what was added and not removed, in order', async () => {
  const [shipmentUid] = await demo.book('CreateLocalShipmentAsStock');
  const add = async (details: object) =>
    String((await demo.ok('AddShipmentObject', { shipmentUid, details })).shipmentObjectUid);
  const before = await demo.shipment(shipmentUid);
  // An object's dimension never moves a booking.
  const dimension = { width: 500, height: 400, length: 300 };
  const drill = { referenceNo: 'P-1', description: 'Drill', weight: 350.5, count: 2, dimension };
  const uids = [await add(drill), await add({}), await add({ description: 'Bits' })];
  await demo.ok('RemoveShipmentObject', { shipmentUid, shipmentObjectUid: uids[1] });
  expect(await demo.shipment(shipmentUid)).toEqual(before);
  const nothing = { referenceNo: null, description: null, weight: null, count: null, dimension: null };
  expect((await demo.ok('GetShipmentObjects', { shipmentUid })).items).toEqual([
    { shipmentObjectUid: uids[0], ...drill },
    { shipmentObjectUid: uids[2], ...nothing, description: 'Bits' },
  ]);
});

// assumptions: Operating, GetShipmentEvents
test('GetShipmentEvents tells requests, refusals, openings and changes of state in their order', async () => {
  const [shipmentUid] = await demo.book('CreateLocalShipmentAsIssue');
  await demo.refused('UnlockShipmentLocker', { shipmentUid, unlockGoal: 'PickUp' });
  await demo.drop(shipmentUid);
  await demo.type(shipmentUid, (await demo.codes(shipmentUid)).pickUpCode);
  const { items, isComplete } = await demo.ok('GetShipmentEvents', { shipmentUid });
  expect(isComplete).toBe(true);
  const said = (items as Readonly<Record<string, string | null>>[]).map((event) =>
    [event.kind, event.operation, event.outcome, event.accessGoal, event.stateCode].filter(Boolean).join(' '),
  );
  expect(said).toEqual([
    'Requested CreateLocalShipmentAsIssue Success',
    'Requested UnlockShipmentLocker UnlockNotAllowed',
    'Requested UnlockShipmentLocker Success',
    'LockerOpened UnlockShipmentLocker DropOff',
    'StateChanged ReadyForPickup',
    'Requested GetShipmentAccessCode Success',
    'Requested SimulateLockerAccess Success',
    'LockerOpened SimulateLockerAccess PickUp',
    'StateChanged Completed',
  ]);
});
