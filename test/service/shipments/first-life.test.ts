// One shipment of each kind over real HTTP and Postgres: booked, opened by code, cancelled, as the wire shows it.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { examples } from '../../../contract/examples.ts';
import { type Caller, callerAs } from '../../support/caller.ts';
import { createTestService, type TestService } from '../../support/service.ts';

let service: TestService;
let call: Caller;

beforeAll(async () => {
  service = await createTestService();
  call = await callerAs(service.address);
});
afterAll(() => service[Symbol.asyncDispose]());

async function states(...shipmentUids: unknown[]) {
  const rows = await service.database
    .selectFrom('shipments')
    .select(['shipment_uid', 'state_code'])
    .execute();
  return shipmentUids.map((uid) => rows.find(({ shipment_uid }) => shipment_uid === uid)?.state_code);
}

async function codes(shipmentUid: unknown) {
  const { body } = await call('GetShipmentAccessCode', { shipmentUid });
  expect(body).toMatchObject({ success: true, shipmentUid });
  return body;
}

test('a local shipment is dropped off and picked up by its codes', async () => {
  const { body, status } = await call('CreateLocalShipment', examples.CreateLocalShipment.request);
  expect(body).toMatchObject({ success: true, pupUid: 'pup-central' });
  expect(status).toBe(200);
  const { shipmentUid, lockerName } = body;
  expect(await states(shipmentUid)).toEqual(['ReadyForDropoff']);
  const { pickUpCode, deliveryCode } = await codes(shipmentUid);
  const access = (pinCode: unknown) =>
    call('SimulateLockerAccess', { pupUid: 'pup-central', lockerName, pinCode });
  expect((await access(pickUpCode)).body).toMatchObject({ error: 'InvalidAccessCode' });
  expect((await access(deliveryCode)).body).toMatchObject({ success: true });
  expect(await states(shipmentUid)).toEqual(['ReadyForPickup']);
  expect((await access(pickUpCode)).body).toMatchObject({ success: true });
  expect(await states(shipmentUid)).toEqual(['Completed']);
  expect(await codes(shipmentUid)).toMatchObject({ pickUpCode: null, deliveryCode: null });
  expect((await access(pickUpCode)).body).toMatchObject({ error: 'InvalidAccessCode' });
});

test('a cancelled shipment gives its locker back', async () => {
  const { body } = await call('CreateLocalShipment', examples.CreateLocalShipment.request);
  const { shipmentUid } = body;
  expect((await call('CancelShipment', { shipmentUid })).body).toMatchObject({ success: true });
  expect((await call('CancelShipment', { shipmentUid })).body).toMatchObject({
    error: 'InvalidShipmentState',
  });
  const held = await service.database
    .selectFrom('lockers')
    .select('locker_uid')
    .where('chain_id', 'is not', null)
    .execute();
  expect(held).toEqual([]);
  expect(await service.database.selectFrom('access_codes').selectAll().execute()).toEqual([]);
});

test('three shipments share a locker one after another', async () => {
  const stock = await call('CreateLocalShipmentAsStock', examples.CreateLocalShipmentAsStock.request);
  const [priorShipmentUid] = stock.body.shipmentUids as string[];
  const three = await call(
    'CreateLocalShipmentAsIssueFromStockAndSubsequentIntakeAndCircularStock',
    { priorShipmentUid, toUserUid: 'user-anna' },
    { 'idempotency-key': 'once' },
  );
  const again = await call(
    'CreateLocalShipmentAsIssueFromStockAndSubsequentIntakeAndCircularStock',
    { PRIORSHIPMENTUID: priorShipmentUid, toUserUid: 'user-anna' },
    { 'idempotency-key': 'once' },
  );
  expect(again.body).toEqual(three.body);
  const [issue, intake, circular] = three.body.shipmentUids as string[];
  expect(issue).toBe(priorShipmentUid);
  expect(await states(issue, intake, circular)).toEqual(['ReadyForDropoff', 'Registered', 'Registered']);
  for (const [shipmentUid, unlockGoal] of [
    [issue, 'DropOff'],
    [issue, 'PickUp'],
    [intake, 'DropOff'],
  ])
    expect((await call('UnlockShipmentLocker', { shipmentUid, unlockGoal })).body).toMatchObject({
      success: true,
    });
  expect(await states(issue, intake, circular)).toEqual(['Completed', 'Completed', 'ReadyForPickup']);
  const events = await service.database
    .selectFrom('shipment_events')
    .select(['shipment_uid', 'state_code'])
    .where('shipment_uid', 'in', [issue, intake, circular] as string[])
    .orderBy('event_id')
    .execute();
  expect(events.map(({ state_code }) => state_code)).toEqual([
    'ReadyForPickup',
    'Completed',
    'ReadyForDropoff',
    'Completed',
    'ReadyForPickup',
  ]);
});
