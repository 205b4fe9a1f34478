// @module-tag invariant
// Idempotency-Key (assumptions: The wire) on the operations that book: answered again and not done again, in every order.
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { operationNames, operationRow } from '../../../contract/index.ts';
import { examples } from '../../../contract/operations/examples.ts';
import { forgetOldKeys } from '../../../service/idempotency.ts';
import { accessToken } from '../../support/caller.ts';
import { createTestService, type TestService } from '../../support/service.ts';
import { spreadOf } from '../../support/suite.ts';
import { type Wall, wallOf } from '../../support/wall.ts';
import { sendRaw } from '../http/raw-http.ts';

let service: TestService;
let wall: Wall;

beforeAll(async () => {
  service = await createTestService();
  wall = await wallOf(service.address);
});
afterAll(() => service[Symbol.asyncDispose]());
beforeEach(() => wall.sandbox('POST', 'reset'));

const booking = examples.CreateLocalShipment.request;
const withKey = async (key: string, changes: object = {}, from = wall) =>
  (await from.call('CreateLocalShipment', { ...booking, ...changes }, { 'idempotency-key': key })).body;

const shipments = async () => (await wall.ok('GetShipments', { pageNo: 1, pageSize: 1 })).totalItems;

test('the same request with the same key gets the first success again and books nothing twice', async () => {
  const first = await withKey('key-1');
  expect(first).toMatchObject({ success: true, pupUid: 'pup-central' });
  expect(await withKey('key-1')).toEqual(first);
  expect(await shipments()).toBe(1);
  expect(await withKey('key-2')).not.toEqual(first);
});

test('neither casing, nor order, nor unknown keys, nor null for absence make it another request', async () => {
  const first = await withKey('key-1', { lockerUid: null });
  const { pupUid, ...rest } = booking;
  const { body } = await wall.call(
    'CreateLocalShipment',
    { ...rest, PUPUID: pupUid, unknown: 1 },
    { 'idempotency-key': 'key-1' },
  );
  expect(body).toEqual(first);
});

test('the same key with another body is an invalid request, and changes nothing', async () => {
  const first = await withKey('key-1');
  expect(await withKey('key-1', { referenceNo: 'OTHER' })).toMatchObject({
    success: false,
    error: 'InvalidRequest',
    message: expect.stringContaining('Idempotency-Key'),
  });
  expect(await withKey('key-1')).toEqual(first);
  expect(await shipments()).toBe(1);
});

test('the same key for a change of another shipment is an invalid request, and changes nothing', async () => {
  const [one] = await wall.book('CreateLocalShipment');
  const [other] = await wall.book('CreateLocalShipment');
  const cancel = async (shipmentUid: string) =>
    (await wall.call('CancelShipment', { shipmentUid }, { 'idempotency-key': 'key-1' })).body;
  expect(await cancel(one)).toMatchObject({ success: true });
  expect(await cancel(one)).toMatchObject({ success: true });
  expect(await cancel(other)).toMatchObject({ success: false, error: 'InvalidRequest' });
  expect(await wall.states(one, other)).toEqual(['Cancelled', 'ReadyForDropoff']);
});

test('a key belongs to one operation and one tenant', async () => {
  const first = await withKey('key-1');
  const { body } = await wall.call(
    'CreateLocalShipmentAsStock',
    examples.CreateLocalShipmentAsStock.request,
    {
      'idempotency-key': 'key-1',
    },
  );
  expect(body).toMatchObject({ success: true });
  const other = await wallOf(service.address, 'other');
  expect(await withKey('key-1', { pupUid: 'pup-other' }, other)).toMatchObject({ success: true });
  expect(await withKey('key-1')).toEqual(first);
});

test('refusals are not kept: a refused request may succeed later with the same key', async () => {
  await wall.sandbox('POST', 'outOfOrder', { lockerUid: 'pup-central-9', outOfOrder: true });
  const named = { lockerUid: 'pup-central-9' };
  expect(await withKey('key-1', named)).toMatchObject({ error: 'NoLockerAvailable' });
  expect(await withKey('key-1', { pupUid: 'nowhere' })).toMatchObject({ error: 'InvalidPupUid' });
  await wall.sandbox('POST', 'outOfOrder', { lockerUid: 'pup-central-9', outOfOrder: false });
  expect(await withKey('key-1', named)).toMatchObject({ success: true, lockerName: '9' });
});

test('only the hash of a key is stored, and nothing of a refused request', async () => {
  await withKey('anna@example.com/order-7');
  await withKey('key-1', { pupUid: 'nowhere' });
  await wall.call('CancelShipment', { shipmentUid: 'nothing' }, { 'idempotency-key': 'key-2' });
  const { rows } = await sql<{ row: string }>`
    select row_to_json(k)::text || encode(key_hash, 'escape') as row
    from idempotency_keys k join tenants using (tenant_id) where tenant_uid = 'demo'
  `.execute(service.database);
  expect(rows).toHaveLength(1);
  expect(rows[0]?.row).not.toContain('order-7');
});

test('ten requests with one key at once book once and get one answer', async () => {
  const answers = await Promise.all(Array.from({ length: 10 }, () => withKey('key-1')));
  expect(answers[0]).toMatchObject({ success: true });
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  expect(await shipments()).toBe(1);
});

