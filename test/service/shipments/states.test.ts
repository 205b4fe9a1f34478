// assumptions: States row by row, over real HTTP and Postgres: the states, what leads from one to the other, what is told of it.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
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

const delayed = { toUserUid: null, isReceiverDelayed: true };

// assumptions: States, Where a collect-only shipment begins
test('a shipment begins ready for drop off; a successor registered; a collect-only ready for pick up', async () => {
  const [local] = await wall.book('CreateLocalShipment');
  const [issue, intake] = await wall.book('CreateLocalShipmentAsIssueAndSwapIntake');
  const [collect] = await wall.book('CreateCollectOnlyShipment');
  expect(await wall.states(local, issue, intake, collect)).toEqual([
    'ReadyForDropoff',
    'ReadyForDropoff',
    'Registered',
    'ReadyForPickup',
  ]);
  expect(await wall.told(local, issue, intake, collect)).toEqual([]);
});

test('an item dropped off for a receiver is ready for pick up, told once', async () => {
  const [shipment] = await wall.book('CreateLocalShipment');
  await wall.drop(shipment);
  expect(await wall.states(shipment)).toEqual(['ReadyForPickup']);
  expect(await wall.told(shipment)).toEqual([[0, 'ReadyForPickup']]);
});

test('an item dropped off without a receiver waits for one', async () => {
  const [stock] = await wall.book('CreateLocalShipmentAsStock');
  const [local] = await wall.book('CreateLocalShipment', delayed);
  await wall.drop(stock);
  await wall.drop(local);
  expect(await wall.states(stock, local)).toEqual(['WaitForReceiver', 'WaitForReceiver']);
  expect(await wall.told(stock, local)).toEqual([
    [0, 'WaitForReceiver'],
    [1, 'WaitForReceiver'],
  ]);
});

// assumptions: Chains, IntakeAndCircularStock
test('an item dropped off with circular stock pending completes the intake', async () => {
  const [intake, stock] = await wall.book('CreateLocalShipmentAsIntakeAndCircularStock');
  await wall.drop(intake);
  expect(await wall.states(intake, stock)).toEqual(['Completed', 'ReadyForPickup']);
  expect(await wall.told(intake, stock)).toEqual([
    [0, 'Completed'],
    [1, 'ReadyForPickup'],
  ]);
});

test('an item picked up completes its shipment and frees the locker', async () => {
  const [shipment] = await wall.book('CreateLocalShipment');
  await wall.drop(shipment);
  await wall.pick(shipment);
  expect(await wall.states(shipment)).toEqual(['Completed']);
  expect((await wall.lockers()).every(({ state }) => state === 'Free')).toBe(true);
});

test('a kept-booked shipment stays ready for pick up with its code, untold, until it is cancelled', async () => {
  const [kept] = await wall.book('CreateCollectOnlyShipment', { keepBookedAfterPickUp: true });
  const { pickUpCode } = await wall.codes(kept);
  for (let round = 0; round < 2; round++) {
    expect(await wall.type(kept, pickUpCode)).toMatchObject({ success: true });
    expect(await wall.states(kept)).toEqual(['ReadyForPickup']);
    expect(await wall.lockerOf(kept)).toMatchObject({ state: 'Booked' });
  }
  expect(await wall.codes(kept)).toMatchObject({ pickUpCode });
  expect(await wall.told(kept)).toEqual([]);
  await wall.cancel(kept);
  expect(await wall.told(kept)).toEqual([[0, 'Cancelled']]);
});

// assumptions: Chains, When a swap is accepted, and what it does
test('a swap begins when its predecessor is picked up: for a receiver ready, else waiting', async () => {
  const [issue, intake] = await wall.book('CreateLocalShipmentAsIssueAndSwapIntake');
  await wall.drop(issue);
  await wall.pick(issue);
  expect(await wall.states(issue, intake)).toEqual(['Completed', 'ReadyForPickup']);
  const [stock] = await wall.book('CreateLocalShipmentAsStockAfterSwapIntake', { priorShipmentUid: intake });
  await wall.pick(intake);
  expect(await wall.states(intake, stock)).toEqual(['Completed', 'WaitForReceiver']);
});

test('a subsequent intake begins ready for drop off, and its circular stock when that is dropped off', async () => {
  const [prior] = await wall.book('CreateLocalShipmentAsStock');
  const [issue, intake, stock] = await wall.book(
    'CreateLocalShipmentAsIssueFromStockAndSubsequentIntakeAndCircularStock',
    { priorShipmentUid: prior },
  );
  await wall.drop(issue);
  expect(await wall.states(issue, intake, stock)).toEqual(['ReadyForPickup', 'Registered', 'Registered']);
  await wall.pick(issue);
  expect(await wall.states(issue, intake, stock)).toEqual(['Completed', 'ReadyForDropoff', 'Registered']);
  await wall.drop(intake);
  expect(await wall.states(issue, intake, stock)).toEqual(['Completed', 'Completed', 'ReadyForPickup']);
});

