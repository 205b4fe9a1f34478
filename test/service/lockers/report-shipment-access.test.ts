// ReportShipmentAccess (assumptions: Operating): a door that did not open was opened with a key, and the item put in or handed out. Over
// real HTTP, at a simulated door that is stuck and at a wall that is cut off.
import { expect, test } from 'vitest';
import { notifiedStates } from '../../support/notifications.ts';
import { createTestService } from '../../support/service.ts';
import { useTenantsAnew } from '../../support/use-service.ts';
import { wallOf } from '../../support/wall.ts';
import { newWall } from '../../support/walls/new-wall.ts';

const { service, demo, other } = useTenantsAnew();

const reason = 'stuck; opened with the key';
const bram = { 'x-on-behalf-of': 'bram', 'x-reason': 'another%20one' };
const report = (shipmentUid: string, accessGoal: string, headers: Record<string, string> = bram) =>
  demo.call('ReportShipmentAccess', { shipmentUid, accessGoal, reason }, headers);

async function atStuckDoor() {
  const [shipmentUid] = await demo.book('CreateLocalShipmentAsIssue');
  const { lockerUid } = await demo.ok('GetShipment', { shipmentUid });
  await demo.sandbox('POST', 'faults', { lockerUid, fault: 'stuck' });
  await demo.refuses('UnlockShipmentLocker', { shipmentUid, unlockGoal: 'DropOff' }, 'UnlockFailed');
  return { shipmentUid, lockerUid: String(lockerUid) };
}

const lockerAt = async (lockerUid: string) =>
  ((await demo.ok('GetLockers', { pageNo: 1, pageSize: 1, lockerUid })).items as object[])[0];

test('put in and handed out by hand count as these accesses, with who and why, and no door is asked', async () => {
  const { shipmentUid, lockerUid } = await atStuckDoor();
  expect((await report(shipmentUid, 'DropOff')).body).toMatchObject({ success: true });
  expect(await demo.states(shipmentUid)).toEqual(['ReadyForPickup']);
  expect((await report(shipmentUid, 'PickUp')).body).toMatchObject({ success: true });
  expect(await demo.states(shipmentUid)).toEqual(['Completed']);
  expect(await notifiedStates(service.database, shipmentUid)).toEqual([
    [0, 'ReadyForPickup'],
    [0, 'Completed'],
  ]);
  expect(await lockerAt(lockerUid)).toMatchObject({
    shipments: [],
    lastAccess: { accessGoal: 'PickUp', onBehalfOf: 'bram', why: reason },
    doorFailure: { reason: expect.any(String) },
  });
  const { items } = await demo.ok('GetShipmentEvents', { shipmentUid });
  const openings = (items as { kind: string }[]).filter(({ kind }) => kind === 'LockerOpened');
  const byHand = { operation: 'ReportShipmentAccess', onBehalfOf: 'bram', why: reason };
  expect(openings).toMatchObject([
    { ...byHand, accessGoal: 'DropOff' },
    { ...byHand, accessGoal: 'PickUp' },
  ]);
  const log = await demo.ok('GetAuditLog', { pageSize: 9, uid: shipmentUid });
  expect(log.items).toMatchObject([
    { ...byHand, outcome: 'Success' },
    { ...byHand, outcome: 'Success' },
    { operation: 'UnlockShipmentLocker', outcome: 'UnlockFailed' },
    {},
  ]);
});

test('what the state does not allow is refused, and what is told twice counts once', async () => {
  const { shipmentUid } = await atStuckDoor();
  expect((await report(shipmentUid, 'PickUp')).body).toMatchObject({ error: 'UnlockNotAllowed' });
  const once = { ...bram, 'idempotency-key': 'told-once' };
  const answers = [await report(shipmentUid, 'DropOff', once), await report(shipmentUid, 'DropOff', once)];
  expect(answers.map(({ body }) => body.success)).toEqual([true, true]);
  expect(await demo.states(shipmentUid)).toEqual(['ReadyForPickup']);
  const unreasoned = { shipmentUid, accessGoal: 'PickUp', reason: '' };
  await demo.refuses('ReportShipmentAccess', unreasoned, 'InvalidRequest', 'reason');
  const foreign = { shipmentUid, accessGoal: 'PickUp', reason };
  expect((await other.call('ReportShipmentAccess', foreign)).body).toMatchObject({
    error: 'InvalidShipment',
  });
  expect(await demo.states(shipmentUid)).toEqual(['ReadyForPickup']);
});

test('the item that a cancelled shipment left behind is handed out, too, and its locker is free', async () => {
  const { shipmentUid, lockerUid } = await demo.leaveBehind();
  expect((await report(shipmentUid, 'PickUp')).body).toMatchObject({ success: true });
  expect(await lockerAt(lockerUid)).toMatchObject({ state: 'Free', toBeEmptied: false });
  expect(await demo.states(shipmentUid)).toEqual(['Cancelled']);
  expect((await report(shipmentUid, 'PickUp')).body).toMatchObject({ error: 'InvalidShipmentState' });
});

test('behind a wall that is cut off it is told all the same', async () => {
  await using own = await createTestService();
  const tenant = await wallOf(own.address);
  await newWall(own.url, 'demo', 'pup-central');
  const [shipmentUid] = await tenant.book('CreateLocalShipmentAsIssue');
  await tenant.refuses('UnlockShipmentLocker', { shipmentUid, unlockGoal: 'DropOff' }, 'UnlockFailed');
  await tenant.ok('ReportShipmentAccess', { shipmentUid, accessGoal: 'DropOff', reason });
  expect(await tenant.states(shipmentUid)).toEqual(['ReadyForPickup']);
});