test('ten cancellations with one key at once all succeed, without a key just one', async () => {
  const [shipmentUid] = await wall.book('CreateLocalShipment');
  const cancel = (headers: Record<string, string>) =>
    Promise.all(Array.from({ length: 10 }, () => wall.call('CancelShipment', { shipmentUid }, headers)));
  const withOne = await cancel({ 'idempotency-key': 'key-1' });
  expect(withOne.map(({ status }) => status)).toEqual(Array(10).fill(200));
  const without = await cancel({});
  expect(without.map(({ status }) => status)).toEqual(Array(10).fill(409));
  expect(await wall.told(shipmentUid)).toEqual([[0, 'Cancelled']]);
});

test('a door that opened for a key does not open again for it', async () => {
  const [shipmentUid] = await wall.book('CreateLocalShipment');
  const unlock = () => wall.call('UnlockShipmentLocker', { shipmentUid }, { 'idempotency-key': 'key-1' });
  expect((await unlock()).body).toEqual((await unlock()).body);
  expect((await wall.lockerOf(shipmentUid))?.door.openings).toBe(1);
});

test('after 24 hours a key is as good as new, and old ones are forgotten', async () => {
  const first = await withKey('key-1');
  await withKey('key-2');
  // More than are forgotten by one statement.
  await sql`
    insert into idempotency_keys (tenant_id, operation, key_hash, request_hash, response)
    select tenant_id, operation, sha256(('old-' || n)::bytea), request_hash, response
    from idempotency_keys, generate_series(1, 5001) as n where key_hash = sha256('key-1')
  `.execute(service.database);
  await sql`update idempotency_keys set created_at = created_at - interval '24 hours'`.execute(
    service.database,
  );
  const again = await withKey('key-1', { referenceNo: 'OTHER' });
  expect(again).toMatchObject({ success: true });
  expect(again.shipmentUid).not.toBe(first.shipmentUid);
  await forgetOldKeys(service.database);
  const { rows: left } = await sql`
    select key_hash = sha256('key-1') as is_young from idempotency_keys
  `.execute(service.database);
  expect(left).toEqual([{ is_young: true }]);
});

test('a request with two keys is invalid, and books nothing', async () => {
  const token = await accessToken(service.address);
  const body = JSON.stringify(booking);
  const lines = [
    `POST ${operationRow('CreateLocalShipment').path} HTTP/1.1`,
    ...['Host: x', 'Connection: close', 'Content-Type: application/json', `Authorization: Bearer ${token}`],
    ...['Idempotency-Key: key-1', 'Idempotency-Key: key-2', `Content-Length: ${Buffer.byteLength(body)}`],
  ];
  const reply = await sendRaw(service.address, `${lines.join('\r\n')}\r\n\r\n${body}`);
  expect([reply.status, JSON.parse(reply.body).error]).toEqual([400, 'InvalidRequest']);
  expect(await shipments()).toBe(0);
});

test('a key that is too long is an invalid request', async () => {
  expect(await withKey('k'.repeat(256))).toMatchObject({ error: 'InvalidRequest' });
  expect(await withKey('k'.repeat(255))).toMatchObject({ success: true });
});

/** Every effect on shipments, made ready so that the example's request with these fields succeeds. */
const stock = async () => (await wall.book('CreateLocalShipmentAsStock'))[0];
const shipment = async () => (await wall.book('CreateLocalShipment'))[0];
const prior = async () => ({ priorShipmentUid: await stock() });
const own = async () => ({ shipmentUid: await shipment() });
const ready: Readonly<Record<string, () => Promise<object>>> = {
  CreateLocalShipmentAsStockAfterSwapIntake: async () => ({
    priorShipmentUid: (await wall.book('CreateLocalShipmentAsIntake'))[0],
  }),
  CreateLocalShipmentAsIssueFromStock: prior,
  CreateLocalShipmentAsIssueFromStockAndSwapIntake: prior,
  CreateLocalShipmentAsIssueFromStockAndSubsequentIntakeAndCircularStock: prior,
  SetShipmentDetails: own,
  AddShipmentObject: own,
  RemoveShipmentObject: async () => {
    const shipmentUid = await shipment();
    const { shipmentObjectUid } = await wall.ok('AddShipmentObject', { shipmentUid, details: {} });
    return { shipmentUid, shipmentObjectUid };
  },
  SetShipmentReceiver: async () => ({ shipmentUid: await stock() }),
  CancelShipment: own,
  SimulateLockerAccess: async () => {
    const shipmentUid = await shipment();
    const { lockerName } = await wall.shipment(shipmentUid);
    return { lockerName, pinCode: (await wall.codes(shipmentUid)).deliveryCode };
  },
  UnlockShipmentLocker: async () => ({ shipmentUid: await shipment(), unlockGoal: 'DropOff', pinCode: null }),
};

const withEffect = operationNames.filter(
  (name) => operationRow(name).path.startsWith('/v1/Logistics/') && operationRow(name).effect !== 'none',
);

test.each(spreadOf(withEffect, 4))('%s with the same key is answered again and done once', async (name) => {
  const request = { ...examples[name].request, ...(await ready[name]?.()) };
  const effects = async () => {
    const tables = ['shipments', 'shipment_events', 'shipment_objects', 'access_codes'] as const;
    return Promise.all(tables.map((table) => service.database.selectFrom(table).selectAll().execute()));
  };
  const once = await wall.call(name, request, { 'idempotency-key': 'key-1' });
  expect(once.body).toMatchObject({ success: true });
  const after = await effects();
  const twice = await wall.call(name, request, { 'idempotency-key': 'key-1' });
  expect(twice.body).toEqual(once.body);
  expect(await effects()).toEqual(after);
});
