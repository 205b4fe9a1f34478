// GetLockers, SetLockerOutOfOrder and SetLockerEmptied (assumptions: Operating): what an operator's
// software sees of lockers and says of them, over real HTTP.
import { describe, expect, test } from 'vitest';
import { writtenByService } from '../../support/service-command.ts';
import { useTenantsAnew } from '../../support/use-service.ts';
import type { Wall } from '../../support/wall.ts';

const { service, demo, other } = useTenantsAnew();

const page = { pageNo: 1, pageSize: 500 };
type Locker = Readonly<Record<string, unknown>> & { lockerUid: string; state: string };

async function lockers(wall: Wall, filter: object = {}): Promise<Locker[]> {
  return (await wall.ok('GetLockers', { ...page, ...filter })).items as Locker[];
}

const lockerOf = async (shipmentUid: string) => {
  const { pupUid, lockerName } = await demo.shipment(shipmentUid);
  const found = (await lockers(demo, { pupUid })).find((each) => each.lockerName === lockerName);
  if (!found) throw new Error(`GetLockers has no locker ${pupUid}/${lockerName}`);
  return found;
};

// assumptions: Operating, GetLockers
describe('GetLockers', () => {
  test('tells what holds a locker, how it was opened last, and its door', async () => {
    const [shipmentUid] = await demo.book('CreateLocalShipmentAsIssue', { toUserUid: 'user-anna' });
    expect(await lockerOf(shipmentUid)).toMatchObject({
      pupUid: 'pup-central',
      size: 'M',
      state: 'Booked',
      outOfOrder: false,
      toBeEmptied: false,
      innerDimension: { width: 25, height: 38, length: 60 },
      door: 'Closed',
      doorFailure: null,
      lastAccess: null,
      shipments: [{ shipmentUid, stateCode: 'ReadyForDropoff', toUserUid: 'user-anna' }],
    });
    const before = Date.now();
    await demo.drop(shipmentUid);
    const opened = await lockerOf(shipmentUid);
    expect(opened).toMatchObject({
      lastAccess: { accessGoal: 'DropOff', shipmentUid },
      shipments: [{ shipmentUid, stateCode: 'ReadyForPickup' }],
    });
    const { occurredAt } = opened.lastAccess as { occurredAt: string };
    expect(Date.parse(`${occurredAt}Z`)).toBeGreaterThanOrEqual(before - 1_000);
  });

  test('tells of a typed code what it was for, and of an opening without a goal that it was for nothing', async () => {
    const [shipmentUid] = await demo.book('CreateLocalShipmentAsIssue');
    await demo.type(shipmentUid, (await demo.codes(shipmentUid)).deliveryCode);
    expect(await lockerOf(shipmentUid)).toMatchObject({ lastAccess: { accessGoal: 'DropOff', shipmentUid } });
    await demo.ok('UnlockShipmentLocker', { shipmentUid });
    expect(await lockerOf(shipmentUid)).toMatchObject({ lastAccess: { accessGoal: null, shipmentUid } });
  });

  test('knows no access where the door stayed shut', async () => {
    const [shipmentUid] = await demo.book('CreateLocalShipmentAsIssue');
    await demo.sandbox('POST', 'faults', { pupUid: 'pup-central', fault: 'offline' });
    await demo.refused('UnlockShipmentLocker', { shipmentUid, unlockGoal: 'DropOff' });
    expect(await lockerOf(shipmentUid)).toMatchObject({
      lastAccess: null,
      door: 'Unknown',
      doorFailure: { reason: 'the pick up point does not answer', wallOffline: true },
    });
  });

  test('lists the doors that stayed shut, and those that did not', async () => {
    await demo.sandbox('POST', 'faults', { lockerUid: 'pup-central-5', fault: 'stuck' });
    const stuck = { ...page, doorStayedShut: true };
    expect(await demo.ok('GetLockers', stuck)).toMatchObject({
      items: [
        { lockerUid: 'pup-central-5', doorFailure: { reason: 'the door is stuck', wallOffline: false } },
      ],
      totalItems: 1,
    });
    const others = await lockers(demo, { pupUid: 'pup-central', doorStayedShut: false });
    expect(others.map(({ lockerUid }) => lockerUid)).not.toContain('pup-central-5');
    expect(others).toHaveLength(23);
    expect(await lockers(other, { doorStayedShut: true })).toEqual([]);
  });

  test('filters by pick up point, locker and state, and counts what it filters', async () => {
    await demo.ok('SetLockerOutOfOrder', { lockerUid: 'pup-central-3', outOfOrder: true });
    const filter = { pupUid: 'pup-central', lockerState: ['OutOfOrder'] };
    expect(await demo.ok('GetLockers', { ...page, ...filter })).toMatchObject({
      items: [{ lockerUid: 'pup-central-3', state: 'OutOfOrder', outOfOrder: true }],
      totalItems: 1,
    });
    expect(await lockers(demo, { lockerUid: 'pup-central-4' })).toMatchObject([
      { lockerUid: 'pup-central-4', state: 'Free' },
    ]);
    const small = { pageSize: 10, pupUid: 'pup-central' };
    const pages = await Promise.all([1, 2, 3].map((pageNo) => lockers(demo, { ...small, pageNo })));
    expect(new Set(pages.flat().map(({ lockerUid }) => lockerUid)).size).toBe(24);
  });
});

