// Callbacks on their way from a change of state to the tenant's receiver: delivered in order, signed, and repeated until the
// receiver accepts them.

import { execFileSync } from 'node:child_process';
import { sql } from 'kysely';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { callbackHeaders } from '../../../../contract/index.ts';
import { placeOf } from '../../../../service/encryption/stored-keys.ts';
import { callerAs } from '../../../support/caller.ts';
import { sandboxAs } from '../../../support/sandbox.ts';
import { createCallbackTest, until, untilDelivered, useServiceWithSender } from '../support.ts';

const { service, receiver } = useServiceWithSender();

// assumptions: States, Whether creation is a change of stateCode
test('each change of state makes one callback, with the content of that moment', async () => {
  await service.configure({ url: receiver.url, authType: 'None' });
  const shipmentUid = await service.shipment();
  await service.unlock(shipmentUid, 'PickUp');
  await untilDelivered(service);
  expect(receiver.received.map(({ body }) => JSON.parse(body))).toEqual([
    {
      messageType: 'ShipmentStatusUpdate',
      message: {
        shipmentUid,
        stateCode: 'ReadyForPickup',
        stateStart: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/),
        shipmentType: 'LocalPupShipment',
        referenceNo: null,
        referenceCaseNo: null,
        description: null,
      },
    },
    expect.objectContaining({ message: expect.objectContaining({ shipmentUid, stateCode: 'Completed' }) }),
  ]);
});

/** As the interface has them (interface: ShipmentStatusUpdate). */
const FIELDS = [
  ...['shipmentUid', 'stateCode', 'stateStart', 'shipmentType', 'referenceNo', 'referenceCaseNo'],
  'description',
];
const messageOf = (callback: { readonly body: string } | undefined) =>
  JSON.parse(callback?.body ?? '{}').message;

// assumptions: Callbacks, Fields
test('a callback has exactly the fields of the interface, and the place and the users too once a tenant asks', async () => {
  const { url } = receiver;
  const configure = (fields: object = {}) => service.configure({ url, authType: 'None', ...fields });
  /** The message of the next callback. */
  const next = async () => {
    const before = receiver.received.length;
    await service.shipment();
    await untilDelivered(service);
    return messageOf(receiver.received[before]);
  };
  expect(await configure()).toMatchObject({ extraFields: false });
  const other = await callerAs(service.address, 'other');
  await other('ConfigureCallback', { url: null, authType: 'None', extraFields: true });
  expect(Object.keys(await next())).toEqual(FIELDS);
  expect(await configure({ extraFields: true })).toMatchObject({ extraFields: true, changed: true });
  const more = await next();
  expect(Object.keys(more)).toEqual([...FIELDS, 'pupUid', 'fromUserUid', 'toUserUid']);
  expect(more).toMatchObject({ pupUid: 'pup-central', fromUserUid: 'user-anna', toUserUid: 'user-bram' });
  // Who does not name it leaves it as it is.
  expect(await configure({ extraFields: null })).toMatchObject({ extraFields: true, changed: false });
  expect(Object.keys(await next())).toContain('pupUid');
  expect(await configure({ extraFields: false })).toMatchObject({ extraFields: false, changed: true });
  expect(Object.keys(await next())).toEqual(FIELDS);
});

test('a change of state during the recording of a callback makes a callback at once', {
  tags: 'long',
}, async () => {
  await using own = await createCallbackTest();
  // The lease is so long that it does not end within the test.
  own.sender({ leaseMs: 600_000 });
  await own.configure({ url: receiver.url, authType: 'None' });
  const shipmentUid = await own.shipment();
  await untilDelivered(own);
  const [recorded, noted] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let changing: Promise<void> | undefined;
  receiver.answer = async () => {
    changing ??= own.database.transaction().execute(async (transaction) => {
      await sql`select record_events(array[shipment_id]) from shipments where shipment_uid = ${shipmentUid}`.execute(
        transaction,
      );
      recorded.resolve();
      await noted.promise;
    });
    await recorded.promise;
    return 204;
  };
  await own.events(shipmentUid, 1);
  await untilDelivered(own, shipmentUid);
  noted.resolve();
  await changing;
  await until(() => receiver.received.length === 3);
});

