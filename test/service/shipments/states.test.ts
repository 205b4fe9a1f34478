// assumptions: States row by row, over real HTTP and Postgres: the states, what leads from one to the other, what is told of it.
import { expect, test } from 'vitest';
import { messagesOf, notifiedStates } from '../../support/notifications.ts';
import { useTenantsAnew } from '../../support/use-service.ts';

const { service, demo: wall } = useTenantsAnew();

const delayed = { toUserUid: null, isReceiverDelayed: true };

test('a kept-booked shipment stays ready for pick up with its code, untold, until it is cancelled', async () => {
  const [kept] = await wall.book('CreateCollectOnlyShipment', { keepBookedAfterPickUp: true });
  const { pickUpCode } = await wall.codes(kept);
  for (let round = 0; round < 2; round++) {
    expect(await wall.type(kept, pickUpCode)).toMatchObject({ success: true });
    expect(await wall.states(kept)).toEqual(['ReadyForPickup']);
    expect(await wall.lockerOf(kept)).toMatchObject({ state: 'Booked' });
  }
  expect(await wall.codes(kept)).toMatchObject({ pickUpCode });
  expect(await notifiedStates(service.database, kept)).toEqual([]);
  await wall.cancel(kept);
  expect(await notifiedStates(service.database, kept)).toEqual([[0, 'Cancelled']]);
});

test('a receiver set while registered or ready for drop off changes no state and is not told', async () => {
  const details = { referenceCaseNo: 'CASE-7' };
  const [stock] = await wall.book('CreateLocalShipmentAsStock', { details });
  const [swap] = await wall.book('CreateLocalShipment', {
    ...delayed,
    fromUserUid: 'user-anna',
    swapsShipmentUid: stock,
  });
  for (const shipmentUid of [stock, swap])
    await wall.ok('SetShipmentReceiver', { shipmentUid, toUserUid: 'user-bram', caseReferenceNew: null });
  expect(await wall.shipment(stock)).toMatchObject(details);
  expect(await wall.states(stock, swap)).toEqual(['ReadyForDropoff', 'Registered']);
  expect(await notifiedStates(service.database, stock, swap)).toEqual([]);
  expect(await wall.shipment(swap)).toMatchObject({ toUserUid: 'user-bram' });
});

test('a receiver set while the item waits makes it ready for pick up', async () => {
  await wall.ok('ConfigureCallback', { url: null, authType: 'None', extraFields: true });
  const [stock] = await wall.book('CreateLocalShipmentAsStock');
  await wall.drop(stock);
  await wall.ok('SetShipmentReceiver', {
    shipmentUid: stock,
    toUserUid: 'user-bram',
    caseReferenceNew: 'CASE-99',
  });
  expect(await wall.shipment(stock)).toMatchObject({
    stateCode: 'ReadyForPickup',
    toUserUid: 'user-bram',
    referenceCaseNo: 'CASE-99',
  });
  expect(await messagesOf(service.database, [stock])).toMatchObject([
    {},
    { message: { stateCode: 'ReadyForPickup', referenceCaseNo: 'CASE-99' } },
  ]);
});

test('a receiver is removed while registered or ready for drop off, toUserUid ignored', async () => {
  const [issue, intake] = await wall.book('CreateLocalShipmentAsIssueAndSwapIntake');
  for (const shipmentUid of [issue, intake]) {
    const removal = { shipmentUid, removeReceiver: true, toUserUid: 'nobody', caseReferenceNew: 'IGNORED' };
    await wall.ok('SetShipmentReceiver', removal);
    expect(await wall.shipment(shipmentUid)).toMatchObject({ toUserUid: null });
    expect((await wall.shipment(shipmentUid)).referenceCaseNo).not.toBe('IGNORED');
  }
  expect(await wall.states(issue, intake)).toEqual(['ReadyForDropoff', 'Registered']);
});

