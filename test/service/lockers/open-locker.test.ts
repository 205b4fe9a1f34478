// OpenLocker (assumptions: Operating): a door that is opened to look inside, which means nothing for any shipment. Over real HTTP, at
// simulated doors and at a wall.
import { expect, test } from 'vitest';
import { forgetOldLooks } from '../../../service/housekeeping.ts';
import { notifiedStates } from '../../support/notifications.ts';
import { createTestService } from '../../support/service.ts';
import { useTenantsAnew } from '../../support/use-service.ts';
import { type Wall, wallOf } from '../../support/wall.ts';
import { newWall } from '../../support/walls/new-wall.ts';
import { TestWall } from '../../support/walls/test-wall.ts';

const { service, demo, other } = useTenantsAnew();

const reason = 'a customer says that it was empty';
const bram = { 'x-on-behalf-of': 'bram', 'x-reason': 'another%20one' };
const look = (lockerUid: string, headers = bram) => demo.call('OpenLocker', { lockerUid, reason }, headers);
const lockerAt = async (lockerUid: string, tenant: Wall = demo) => {
  const { items } = await tenant.ok('GetLockers', { pageNo: 1, pageSize: 1, lockerUid });
  return (items as object[])[0];
};
const looked = { accessGoal: 'Look', onBehalfOf: 'bram', why: reason };
const uidOf = async (shipmentUid: string) =>
  String((await demo.ok('GetShipment', { shipmentUid })).lockerUid);

test('a look into a booked locker counts neither as put in nor as taken out, and its reason is kept', async () => {
  const [shipmentUid] = await demo.book('CreateLocalShipmentAsIssue');
  const lockerUid = await uidOf(shipmentUid);
  for (const stateCode of ['ReadyForDropoff', 'ReadyForPickup']) {
    const told = await notifiedStates(service.database, shipmentUid);
    const codes = await demo.codes(shipmentUid);
    expect((await look(lockerUid)).body).toMatchObject({ success: true, lockerUid });
    expect(await demo.states(shipmentUid)).toEqual([stateCode]);
    expect(await demo.codes(shipmentUid)).toEqual(codes);
    expect(await notifiedStates(service.database, shipmentUid)).toEqual(told);
    expect(await lockerAt(lockerUid)).toMatchObject({ lastAccess: { ...looked, shipmentUid } });
    if (stateCode === 'ReadyForDropoff') await demo.drop(shipmentUid);
  }
  const log = await demo.ok('GetAuditLog', { pageSize: 9, uid: lockerUid });
  const entry = {
    operation: 'OpenLocker',
    onBehalfOf: 'bram',
    outcome: 'Success',
    why: reason,
    uids: [lockerUid],
  };
  expect(log.items).toMatchObject([entry, entry]);
  const { items } = await demo.ok('GetShipmentEvents', { shipmentUid });
  const openings = (items as { kind: string }[]).filter(({ kind }) => kind === 'LockerOpened');
  expect(openings).toMatchObject([
    { ...looked, operation: 'OpenLocker', clientId: 'demo' },
    { accessGoal: 'DropOff', why: null },
    looked,
  ]);
  // A later access is the last one again.
  await demo.pick(shipmentUid);
  expect(await lockerAt(lockerUid)).toMatchObject({
    lastAccess: { accessGoal: 'PickUp', onBehalfOf: null, why: null },
  });
});

test('a free locker, one that is out of order and one with a left item open, and stay as they are', async () => {
  const free = { state: 'Free', lastAccess: { ...looked, shipmentUid: null } };
  await look('pup-central-3');
  expect(await lockerAt('pup-central-3')).toMatchObject(free);
  await demo.ok('SetLockerOutOfOrder', { lockerUid: 'pup-central-4', outOfOrder: true });
  await look('pup-central-4');
  expect(await lockerAt('pup-central-4')).toMatchObject({ ...free, state: 'OutOfOrder' });
  const { shipmentUid, lockerUid } = await demo.leaveBehind();
  await look(lockerUid);
  expect(await lockerAt(lockerUid)).toMatchObject({
    state: 'ToBeEmptied',
    leftShipmentUid: shipmentUid,
    lastAccess: { ...looked, shipmentUid },
  });
  // Booked for whoever fetches the left item, it would be emptied by an opening for that booking.
  await demo.book('CreateCollectOnlyShipmentAsCollectByDispatcher', { lockerUid });
  await look(lockerUid);
  expect(await lockerAt(lockerUid)).toMatchObject({ state: 'Booked', toBeEmptied: true });
});

