// An item that lies in the locker of a cancelled shipment, and how it is reached with the interface's own operations
// (interface: UnlockShipmentLocker; assumptions: Lockers and codes, An item left behind).
import { expect, test } from 'vitest';
import { forgetEndedShipments } from '../../../service/delete-old-shipments.ts';
import { lockerSeen } from '../../support/chains/wall-seen.ts';
import { notifiedStates } from '../../support/notifications.ts';
import { createTestService } from '../../support/service.ts';
import { writtenByService } from '../../support/service-command.ts';
import { useTenantsAnew } from '../../support/use-service.ts';
import { wallOf } from '../../support/wall.ts';
import { newWall } from '../../support/walls/new-wall.ts';
import { TestWall } from '../../support/walls/test-wall.ts';

const { service, demo } = useTenantsAnew();

const lockerAt = async (lockerUid: string) =>
  (await demo.lockers()).find((each) => each.lockerUid === lockerUid);
const openingsOf = async (lockerUid: string) =>
  (await lockerSeen(service.database, { pupUid: 'pup-central', lockerUid }))?.openings ?? 0;
const unlock = (shipmentUid: string, unlockGoal: 'DropOff' | 'PickUp' | null = null) =>
  demo.call('UnlockShipmentLocker', { shipmentUid, unlockGoal });
const ended = { status: 409, error: 'InvalidShipmentState' };

// assumptions: Lockers and codes, A cancelled shipment whose item is still in its locker
test.each(['CreateLocalShipmentAsIssue', 'CreateLocalShipmentAsStock'] as const)(
  'the locker of a cancelled %s opens without a goal and stays to be emptied; PickUp empties it',
  async (name) => {
    const { shipmentUid, lockerUid } = await demo.leaveBehind(name);
    const toldBefore = await notifiedStates(service.database, shipmentUid);
    const openings = await openingsOf(lockerUid);
    await demo.ok('UnlockShipmentLocker', { shipmentUid });
    expect(await lockerAt(lockerUid)).toMatchObject({ state: 'ToBeEmptied' });
    expect(await openingsOf(lockerUid)).toBe(openings + 1);
    await demo.pick(shipmentUid);
    expect(await lockerAt(lockerUid)).toMatchObject({ state: 'Free' });
    expect(await openingsOf(lockerUid)).toBe(openings + 2);
    // It is cancelled as before: nothing to be told.
    expect(await demo.states(shipmentUid)).toEqual(['Cancelled']);
    expect(await notifiedStates(service.database, shipmentUid)).toEqual(toldBefore);
  },
);

test('once the item is out, the cancelled shipment has no locker to open, with any goal', async () => {
  const { shipmentUid } = await demo.leaveBehind();
  await demo.pick(shipmentUid);
  for (const unlockGoal of [null, 'PickUp', 'DropOff'])
    expect(await demo.refused('UnlockShipmentLocker', { shipmentUid, unlockGoal })).toMatchObject(ended);
});

test('its locker is never opened for a drop-off, and its codes have ended with it', async () => {
  const [shipmentUid] = await demo.book('CreateLocalShipmentAsIssue');
  await demo.drop(shipmentUid);
  const { pickUpCode } = await demo.codes(shipmentUid);
  await demo.cancel(shipmentUid);
  expect(await demo.refused('UnlockShipmentLocker', { shipmentUid, unlockGoal: 'DropOff' })).toMatchObject(
    ended,
  );
  for (const unlockGoal of [null, 'PickUp'])
    await demo.refuses(
      'UnlockShipmentLocker',
      { shipmentUid, unlockGoal, pinCode: pickUpCode },
      'InvalidAccessCode',
    );
  expect(await demo.type(shipmentUid, pickUpCode)).toMatchObject({ error: 'InvalidAccessCode' });
  await demo.ok('UnlockShipmentLocker', { shipmentUid, unlockGoal: 'PickUp', pinCode: '' });
});

