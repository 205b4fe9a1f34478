// What each operation that creates shipments creates, and the life of these shipments to the end: over real HTTP, with doors
// opened by access codes, and each change of state called back to a receiver of the tenant.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { OperationName, Request } from '../../contract/index.ts';
import { type CallbackTest, createCallbackTest, untilDelivered } from '../service/callbacks/support.ts';
import { startReceiver, type TestReceiver } from '../support/receiver.ts';
import { spreadOf } from '../support/suite.ts';
import { type Wall, wallOf } from '../support/wall.ts';

let service: CallbackTest;
let receiver: TestReceiver;
let wall: Wall;
const dispatcher = 'main-demo';

beforeAll(async () => {
  service = await createCallbackTest();
  receiver = await startReceiver();
  wall = await wallOf(service.address);
  await service.configure({ url: receiver.url, authType: 'None' });
  service.sender();
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await receiver[Symbol.asyncDispose]();
});
beforeEach(() => wall.sandbox('POST', 'reset'));

/** Books, and expects as many new shipments as named uids, and that many uids in the answer. */
async function create<Name extends OperationName>(
  name: Name,
  changes: Partial<Request<Name>>,
  count: number,
) {
  const all = async () => Number((await wall.ok('GetShipments', { pageNo: 1, pageSize: 1 })).totalItems);
  const before = await all();
  const uids = (await wall.book(name, changes)).filter((uid) => uid !== '');
  expect(new Set(uids).size).toBe(uids.length);
  expect((await all()) - before).toBe(count);
  return [uids[0] ?? '', uids[1] ?? '', uids[2] ?? ''] as const;
}

const dropOff = async (uid: string) =>
  expect(await wall.type(uid, (await wall.codes(uid)).deliveryCode)).toMatchObject({ success: true });
const pickUp = async (uid: string) =>
  expect(await wall.type(uid, (await wall.codes(uid)).pickUpCode)).toMatchObject({ success: true });

/** The states that were called back, for each of the shipments by itself. */
async function calledBack(...uids: readonly string[]): Promise<string[][]> {
  await untilDelivered(service);
  return uids.map((uid) =>
    receiver.received.filter(({ shipmentUid }) => shipmentUid === uid).map(({ stateCode }) => stateCode),
  );
}

const unlinked = { swapsShipmentUid: null, priorShipmentUid: null, circularPriorShipmentUid: null };
const delivered = ['ReadyForPickup', 'Completed'];
const details = { referenceNo: 'ITEM-7', referenceCaseNo: 'CASE-7', description: 'A lamp' };
const returned = { referenceNo: 'RETURN-7', referenceCaseNo: 'CASE-9', description: 'A used lamp' };

// interface: CreateLocalShipment
test('CreateLocalShipment creates one shipment from account to account, at one pick up point', async () => {
  const users = { fromUserUid: 'user-anna', toUserUid: 'user-bram' };
  const [uid] = await create('CreateLocalShipment', { ...users, ...details, lockerUid: 'pup-central-9' }, 1);
  const record = { ...users, ...details, ...unlinked, shipmentType: 'LocalPupShipment' };
  expect(await wall.shipment(uid)).toMatchObject({ ...record, pupUid: 'pup-central', lockerName: '9' });
  await dropOff(uid);
  expect(await wall.states(uid)).toEqual(['ReadyForPickup']);
  await pickUp(uid);
  expect(await wall.states(uid)).toEqual(['Completed']);
  expect(await calledBack(uid)).toEqual([delivered]);
});

test('the dispatcher is the main account of the tenant whose API client calls', async () => {
  const other = await wallOf(service.address, 'other');
  const [issue] = await other.book('CreateLocalShipmentAsIssue', { pupUid: 'pup-other' });
  expect(await other.shipment(issue)).toMatchObject({ fromUserUid: 'main-other', toUserUid: 'user-anna' });
  const [intake] = await create('CreateLocalShipment', { fromUserUid: 'user-anna', toUserUid: null }, 1);
  expect(await wall.shipment(intake)).toMatchObject({ fromUserUid: 'user-anna', toUserUid: 'main-demo' });
});