test('a connection to the receiver is kept for the callbacks that follow', { tags: 'long' }, async () => {
  const ports = new Set<number | undefined>();
  receiver.answer = (_, __, request) => {
    ports.add(request.socket.remotePort);
    return 204;
  };
  await using own = await createCallbackTest();
  await own.configure({ url: receiver.url, authType: 'None' });
  const shipmentUid = await own.shipment();
  await own.events(shipmentUid, 3);
  // All callbacks are there before the sender starts, so that it sends one right after the other.
  own.sender();
  await untilDelivered(own);
  expect([receiver.received.length, ports.size]).toEqual([4, 1]);
});

// assumptions: Callbacks, Protection of the rest
test('the signatures hold for the standardwebhooks package and for openssl', async () => {
  const { authKey } = await service.configure({ url: receiver.url, authType: 'HMAC', resetKey: true });
  const shipmentUid = await service.shipment();
  await untilDelivered(service);
  const [callback] = receiver.received;
  expect(callback).toBeDefined();
  if (!callback) return;
  const headers = callback.headers as Record<string, string>;
  expect(new Webhook(String(authKey)).verify(callback.body, headers)).toEqual(JSON.parse(callback.body));
  const hmac = execFileSync('openssl', ['dgst', '-sha256', '-hmac', String(authKey), '-binary'], {
    input: shipmentUid,
  });
  expect(headers[callbackHeaders.hmac]).toBe(hmac.toString('base64'));
  expect(headers[callbackHeaders.apiKey]).toBeUndefined();
});

test('a refused callback is repeated under its id until it is accepted, and the next one waits for it', async () => {
  await service.configure({ url: receiver.url, authType: 'None' });
  receiver.answer = () => (receiver.received.length < 4 ? 500 : 200);
  const shipmentUid = await service.shipment();
  await service.unlock(shipmentUid, 'PickUp');
  await untilDelivered(service);
  const states = receiver.received.map(({ stateCode }) => stateCode);
  expect(states).toEqual([...new Array(4).fill('ReadyForPickup'), 'Completed']);
  const ids = receiver.received.map(({ id }) => id);
  expect(new Set(ids.slice(0, 4)).size).toBe(1);
  expect(ids[4]).not.toBe(ids[0]);
});

test.each([{ bareVendor: true }, { standardWebhooks: false }])(
  'with the switch %o a callback has the HMAC of its uid and no header of Standard Webhooks',
  async (switches) => {
    await service.configure({ url: receiver.url, authType: 'HMAC', authKey: 'key of the tenant' });
    const sandbox = await sandboxAs(service.address);
    await sandbox('POST', 'switches', switches);
    await service.shipment();
    await untilDelivered(service);
    await sandbox('POST', 'switches', { bareVendor: false });
    const { headers } = receiver.received[0] ?? {};
    expect(headers?.[callbackHeaders.hmac]).toMatch(/./);
    expect(Object.keys(headers ?? {}).filter((name) => name.startsWith('webhook-'))).toEqual([]);
  },
);

test('with a key that cannot sign the attempt fails and is shown, and with a new key the callback is sent', async () => {
  await service.configure({ url: receiver.url, authType: 'HMAC', authKey: 'key of the tenant' });
  // The service no longer takes such a key, so the test writes it into the database.
  const { database, settings } = service;
  for (const row of await database.selectFrom('callback_keys').selectAll().execute())
    await database
      .updateTable('callback_keys')
      .set({ sealed_key: settings.encryption.seal('whsec_AB=', placeOf.callbackKey(row)) })
      .where('callback_key_id', '=', row.callback_key_id)
      .execute();
  const shipmentUid = await service.shipment();
  const failed = async () => {
    const { rows } = await sql<{ error: string }>`
      select error from callback_failures join shipment_events using (event_id)
      where shipment_uid = ${shipmentUid}
    `.execute(service.database);
    return rows;
  };
  await until(async () => (await failed()).length > 1);
  expect(await failed()).toContainEqual({ error: expect.stringContaining('base64') });
  expect(receiver.received).toEqual([]);
  await service.configure({ url: receiver.url, authType: 'HMAC', authKey: 'second key of the tenant' });
  await untilDelivered(service, shipmentUid);
  expect(receiver.accepted).toHaveLength(1);
});