// assumptions: States, SetShipmentReceiver
test.each([
  ['to set one when ready for pick up', { toUserUid: 'user-bram' }, 'CreateLocalShipment', true],
  ['to remove one where there is none', { removeReceiver: true }, 'CreateLocalShipmentAsStock', false],
] as const)('SetShipmentReceiver refuses %s', async (_, change, operation, isDropped) => {
  const [shipmentUid] = await wall.book(operation);
  if (isDropped) await wall.drop(shipmentUid);
  await wall.refuses('SetShipmentReceiver', { shipmentUid, ...change }, 'InvalidShipmentState');
});

// assumptions: States, SetShipmentReceiver
// assumptions: Lockers and codes, When an access code holds and changes
test('setting and removing a receiver each make a new PickUpCode', async () => {
  const [stock] = await wall.book('CreateLocalShipmentAsStock');
  const seen = [await wall.codes(stock)];
  await wall.ok('SetShipmentReceiver', { shipmentUid: stock, toUserUid: 'user-bram' });
  seen.push(await wall.codes(stock));
  await wall.ok('SetShipmentReceiver', { shipmentUid: stock, removeReceiver: true });
  seen.push(await wall.codes(stock));
  expect(new Set(seen.map(({ pickUpCode }) => pickUpCode)).size).toBe(3);
  expect(new Set(seen.map(({ deliveryCode }) => deliveryCode)).size).toBe(1);
});

test('cancelling takes along the successors still registered, and theirs, told in chain order', async () => {
  const [prior] = await wall.book('CreateLocalShipmentAsStock');
  const chain = await wall.book('CreateLocalShipmentAsIssueFromStockAndSubsequentIntakeAndCircularStock', {
    priorShipmentUid: prior,
  });
  await wall.cancel(prior);
  expect(await wall.states(...chain)).toEqual(['Cancelled', 'Cancelled', 'Cancelled']);
  expect(await notifiedStates(service.database, ...chain)).toEqual(
    [0, 1, 2].map((index) => [index, 'Cancelled']),
  );
  expect((await wall.lockers()).every(({ state }) => state === 'Free')).toBe(true);
});

// assumptions: States, How SetShipmentDetails removes a number
test('an empty number in new details means none', async () => {
  const [shipmentUid] = await wall.book('CreateLocalShipment');
  const details = { referenceNo: '', referenceCaseNo: '', description: null };
  await wall.ok('SetShipmentDetails', { shipmentUid, ...details });
  const none = { referenceNo: null, referenceCaseNo: null, description: null };
  expect(await wall.shipment(shipmentUid)).toMatchObject(none);
});

// assumptions: States, States for SetShipmentDetails, AddShipmentObject, RemoveShipmentObject
test('details are overridden while the shipment is active, description by null too', async () => {
  const [shipmentUid] = await wall.book('CreateLocalShipment');
  const details = { ReferenceNo: 'NEW-1', ReferenceCaseNo: 'NEW-CASE', Description: null };
  await wall.ok('SetShipmentDetails', { shipmentUid, ...details });
  expect(await wall.shipment(shipmentUid)).toMatchObject({
    referenceNo: 'NEW-1',
    referenceCaseNo: 'NEW-CASE',
    description: null,
  });
  await wall.cancel(shipmentUid);
  const late = await wall.refused('SetShipmentDetails', { shipmentUid, ...details });
  expect(late).toMatchObject({
    error: 'InvalidShipmentState',
    message: expect.stringContaining('Cancelled'),
  });
});

test('stateStart is written without offset, to the millisecond, and moves with the state alone', async () => {
  const [shipmentUid] = await wall.book('CreateLocalShipment');
  const { stateStart } = await wall.shipment(shipmentUid);
  expect(stateStart).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/);
  expect(Math.abs(Date.parse(`${stateStart}Z`) - Date.now())).toBeLessThan(60_000);
  const details = { ReferenceNo: 'X', ReferenceCaseNo: 'Y', Description: 'Z' };
  await wall.ok('SetShipmentDetails', { shipmentUid, ...details });
  expect((await wall.shipment(shipmentUid)).stateStart).toBe(stateStart);
});