test('with IsReceiverDelayed the receiver is set later', async () => {
  const later = { fromUserUid: 'user-anna', toUserUid: null, isReceiverDelayed: true };
  const [uid] = await create('CreateLocalShipment', later, 1);
  expect(await wall.shipment(uid)).toMatchObject({ fromUserUid: 'user-anna', toUserUid: null });
  await dropOff(uid);
  await wall.ok('SetShipmentReceiver', { shipmentUid: uid, toUserUid: 'user-bram' });
  expect(await wall.shipment(uid)).toMatchObject({ stateCode: 'ReadyForPickup', toUserUid: 'user-bram' });
  await pickUp(uid);
  expect(await calledBack(uid)).toEqual([['WaitForReceiver', ...delivered]]);
});

test('SwapsShipmentUid chains a swap: one code for the pick-up and the drop-off, which happen at once', async () => {
  const [swapped] = await create('CreateLocalShipment', { toUserUid: 'user-bram' }, 1);
  const users = { fromUserUid: 'user-bram', toUserUid: 'user-anna' };
  const [swap] = await create('CreateLocalShipment', { ...users, swapsShipmentUid: swapped }, 1);
  expect(await wall.shipment(swap)).toMatchObject({ ...users, ...unlinked, swapsShipmentUid: swapped });
  expect((await wall.codes(swap)).deliveryCode).toBe((await wall.codes(swapped)).pickUpCode);
  await dropOff(swapped);
  await pickUp(swapped);
  expect(await wall.states(swapped, swap)).toEqual(['Completed', 'ReadyForPickup']);
  await pickUp(swap);
  expect(await calledBack(swapped, swap)).toEqual([delivered, delivered]);
});

// interface: Flow-specific local operations
test('CreateLocalShipmentAsIssue creates one shipment from the dispatcher to the user', async () => {
  const [issue] = await create('CreateLocalShipmentAsIssue', { toUserUid: 'user-bram', details }, 1);
  const users = { fromUserUid: dispatcher, toUserUid: 'user-bram' };
  expect(await wall.shipment(issue)).toMatchObject({ ...users, ...unlinked, ...details });
  await dropOff(issue);
  await pickUp(issue);
  expect(await calledBack(issue)).toEqual([delivered]);
});

test('CreateLocalShipmentAsIssueAndSwapIntake creates an issue, and an intake from its user that swaps it', async () => {
  const request = { toUserUid: 'user-bram', details, return: returned };
  const [issue, intake] = await create('CreateLocalShipmentAsIssueAndSwapIntake', request, 2);
  expect(await wall.shipment(issue)).toMatchObject({
    ...{ fromUserUid: dispatcher, toUserUid: 'user-bram', ...details, ...unlinked },
  });
  expect(await wall.shipment(intake)).toMatchObject({
    ...{ fromUserUid: 'user-bram', toUserUid: dispatcher, ...returned, ...unlinked, swapsShipmentUid: issue },
  });
  await dropOff(issue);
  await pickUp(issue);
  await pickUp(intake);
  expect(await calledBack(issue, intake)).toEqual([delivered, delivered]);
});

test('CreateLocalShipmentAsStock creates one shipment without a receiver', async () => {
  const [stock] = await create('CreateLocalShipmentAsStock', { details }, 1);
  const users = { fromUserUid: dispatcher, toUserUid: null };
  expect(await wall.shipment(stock)).toMatchObject({ ...users, ...unlinked, ...details });
  await dropOff(stock);
  expect(await calledBack(stock)).toEqual([['WaitForReceiver']]);
});

test('CreateLocalShipmentAsStockAfterSwapIntake creates stock that swaps the intake', async () => {
  const [intake] = await create('CreateLocalShipmentAsIntake', {}, 1);
  const after = { priorShipmentUid: intake, details };
  const [stock] = await create('CreateLocalShipmentAsStockAfterSwapIntake', after, 1);
  expect(await wall.shipment(stock)).toMatchObject({
    ...{ fromUserUid: dispatcher, toUserUid: null, ...details, ...unlinked, swapsShipmentUid: intake },
  });
  await dropOff(intake);
  await pickUp(intake);
  expect(await calledBack(intake, stock)).toEqual([delivered, ['WaitForReceiver']]);
});