test('a collect-only booking of the locker keeps it when the cancelled shipment is unlocked meanwhile', async () => {
  const { shipmentUid, lockerUid } = await demo.leaveBehind();
  const [collect] = await demo.book('CreateCollectOnlyShipmentAsCollectByDispatcher', { lockerUid });
  await demo.ok('UnlockShipmentLocker', { shipmentUid });
  expect(await lockerAt(lockerUid)).toMatchObject({ state: 'Booked', toBeEmptied: true });
  const key = { 'idempotency-key': `empty-${shipmentUid}` };
  const request = { shipmentUid, unlockGoal: 'PickUp' };
  const [first, again] = [
    await demo.call('UnlockShipmentLocker', request, key),
    await demo.call('UnlockShipmentLocker', request, key),
  ];
  expect([first.body, again.body]).toMatchObject([{ success: true }, { success: true }]);
  expect(await lockerAt(lockerUid)).toMatchObject({ state: 'Booked', toBeEmptied: false });
  expect(await demo.states(collect)).toEqual(['ReadyForPickup']);
  await demo.cancel(collect);
  expect(await lockerAt(lockerUid)).toMatchObject({ state: 'Free' });
});

test('two requests that empty it at once open the door once', async () => {
  const { shipmentUid, lockerUid } = await demo.leaveBehind();
  const openings = await openingsOf(lockerUid);
  const answers = await Promise.all([1, 2, 3].map(() => unlock(shipmentUid, 'PickUp')));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ body }) => body.error === 'InvalidShipmentState')).toHaveLength(2);
  expect(await openingsOf(lockerUid)).toBe(openings + 1);
});

test('a door that stays shut leaves the item where it is', async () => {
  const { shipmentUid, lockerUid } = await demo.leaveBehind();
  await demo.sandbox('POST', 'faults', { lockerUid, fault: 'stuck' });
  expect((await unlock(shipmentUid, 'PickUp')).body).toMatchObject({ error: 'UnlockFailed' });
  expect(await lockerAt(lockerUid)).toMatchObject({ state: 'ToBeEmptied' });
  await demo.sandbox('POST', 'faults', { lockerUid, fault: null });
  await demo.pick(shipmentUid);
});

test('its history, the audit log and the locker tell of the opening', async () => {
  const { shipmentUid, lockerUid } = await demo.leaveBehind();
  await demo.pick(shipmentUid);
  const { items } = await demo.ok('GetShipmentEvents', { shipmentUid });
  const kinds = (items as { kind: string; accessGoal: string | null; stateCode: string | null }[]).map(
    ({ kind, accessGoal, stateCode }) => [kind, accessGoal ?? stateCode],
  );
  expect(kinds.slice(-3)).toEqual([
    ['StateChanged', 'Cancelled'],
    ['Requested', null],
    ['LockerOpened', 'PickUp'],
  ]);
  const log = await demo.ok('GetAuditLog', { pageSize: 1, uid: shipmentUid });
  expect(log.items).toMatchObject([{ operation: 'UnlockShipmentLocker', outcome: 'Success' }]);
  expect(await demo.ok('GetShipment', { shipmentUid })).toMatchObject({ isItemLeft: false });
  expect(await demo.ok('GetLockers', { pageNo: 1, pageSize: 1, lockerUid })).toMatchObject({
    items: [{ state: 'Free', leftShipmentUid: null, lastAccess: { accessGoal: 'PickUp', shipmentUid } }],
  });
});

test('the history of the shipment tells who said that its locker is empty, and who took it out of order', async () => {
  const mila = { 'x-on-behalf-of': 'mila' };
  const told = async (shipmentUid: string) => {
    const { items } = await demo.ok('GetShipmentEvents', { shipmentUid });
    const all = items as { operation: string | null; onBehalfOf: string | null; outcome: string | null }[];
    return all.filter(({ operation }) => operation?.startsWith('SetLocker'));
  };
  const { shipmentUid, lockerUid } = await demo.leaveBehind();
  await demo.call('SetLockerEmptied', { lockerUid }, mila);
  await demo.call('SetLockerEmptied', { lockerUid }, mila);
  const emptied = { operation: 'SetLockerEmptied', onBehalfOf: 'mila', outcome: 'Success' };
  expect(await told(shipmentUid)).toMatchObject([emptied]);
  const [next] = await demo.book('CreateLocalShipment', { lockerUid });
  for (const outOfOrder of [true, false])
    await demo.call('SetLockerOutOfOrder', { lockerUid, outOfOrder }, mila);
  expect(await told(String(next))).toMatchObject([{ operation: 'SetLockerOutOfOrder', onBehalfOf: 'mila' }]);
  expect(await told(shipmentUid)).toHaveLength(1);
});