test('a receiver set while registered or ready for drop off changes no state and is not told', async () => {
  const [stock] = await wall.book('CreateLocalShipmentAsStock');
  const [swap] = await wall.book('CreateLocalShipment', {
    ...delayed,
    fromUserUid: 'user-anna',
    swapsShipmentUid: stock,
  });
  for (const shipmentUid of [stock, swap])
    await wall.ok('SetShipmentReceiver', { shipmentUid, toUserUid: 'user-bram' });
  expect(await wall.states(stock, swap)).toEqual(['ReadyForDropoff', 'Registered']);
  expect(await wall.told(stock, swap)).toEqual([]);
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
  const { body } = await wall.sandbox('GET', `events?shipmentUid=${stock}`);
  expect(body.events).toMatchObject([
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
  ['to set one where there is one', { toUserUid: 'user-bram' }, 'CreateLocalShipment', false],
  ['to set one when ready for pick up', { toUserUid: 'user-bram' }, 'CreateLocalShipment', true],
  ['to remove one where there is none', { removeReceiver: true }, 'CreateLocalShipmentAsStock', false],
  ['to remove one when ready for pick up', { removeReceiver: true }, 'CreateLocalShipment', true],
  ['to remove one from what waits for it', { removeReceiver: true }, 'CreateLocalShipmentAsStock', true],
] as const)('SetShipmentReceiver refuses %s', async (_, change, operation, isDropped) => {
  const [shipmentUid] = await wall.book(operation);
  if (isDropped) await wall.drop(shipmentUid);
  expect(await wall.refused('SetShipmentReceiver', { shipmentUid, ...change })).toMatchObject({
    status: 409,
    error: 'InvalidShipmentState',
  });
});

test('SetShipmentReceiver refuses to set a receiver of circular stock that is ready for pick up', async () => {
  const [intake, stock] = await wall.book('CreateLocalShipmentAsIntakeAndCircularStock');
  await wall.drop(intake);
  const set = { shipmentUid: stock, toUserUid: 'user-bram' };
  expect(await wall.refused('SetShipmentReceiver', set)).toMatchObject({ error: 'InvalidShipmentState' });
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

// assumptions: States, States from which CancelShipment is accepted
test.runIf(isLongSuite)('every active state can be cancelled, an ended one cannot', async () => {
  const [registering, registered] = await wall.book('CreateLocalShipmentAsIssueAndSwapIntake');
  const [dropping] = await wall.book('CreateLocalShipment');
  const [waiting] = await wall.book('CreateLocalShipmentAsStock');
  await wall.drop(waiting);
  const [picking] = await wall.book('CreateLocalShipment');
  await wall.drop(picking);
  for (const shipmentUid of [registered, dropping, waiting, picking]) {
    await wall.cancel(shipmentUid);
    expect(await wall.states(shipmentUid)).toEqual(['Cancelled']);
    const again = await wall.refused('CancelShipment', { shipmentUid });
    expect(again).toMatchObject({ status: 409, error: 'InvalidShipmentState' });
  }
  expect(await wall.states(registering)).toEqual(['ReadyForDropoff']);
  await wall.drop(registering);
  await wall.pick(registering);
  expect(await wall.refused('CancelShipment', { shipmentUid: registering })).toMatchObject({
    error: 'InvalidShipmentState',
  });
});

test('cancelling takes along the successors still registered, and theirs, told in chain order', async () => {
  const [prior] = await wall.book('CreateLocalShipmentAsStock');
  const chain = await wall.book('CreateLocalShipmentAsIssueFromStockAndSubsequentIntakeAndCircularStock', {
    priorShipmentUid: prior,
  });
  await wall.cancel(prior);
  expect(await wall.states(...chain)).toEqual(['Cancelled', 'Cancelled', 'Cancelled']);
  expect(await wall.told(...chain)).toEqual([0, 1, 2].map((index) => [index, 'Cancelled']));
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

test.runIf(isLongSuite)(
  'objects are added and removed while the shipment is active, and never move its booking',
  async () => {
    const [shipmentUid] = await wall.book('CreateLocalShipment');
    const before = await wall.shipment(shipmentUid);
    const dimension = { width: 500, height: 400, length: 300 };
    const details = { referenceNo: 'OBJ-1', description: 'a lamp', weight: 12.5, count: 2, dimension };
    const { shipmentObjectUid } = await wall.ok('AddShipmentObject', { shipmentUid, details });
    expect(await wall.shipment(shipmentUid)).toEqual(before);
    const stored = await service.database.selectFrom('shipment_objects').selectAll().execute();
    expect(stored).toMatchObject([
      {
        shipment_object_uid: shipmentObjectUid,
        reference_no: 'OBJ-1',
        description: 'a lamp',
        weight_grams: 12.5,
        count: 2,
        ...dimension,
      },
    ]);
    const removal = { shipmentUid, shipmentObjectUid };
    expect(await wall.ok('RemoveShipmentObject', removal)).toMatchObject(removal);
    expect(await wall.refused('RemoveShipmentObject', removal)).toMatchObject({
      error: 'InvalidShipmentObject',
    });
    const { shipmentObjectUid: left } = await wall.ok('AddShipmentObject', { shipmentUid, details });
    await wall.cancel(shipmentUid);
    for (const refused of [
      await wall.refused('AddShipmentObject', { shipmentUid, details }),
      await wall.refused('RemoveShipmentObject', { shipmentUid, shipmentObjectUid: left }),
    ])
      expect(refused).toMatchObject({ error: 'InvalidShipmentState' });
  },
);

// assumptions: Smaller assumptions, Which weight and count a shipment object may have
test.each<[field: string, value: unknown]>([
  ['weight', -1],
  ['weight', '450'],
  ['count', 0],
  ['count', -1],
  ['count', 1.5],
  ['dimension.length', 0.9],
  ['dimension.length', -30],
])('an object whose %s is %j is InvalidRequest, and is not added', async (field, value) => {
  const [shipmentUid] = await wall.book('CreateLocalShipment');
  const details = field.startsWith('dimension')
    ? { dimension: { width: 1, height: 1, length: value } }
    : { weight: 0, count: 1, [field]: value };
  const refused = await wall.refused('AddShipmentObject', { shipmentUid, details });
  expect(refused).toMatchObject({ status: 400, error: 'InvalidRequest' });
  expect(refused.message).toContain(`details.${field}`);
  expect(await wall.ok('GetShipmentObjects', { shipmentUid })).toMatchObject({ items: [] });
});

test.each([
  'CreateLocalShipmentAsIssue',
  'CreateLocalShipmentAsIssueAndSwapIntake',
  'CreateLocalShipmentAsStock',
  'CreateLocalShipmentAsIntake',
  'CreateLocalShipmentAsIntakeAndCircularStock',
  'CreateCollectOnlyShipment',
  'CreateCollectOnlyShipmentAsCollectByDispatcher',
  'CreateCollectOnlyShipmentAsCollectByUser',
] as const)('%s keeps its Details, and gives none where there are none', async (operation) => {
  const details = { referenceNo: 'R-7', referenceCaseNo: 'CASE-7', description: 'a lamp' };
  const [described] = await wall.book(operation, { details });
  expect(await wall.shipment(described)).toMatchObject(details);
  const [bare] = await wall.book(operation, { details: undefined });
  const none = { referenceNo: null, referenceCaseNo: null, description: null };
  expect(await wall.shipment(bare)).toMatchObject(none);
});

// assumptions: States, Who is the party that is not named
test('the party that is not named is the main account of the tenant', async () => {
  const { userUid: dispatcher } = await wall.ok('GetAccount', {});
  const [from] = await wall.book('CreateLocalShipment', { toUserUid: null });
  const [to] = await wall.book('CreateLocalShipment', { fromUserUid: null });
  const [issue] = await wall.book('CreateLocalShipmentAsIssue');
  const [intake] = await wall.book('CreateLocalShipmentAsIntake');
  const [collect] = await wall.book('CreateCollectOnlyShipment', { toUserUid: null });
  const [byDispatcher] = await wall.book('CreateCollectOnlyShipmentAsCollectByDispatcher');
  const [byUser] = await wall.book('CreateCollectOnlyShipmentAsCollectByUser');
  const [stock] = await wall.book('CreateLocalShipmentAsStock');
  const parties = await Promise.all(
    [from, to, issue, intake, collect, byDispatcher, byUser, stock].map(async (uid) => {
      const { fromUserUid, toUserUid } = await wall.shipment(uid);
      return [fromUserUid, toUserUid];
    }),
  );
  expect(parties).toEqual([
    ['user-anna', dispatcher],
    [dispatcher, 'user-bram'],
    [dispatcher, 'user-anna'],
    ['user-anna', dispatcher],
    [dispatcher, dispatcher],
    [dispatcher, dispatcher],
    [dispatcher, 'user-anna'],
    [dispatcher, null],
  ]);
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