async function storedItem(): Promise<string> {
  const [stock] = await create('CreateLocalShipmentAsStock', { details }, 1);
  await dropOff(stock);
  return stock;
}
const issued = ['WaitForReceiver', ...delivered];

test('CreateLocalShipmentAsIssueFromStock creates nothing, and gives the stock shipment its receiver', async () => {
  const stock = await storedItem();
  const request = {
    priorShipmentUid: stock,
    toUserUid: 'user-bram',
    issue: { referenceCaseNo: 'CASE-8' },
  };
  const [issue] = await create('CreateLocalShipmentAsIssueFromStock', request, 0);
  expect(issue).toBe(stock);
  const record = { ...details, referenceCaseNo: 'CASE-8', toUserUid: 'user-bram' };
  expect(await wall.shipment(stock)).toMatchObject(record);
  await pickUp(stock);
  expect(await calledBack(stock)).toEqual([issued]);
});

test('CreateLocalShipmentAsIssueFromStockAndSwapIntake issues the stock, and creates an intake that swaps it', async () => {
  const stock = await storedItem();
  const request = {
    priorShipmentUid: stock,
    toUserUid: 'user-bram',
    return: returned,
    issue: { referenceCaseNo: 'CASE-8' },
  };
  const [issue, intake] = await create('CreateLocalShipmentAsIssueFromStockAndSwapIntake', request, 1);
  expect(issue).toBe(stock);
  const record = { ...details, referenceCaseNo: 'CASE-8', toUserUid: 'user-bram' };
  expect(await wall.shipment(stock)).toMatchObject(record);
  expect(await wall.shipment(intake)).toMatchObject({
    ...{ fromUserUid: 'user-bram', toUserUid: dispatcher, ...returned, ...unlinked, swapsShipmentUid: stock },
  });
  await pickUp(stock);
  await pickUp(intake);
  expect(await calledBack(stock, intake)).toEqual([issued, delivered]);
});

test('CreateLocalShipmentAsIntake creates one shipment from the user to the dispatcher', async () => {
  const [intake] = await create('CreateLocalShipmentAsIntake', { fromUserUid: 'user-bram', details }, 1);
  const users = { fromUserUid: 'user-bram', toUserUid: dispatcher };
  expect(await wall.shipment(intake)).toMatchObject({ ...users, ...unlinked, ...details });
  await dropOff(intake);
  await pickUp(intake);
  expect(await calledBack(intake)).toEqual([delivered]);
});

test('CreateLocalShipmentAsIntakeAndCircularStock creates an intake, and stock that is ready once it is dropped off', async () => {
  const request = { fromUserUid: 'user-bram', details };
  const [intake, stock] = await create('CreateLocalShipmentAsIntakeAndCircularStock', request, 2);
  const users = { fromUserUid: 'user-bram', toUserUid: dispatcher };
  expect(await wall.shipment(intake)).toMatchObject({ ...users, ...unlinked, ...details });
  const circular = { ...unlinked, circularPriorShipmentUid: intake };
  expect(await wall.shipment(stock)).toMatchObject({ ...circular, toUserUid: null, ...details });
  await dropOff(intake);
  expect(await wall.states(stock)).toEqual(['ReadyForPickup']);
  const issue = { priorShipmentUid: stock, toUserUid: 'user-anna' };
  expect(await create('CreateLocalShipmentAsIssueFromStock', issue, 0)).toContain(stock);
  await pickUp(stock);
  expect(await calledBack(intake, stock)).toEqual([['Completed'], delivered]);
});

const threeShipments = 'CreateLocalShipmentAsIssueFromStockAndSubsequentIntakeAndCircularStock';