// assumptions: Operating, SetLockerOutOfOrder
describe('SetLockerOutOfOrder', () => {
  test('keeps a locker from bookings until it is in order again', async () => {
    const lockerUid = 'pup-central-1';
    const named = { lockerUid, toUserUid: 'user-anna' };
    expect(await demo.ok('SetLockerOutOfOrder', { lockerUid, outOfOrder: true })).toMatchObject({
      changed: true,
    });
    const refusal = { error: 'NoLockerAvailable' };
    expect(await demo.refused('CreateLocalShipmentAsIssue', { ...booking, ...named })).toMatchObject(refusal);
    expect(await demo.ok('SetLockerOutOfOrder', { lockerUid, outOfOrder: true })).toMatchObject({
      changed: false,
    });
    await demo.ok('SetLockerOutOfOrder', { lockerUid, outOfOrder: false });
    await demo.ok('CreateLocalShipmentAsIssue', { ...booking, ...named });
  });

  test('lets a shipment keep its locker', async () => {
    const [shipmentUid] = await demo.book('CreateLocalShipmentAsIssue');
    const { lockerUid } = await lockerOf(shipmentUid);
    await demo.ok('SetLockerOutOfOrder', { lockerUid, outOfOrder: true });
    expect(await lockerOf(shipmentUid)).toMatchObject({ state: 'Booked', outOfOrder: true });
    expect(await lockers(demo, { outOfOrder: true })).toMatchObject([{ lockerUid }]);
    expect(await lockers(demo, { outOfOrder: false, lockerUid })).toEqual([]);
    await demo.drop(shipmentUid);
    await demo.pick(shipmentUid);
    expect(await lockers(demo, { lockerUid })).toMatchObject([{ state: 'OutOfOrder' }]);
  });
});

const booking = {
  pupUid: 'pup-central',
  allowLargerLockers: true,
  allowOverflowLockers: false,
  dimension: { width: 10, height: 10, length: 10 },
};

// assumptions: Operating, SetLockerEmptied
describe('SetLockerEmptied', () => {
  test('frees a locker with an item that was left behind, of which GetLockers tells the shipment', async () => {
    const { shipmentUid, lockerUid } = await demo.leaveBehind();
    const left = { state: 'ToBeEmptied', toBeEmptied: true, leftShipmentUid: shipmentUid };
    expect(await lockers(demo, { lockerUid })).toMatchObject([left]);
    expect(await demo.ok('SetLockerEmptied', { lockerUid })).toMatchObject({ lockerUid, changed: true });
    expect(await lockers(demo, { lockerUid })).toMatchObject([{ state: 'Free', leftShipmentUid: null }]);
    expect(await demo.ok('SetLockerEmptied', { lockerUid })).toMatchObject({ changed: false });
  });

  test('still knows who left the item after a collect-only booking of it was cancelled', async () => {
    const { shipmentUid, lockerUid } = await demo.leaveBehind();
    const [collection] = await demo.book('CreateCollectOnlyShipmentAsCollectByDispatcher', { lockerUid });
    await demo.cancel(collection);
    expect(await lockers(demo, { lockerUid })).toMatchObject([{ leftShipmentUid: shipmentUid }]);
  });

  test('knows who left the item in a locker that an operator held while it was booked', async () => {
    const [shipmentUid] = await demo.book('CreateLocalShipmentAsIssue');
    await demo.drop(shipmentUid);
    const { lockerUid } = await lockerOf(shipmentUid);
    await writtenByService(['locker', 'item-left', 'demo', lockerUid], { DATABASE_URL: service.url });
    await demo.cancel(shipmentUid);
    expect(await lockers(demo, { lockerUid })).toMatchObject([
      { state: 'ToBeEmptied', leftShipmentUid: shipmentUid },
    ]);
  });

  test('does the same as the command', async () => {
    const { lockerUid } = await demo.leaveBehind();
    const words = ['locker', 'emptied', 'demo', lockerUid];
    expect(await writtenByService(words, { DATABASE_URL: service.url })).toContain(lockerUid);
    expect(await lockers(demo, { lockerUid })).toMatchObject([{ state: 'Free', leftShipmentUid: null }]);
  });
});