test('without a reason no door opens; one that stays shut, and a locker of another tenant, is refused and logged', async () => {
  const lockerUid = 'pup-central-5';
  await demo.refuses('OpenLocker', { lockerUid }, 'InvalidRequest', 'reason');
  await demo.refuses('OpenLocker', { lockerUid, reason: '' }, 'InvalidRequest', 'reason');
  expect((await other.call('OpenLocker', { lockerUid, reason })).body).toMatchObject({
    error: 'InvalidLockerUid',
  });
  await demo.sandbox('POST', 'faults', { lockerUid, fault: 'stuck' });
  expect((await look(lockerUid)).body).toMatchObject({ error: 'UnlockFailed' });
  expect(await lockerAt(lockerUid)).toMatchObject({ lastAccess: null });
  const { items } = await demo.ok('GetAuditLog', { pageSize: 1, uid: lockerUid });
  expect(items).toMatchObject([{ outcome: 'UnlockFailed', onBehalfOf: 'bram', why: reason }]);
});

test('a look is forgotten when its entry in the audit log is', async () => {
  await look('pup-central-6');
  await forgetOldLooks(service.database, 1);
  expect(await lockerAt('pup-central-6')).toMatchObject({ lastAccess: looked });
  await forgetOldLooks(service.database, 0);
  expect(await lockerAt('pup-central-6')).toMatchObject({ lastAccess: null });
});

/** A service of its own, whose pup-central has a wall. */
async function withWall() {
  const own = await createTestService();
  const tenant = await wallOf(own.address);
  const credentials = await newWall(own.url, 'demo', 'pup-central');
  const wall = await TestWall.connected({ ...credentials, address: own.address });
  return { tenant, wall, [Symbol.asyncDispose]: () => own[Symbol.asyncDispose]() };
}

test('a fault of the sandbox is refused where a wall opens the doors', async () => {
  await using at = await withWall();
  const { body } = await at.tenant.sandbox('POST', 'faults', { pupUid: 'pup-central', fault: 'stuck' });
  expect(body).toMatchObject({
    error: 'InvalidRequest',
    message: expect.stringContaining('A wall opens the doors of pup-central'),
  });
});

test('a wall opens its door for a look; repeated with its key it opens no second time', async () => {
  await using at = await withWall();
  const { tenant, wall } = at;
  const [shipmentUid] = await tenant.book('CreateLocalShipment');
  const lockerUid = String((await tenant.ok('GetShipment', { shipmentUid })).lockerUid);
  const key = { ...bram, 'idempotency-key': 'one-look' };
  const answers = await Promise.all(
    [1, 2, 3].map(() => tenant.call('OpenLocker', { lockerUid, reason }, key)),
  );
  expect(answers.map(({ body }) => body.success)).toEqual([true, true, true]);
  expect(wall.openings).toEqual([lockerUid]);
  expect(await tenant.states(shipmentUid)).toEqual(['ReadyForDropoff']);
  expect(await lockerAt(lockerUid, tenant)).toMatchObject({
    door: 'Open',
    lastAccess: { ...looked, shipmentUid },
  });
  const { items } = await tenant.ok('GetAuditLog', { pageSize: 9, operation: 'OpenLocker' });
  expect(items).toMatchObject([{ outcome: 'Success', why: reason, onBehalfOf: 'bram' }]);
  wall.cut();
  await expect
    .poll(async () => (await tenant.call('OpenLocker', { lockerUid, reason })).body, { timeout: 15_000 })
    .toMatchObject({ error: 'UnlockFailed', message: expect.stringContaining('is not connected') });
});

test('a look of which the wall tells when nobody waits any more is kept all the same', {
  tags: 'long',
}, async () => {
  await using at = await withWall();
  const { tenant, wall } = at;
  const lockerUid = 'pup-central-9';
  wall.setFault('Slow');
  const late = await tenant.call('OpenLocker', { lockerUid, reason }, bram);
  expect(late.body).toMatchObject({ error: 'UnlockFailed' });
  const { commandId } = await wall.answer('openDoor');
  wall.write({ type: 'doorOpened', lockerUid, commandId });
  await wall.answer('forget', (forgotten) => forgotten.commandId === commandId);
  expect(await lockerAt(lockerUid, tenant)).toMatchObject({ lastAccess: looked });
});