test('CreateLocalShipmentAsIssueFromStockAndSubsequentIntakeAndCircularStock issues the stock, and creates an intake after it and circular stock after that', async () => {
  const stock = await storedItem();
  const request = {
    priorShipmentUid: stock,
    toUserUid: 'user-bram',
    return: returned,
    issue: { referenceCaseNo: 'CASE-8' },
    details: { referenceNo: 'AGAIN-7', referenceCaseNo: 'CASE-10', description: 'A lamp again' },
  };
  const [issue, intake, circular] = await create(threeShipments, request, 2);
  expect(issue).toBe(stock);
  const record = { ...details, referenceCaseNo: 'CASE-8', toUserUid: 'user-bram' };
  expect(await wall.shipment(stock)).toMatchObject(record);
  expect(await wall.shipment(intake)).toMatchObject({
    ...{ fromUserUid: 'user-bram', toUserUid: dispatcher, ...returned, ...unlinked, priorShipmentUid: stock },
  });
  expect(await wall.shipment(circular)).toMatchObject({
    ...{ toUserUid: null, ...request.details, ...unlinked, circularPriorShipmentUid: intake },
  });
  await pickUp(stock);
  expect(await wall.states(intake, circular)).toEqual(['ReadyForDropoff', 'Registered']);
  await dropOff(intake);
  expect(await wall.states(intake, circular)).toEqual(['Completed', 'ReadyForPickup']);
  const expected = [issued, ['ReadyForDropoff', 'Completed'], ['ReadyForPickup']];
  expect(await calledBack(stock, intake, circular)).toEqual(expected);
});

test('CreateLocalShipmentAsIssueFromStockAndSubsequentIntakeAndCircularStock without Details takes those of the stock shipment', async () => {
  const request = { priorShipmentUid: await storedItem(), toUserUid: 'user-bram' };
  const [, , circular] = await create(threeShipments, { ...request, details: undefined }, 2);
  expect(await wall.shipment(circular)).toMatchObject(details);
});

const collections = [
  ['CreateCollectOnlyShipment', { toUserUid: 'user-bram' }, 'user-bram'],
  ['CreateCollectOnlyShipment', { toUserUid: null }, dispatcher],
  ['CreateCollectOnlyShipmentAsCollectByDispatcher', {}, dispatcher],
  ['CreateCollectOnlyShipmentAsCollectByUser', { toUserUid: 'user-bram' }, 'user-bram'],
] as const;

// interface: CreateCollectOnlyShipment
test.each(spreadOf(collections, 3, 1))(
  '%s %o creates a booking that %s collects, once',
  async (name, users, collector) => {
    const once = { ...users, details, keepBookedAfterPickUp: false };
    const [uid] = await create(name, once, 1);
    const record = { ...details, ...unlinked, stateCode: 'ReadyForPickup', toUserUid: collector };
    expect(await wall.shipment(uid)).toMatchObject(record);
    const { pickUpCode } = await wall.codes(uid);
    expect(await wall.lockerOf(uid)).toMatchObject({ state: 'Booked' });
    await pickUp(uid);
    expect(await wall.type(uid, pickUpCode)).toMatchObject({ error: 'InvalidAccessCode' });
    expect((await wall.lockers()).every(({ state }) => state === 'Free')).toBe(true);
    expect(await calledBack(uid)).toEqual([['Completed']]);
  },
);

test.each(spreadOf(collections, 3))(
  '%s %o with KeepBookedAfterPickUp keeps its locker after each collection by %s',
  async (...row) => {
    const [name, users] = row;
    const [uid] = await create(name, { ...users, keepBookedAfterPickUp: true }, 1);
    for (let collection = 0; collection < 3; collection++) {
      await pickUp(uid);
      expect(await wall.lockerOf(uid)).toMatchObject({ state: 'Booked' });
    }
    await wall.cancel(uid);
    expect((await wall.lockers()).every(({ state }) => state === 'Free')).toBe(true);
    expect(await calledBack(uid)).toEqual([['Cancelled']]);
  },
);

// interface: ShipmentStatusUpdate
test('a callback has the new state, its start, and the type and references of the shipment', async () => {
  const [uid] = await create('CreateLocalShipment', { ...details, toUserUid: 'user-bram' }, 1);
  await dropOff(uid);
  await untilDelivered(service);
  const [callback] = receiver.received.filter(({ shipmentUid }) => shipmentUid === uid);
  const { stateStart } = await wall.shipment(uid);
  expect(stateStart).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?$/);
  expect(JSON.parse(callback?.body ?? '')).toMatchObject({
    messageType: 'ShipmentStatusUpdate',
    message: {
      ...details,
      shipmentUid: uid,
      stateCode: 'ReadyForPickup',
      stateStart,
      shipmentType: 'LocalPupShipment',
    },
  });
});