test('a locker that an operator holds is nobody’s: what it holds belongs to no earlier shipment', {
  tags: 'long',
}, async () => {
  const { shipmentUid, lockerUid } = await demo.leaveBehind();
  const run = (...words: string[]) => writtenByService(words, { DATABASE_URL: service.url });
  const once = { lockerUid, keepBookedAfterPickUp: false };
  const [collect] = await demo.book('CreateCollectOnlyShipmentAsCollectByDispatcher', once);
  await demo.pick(collect);
  await run('locker', 'item-left', 'demo', lockerUid);
  expect(await lockerAt(lockerUid)).toMatchObject({ state: 'ToBeEmptied' });
  expect((await unlock(shipmentUid, 'PickUp')).body).toMatchObject({ error: 'InvalidShipmentState' });
  expect(await demo.ok('GetLockers', { pageNo: 1, pageSize: 1, lockerUid })).toMatchObject({
    items: [{ leftShipmentUid: null }],
  });
});

test('a cancelled shipment is not forgotten while its item is in the locker', async () => {
  const { shipmentUid } = await demo.leaveBehind();
  await service.database.deleteFrom('callback_queue').execute();
  await forgetEndedShipments(service.database, -1);
  await demo.pick(shipmentUid);
  await forgetEndedShipments(service.database, -1);
  expect((await unlock(shipmentUid, 'PickUp')).body).toMatchObject({ error: 'InvalidShipment' });
});

// assumptions: Walls, Openings that a request asks for
test('a wall opens it like any door, and the locker is free when the door has opened', async () => {
  await using at = await leftAtWall();
  const { tenant, shipmentUid, lockerUid, wall } = at;
  await tenant.ok('UnlockShipmentLocker', { shipmentUid });
  expect(await at.locker()).toMatchObject({ state: 'ToBeEmptied' });
  await tenant.pick(shipmentUid);
  expect(wall.openings).toEqual([lockerUid, lockerUid]);
  expect(await at.locker()).toMatchObject({ state: 'Free' });
  expect(await tenant.states(shipmentUid)).toEqual(['Cancelled']);
});

// assumptions: Walls, A door that opened, and the shipment has changed
test('a wall that tells of the opening after an operator has emptied the locker changes nothing', {
  tags: 'long',
}, async () => {
  await using at = await leftAtWall();
  const { tenant, shipmentUid, lockerUid, wall } = at;
  wall.setFault('Slow');
  const request = tenant.call('UnlockShipmentLocker', { shipmentUid, unlockGoal: 'PickUp' });
  const { commandId } = await wall.answer('openDoor');
  await tenant.ok('SetLockerEmptied', { lockerUid });
  wall.write({ type: 'doorOpened', lockerUid, commandId });
  expect((await request).body).toMatchObject({
    error: 'InvalidShipmentState',
    message: expect.stringContaining('was taken out already'),
  });
  expect(await at.locker()).toMatchObject({ state: 'Free' });
});

/** In a service of its own, whose pup-central got a wall after the item was left there. */
async function leftAtWall() {
  const own = await createTestService();
  const tenant = await wallOf(own.address);
  const { shipmentUid, lockerUid } = await tenant.leaveBehind();
  const credentials = await newWall(own.url, 'demo', 'pup-central');
  const wall = await TestWall.connected({ ...credentials, address: own.address });
  const locker = async () => (await tenant.lockers()).find((each) => each.lockerUid === lockerUid);
  const end = () => own[Symbol.asyncDispose]();
  return { tenant, shipmentUid, lockerUid, wall, locker, [Symbol.asyncDispose]: end };
}
