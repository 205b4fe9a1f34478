// @module-tag invariant
// Idempotency-Key (assumptions: The wire) on the operations with an effect: answered again and not done again, in every order.
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { type OperationName, operationRow } from '../../../contract/index.ts';
import { examples } from '../../../contract/operations/examples.ts';
import { forgetOldKeys } from '../../../service/housekeeping.ts';
import { accessToken } from '../../support/caller.ts';
import { notifiedStates } from '../../support/notifications.ts';
import { eachSampled } from '../../support/suite.ts';
import { useTenantsAnew } from '../../support/use-service.ts';
import { newAccount } from '../accounts/support.ts';
import { sendRaw } from '../http/raw-http.ts';
import { readyRequest, withEffect } from '../ready-request.ts';

const { service, demo: wall, other } = useTenantsAnew();

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
  expect(await withKey('key-1', { pupUid: 'pup-other' }, other)).toMatchObject({ success: true });
  expect(await withKey('key-1')).toEqual(first);
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
  expect(await notifiedStates(service.database, shipmentUid)).toEqual([[0, 'Cancelled']]);
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

test.each(['CreateLocalShipment', 'CancelShipment', 'CreateAccount'] as const)(
  '%s with the same key and another body is an invalid request, and changes nothing',
  async (name) => {
    const headers = { 'idempotency-key': `other-${name}` };
    const [request, another] = [await readyRequest(name, wall), await readyRequest(name, wall)];
    const first = await wall.call(name, request, headers);
    expect(first.body).toMatchObject({ success: true });
    const before = await shipments();
    const changed = name === 'CreateLocalShipment' ? { ...another, referenceNo: 'OTHER' } : another;
    expect(await wall.call(name, changed, headers)).toMatchObject({
      status: 422,
      body: { error: 'InvalidRequest', message: expect.stringContaining('Idempotency-Key') },
    });
    expect((await wall.call(name, request, headers)).body).toEqual(first.body);
    expect(await shipments()).toBe(before);
    if (name === 'CancelShipment')
      expect(await wall.states(`${another.shipmentUid}`)).toEqual(['ReadyForDropoff']);
  },
);

let held = '';
let removed = '';
async function call(name: OperationName, body: object, headers: object): Promise<Record<string, unknown>> {
  return (await wall.call(name, body, headers as Record<string, string>)).body;
}

// assumptions: The wire, Repeated requests
test.each([
  [
    'a booking',
    'NoLockerAvailable',
    (headers: object): Promise<object> =>
      call('CreateLocalShipment', { ...booking, lockerUid: 'pup-central-9' }, headers),
    (outOfOrder: boolean): Promise<unknown> =>
      wall.ok('SetLockerOutOfOrder', { lockerUid: 'pup-central-9', outOfOrder }),
  ],
  [
    'a removal',
    'AccountInUse',
    (headers: object): Promise<object> => call('RemoveAccount', { userUid: removed }, headers),
    async (isInUse: boolean): Promise<void> => {
      if (!isInUse) return void (await wall.cancel(held));
      removed = String((await wall.ok('CreateAccount', newAccount())).userUid);
      [held] = await wall.book('CreateLocalShipment', { toUserUid: removed });
    },
  ],
] as const)('the refusal of %s is not kept: it may succeed later with the same key', async (...row) => {
  const [what, error, send, hinder] = row;
  const headers = { 'idempotency-key': what.replace(' ', '-') };
  await hinder(true);
  expect(await send(headers)).toMatchObject({ error });
  await hinder(false);
  expect(await send(headers)).toMatchObject({ success: true });
});

eachSampled(
  test,
  withEffect,
  4,
)('%s with the same key is answered again and done once', async (name) => {
  const request = await readyRequest(name, wall);
  const effects = () =>
    Promise.all(
      (
        ['shipments', 'shipment_events', 'shipment_objects', 'access_codes', 'accounts', 'lockers'] as const
      ).map((table) => service.database.selectFrom(table).selectAll().execute()),
    );
  const once = await wall.call(name, request, { 'idempotency-key': `once-${name}` });
  expect(once.body).toMatchObject({ success: true });
  const after = await effects();
  const twice = await wall.call(name, request, { 'idempotency-key': `once-${name}` });
  expect([twice.status, twice.body]).toEqual([200, once.body]);
  expect(await effects()).toEqual(after);
});
