// ConfigureCallback: with an address and without one, the keys and how they change, and what is refused.
import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { callbackHeaders } from '../../../../contract/index.ts';
import { callerAs } from '../../../support/caller.ts';
import type { ReceivedCallback } from '../../../support/receiver.ts';
import { withService } from '../../../support/service.ts';
import { writtenByService } from '../../../support/service-command.ts';
import { eachSampled } from '../../../support/suite.ts';
import { createCallbackTest, until, untilDelivered, useServiceWithSender } from '../support.ts';

const { service, receiver } = useServiceWithSender();

const verifies = (key: unknown, { body, headers }: ReceivedCallback, format?: 'raw') => {
  const webhook = new Webhook(String(key), format ? { format } : undefined);
  try {
    return webhook.verify(body, headers as Record<string, string>) !== undefined;
  } catch {
    return false;
  }
};

/** The callback of one more shipment. */
async function nextCallback(of = service): Promise<ReceivedCallback> {
  const before = receiver.received.length;
  await of.shipment();
  await untilDelivered(of);
  const callback = receiver.received[before];
  if (!callback) throw new Error('no callback came');
  return callback;
}

// assumptions: Reading, ConfigureCallback
test('a key is shown once, when it is made, and only different values are a change', async () => {
  const { url } = receiver;
  const made = await service.configure({ url, authType: 'HMAC', resetKey: true });
  expect(made).toMatchObject({
    url,
    authType: 'HMAC',
    changed: true,
    authKey: expect.stringMatching(/^whsec_/),
  });
  const same = await service.configure({ url, authType: 'HMAC' });
  expect(same).toMatchObject({ url, authType: 'HMAC', changed: false, authKey: null });
  // The API key differs from the key that signs, because the key that signs is never sent.
  const apiKey = await service.configure({ url, authType: 'ApiKey' });
  expect(apiKey).toMatchObject({
    changed: true,
    authKey: expect.stringMatching(/^[\w-]{43}$/),
    signingKey: null,
  });
  const own = await service.configure({ url, authType: 'ApiKey', authKey: 'a-key-of-our-own' });
  expect(own).toMatchObject({ changed: true, authKey: null });
  const again = await service.configure({ url, authType: 'ApiKey', authKey: 'a-key-of-our-own' });
  expect(again).toMatchObject({ changed: false });
  expect(await service.configure({ url: null, authType: 'None' })).toMatchObject({
    url: null,
    changed: true,
  });
});

// assumptions: Callbacks, Keys
test('a tenant gets a key with its first configuration, with any authType', async () => {
  const call = await callerAs(service.address, 'other');
  const { body } = await call('ConfigureCallback', { url: receiver.url, authType: 'None' });
  expect(body).toMatchObject({ success: true, authKey: expect.stringMatching(/^whsec_/) });
});

test('a url is stored as it is called, and no part of it is a line of its own', async () => {
  const url = ' https://Example.com/a\nkeys  forged\u202e ';
  const called = 'https://example.com/akeys%20%20forged%E2%80%AE';
  expect(await service.configure({ url, authType: 'None' })).toMatchObject({ url: called });
  expect(await service.configure({ url: called, authType: 'None' })).toMatchObject({ changed: false });
  const words = await writtenByService(['callback', 'status', 'demo'], { DATABASE_URL: service.url });
  expect(words.split('\n')[0]).toBe(`url       ${called}`);
});

const example = 'https://example.com/';
const wrong: readonly (readonly [what: string, request: object])[] = [
  ['no http address', { url: 'ftp://example.com/x' }],
  ['no address at all', { url: 'callbacks' }],
  ['credentials in the address', { url: 'https://user:pass@example.com/' }],
  ['a metadata address', { url: 'http://169.254.169.254/latest' }],
  ['an unknown authType', { url: example, authType: 'Basic' }],
  ['a key given and asked for', { authKey: 'x', resetKey: true }],
  ['an API key that is not a header', { authType: 'ApiKey', authKey: 'schlüssel\n' }],
  ['a key with a wrong end after whsec_', { authType: 'HMAC', authKey: 'whsec_AB=' }],
  ['a key with no base64 after whsec_', { authType: 'HMAC', authKey: 'whsec_not base64' }],
  ['a key with nothing after whsec_', { authType: 'HMAC', authKey: 'whsec_' }],
  ['a url that is too long as it is called', { url: `https://example.com/${'ß'.repeat(1_500)}` }],
  ['no url', { url: undefined }],
];

eachSampled(
  test,
  wrong,
  3,
)('%s is refused, and changes nothing', async (_, request) => {
  await service.configure({ url: receiver.url, authType: 'None' });
  const { body, status } = await service.call('ConfigureCallback', {
    url: null,
    authType: 'None',
    ...request,
  });
  expect(body).toMatchObject({ success: false, error: 'InvalidRequest' });
  expect(status).toBe(400);
  expect(await service.configure({ url: receiver.url, authType: 'None' })).toMatchObject({
    changed: false,
  });
});

// assumptions: Callbacks, Length of a key
test('a short key is taken with a warning in staging, and refused in production', async () => {
  const short = { url: null, authType: 'HMAC', authKey: 'whsec_c2hvcnQ=' };
  const long = { ...short, authKey: 'k'.repeat(24) };
  expect(await service.configure(short)).toMatchObject({
    message: expect.stringContaining('authKey: has 5 bytes, fewer than 24, and can be guessed'),
  });
  expect(service.logLines).toContainEqual(expect.objectContaining({ tenant: 'demo', bytes: 5 }));
  expect(await service.configure(long)).toMatchObject({ message: null });
  await withService(
    async ({ address }) => {
      const call = await callerAs(address);
      expect((await call('ConfigureCallback', short)).body).toMatchObject({
        error: 'InvalidRequest',
        message: expect.stringContaining('authKey: has 5 bytes, must have at least 24'),
      });
      expect((await call('ConfigureCallback', long)).body).toMatchObject({ success: true });
    },
    { mode: 'production' },
  );
});

test('while a changed key is taken over, callbacks are signed with both; the HMAC is the new one at once', async () => {
  const { url } = receiver;
  const { authKey: former } = await service.configure({ url, authType: 'HMAC', resetKey: true });
  await service.configure({ url, authType: 'HMAC', authKey: 'second key of the tenant' });
  const callback = await nextCallback();
  expect(verifies(former, callback)).toBe(true);
  expect(verifies('second key of the tenant', callback, 'raw')).toBe(true);
  const expected = createHmac('sha256', 'second key of the tenant').update(callback.shipmentUid);
  expect(callback.headers[callbackHeaders.hmac]).toBe(expected.digest('base64'));
});

test('every key that was changed within the overlap goes on signing', { tags: 'long' }, async () => {
  const { url } = receiver;
  const keys = [];
  for (let change = 0; change < 4; change++)
    keys.push((await service.configure({ url, authType: 'HMAC', resetKey: true })).authKey);
  const callback = await nextCallback();
  for (const key of keys) expect(verifies(key, callback)).toBe(true);
});

describe('the authType ApiKey', () => {
  test('sends a key that signs nothing', async () => {
    const { url } = receiver;
    const { authKey: signingKey } = await service.configure({ url, authType: 'HMAC', resetKey: true });
    const { authKey: apiKey } = await service.configure({ url, authType: 'ApiKey', resetKey: true });
    const callback = await nextCallback();
    expect(callback.headers[callbackHeaders.apiKey]).toBe(apiKey);
    expect(callback.headers[callbackHeaders.hmac]).toBeUndefined();
    expect(verifies(apiKey, callback, 'raw')).toBe(false);
    expect(verifies(signingKey, callback)).toBe(true);
  });

  test('never sends a key that signs, nor signs with one that was sent', async () => {
    const { url } = receiver;
    const key = 'a-key-for-both-of-24-bytes-or-more';
    const configured = async (request: object) =>
      (await service.call('ConfigureCallback', { url, ...request })).body;
    expect(await configured({ authType: 'HMAC', authKey: key })).toMatchObject({ success: true });
    const refused = { success: false, error: 'InvalidRequest', message: expect.stringMatching(/^authKey: /) };
    expect(await configured({ authType: 'ApiKey', authKey: key })).toMatchObject(refused);
    expect(await configured({ authType: 'HMAC', resetKey: true })).toMatchObject({ success: true });
    // It still signs for a while.
    expect(await configured({ authType: 'ApiKey', authKey: key })).toMatchObject(refused);
    const other = 'another-key-of-24-bytes-or-more';
    expect(await configured({ authType: 'ApiKey', authKey: other })).toMatchObject({ success: true });
    expect(await configured({ authType: 'HMAC', authKey: other })).toMatchObject(refused);
  });

  test('shows the signing key if it makes one', async () => {
    await using fresh = await createCallbackTest();
    fresh.sender();
    const { url } = receiver;
    const told = await fresh.configure({ url, authType: 'ApiKey', authKey: 'a-key-of-our-own' });
    expect(told).toMatchObject({
      changed: true,
      authKey: null,
      signingKey: expect.stringMatching(/^whsec_/),
    });
    const callback = await nextCallback(fresh);
    expect(callback.headers[callbackHeaders.apiKey]).toBe('a-key-of-our-own');
    expect(verifies(told.signingKey, callback)).toBe(true);
  });

  // assumptions: Callbacks, An API key over plain http
  test('is refused for plain http beyond loopback, and allowed for https and loopback', async () => {
    const configured = async (url: string) =>
      (await service.call('ConfigureCallback', { url, authType: 'ApiKey' })).body;
    for (const url of ['http://receiver.example/', 'http://10.1.2.3/', 'http://127.evil.example/'])
      expect(await configured(url), url).toMatchObject({
        error: 'InvalidRequest',
        message: expect.stringContaining('https'),
      });
    for (const url of [
      'https://receiver.example/',
      'http://127.0.0.1:9/',
      'http://localhost:9/',
      'http://[::1]:9/',
    ])
      expect(await configured(url), url).toMatchObject({ success: true });
  });

  test('sends nothing over plain http, even if an earlier version configured it', {
    tags: 'long',
  }, async () => {
    await service.configure({ url: receiver.url, authType: 'ApiKey', resetKey: true });
    const url = receiver.url.replace('127.0.0.1', '127.0.0.1.nip.example');
    await service.database
      .updateTable('callback_configurations')
      .set({ url })
      .where('auth_type', '=', 'ApiKey')
      .execute();
    await service.shipment();
    await until(async () => {
      const failures = await service.database.selectFrom('callback_failures').select('error').execute();
      return failures.some(({ error }) => error.includes('the API key is not sent over plain http'));
    });
    expect(receiver.received).toEqual([]);
    await service.configure({ url: receiver.url, authType: 'None' });
    await untilDelivered(service);
  });
});

// assumptions: Callbacks, Registration of the address
test('events without a url are recorded and never sent; pending callbacks wait for a url', async () => {
  const { url } = receiver;
  await service.configure({ url, authType: 'None' });
  receiver.answer = () => 500;
  const held = await service.shipment();
  await until(() => receiver.received.length > 0);
  await service.configure({ url: null, authType: 'None' });
  await service.unlock(held, 'PickUp');
  const unheard = await service.shipment();
  receiver.answer = () => 200;
  const rows = await service.database
    .selectFrom('shipment_events')
    .select(['shipment_uid', 'state_code', 'is_pending'])
    .where('shipment_uid', 'in', [held, unheard])
    .orderBy('event_id')
    .execute();
  expect(rows).toEqual([
    { shipment_uid: held, state_code: 'ReadyForPickup', is_pending: true },
    { shipment_uid: held, state_code: 'Completed', is_pending: false },
    { shipment_uid: unheard, state_code: 'ReadyForPickup', is_pending: false },
  ]);
  await service.configure({ url, authType: 'None' });
  await service.unlock(unheard, 'PickUp');
  await untilDelivered(service);
  const arrived = receiver.accepted.map(({ shipmentUid, stateCode }) => [shipmentUid, stateCode]);
  expect(arrived.sort()).toEqual(
    [
      [held, 'ReadyForPickup'],
      [unheard, 'Completed'],
    ].sort(),
  );
});

test('in production loopback and private addresses are refused, but for the hosts that are named', async () => {
  await withService(
    async ({ address }) => {
      const call = await callerAs(address);
      for (const url of [
        'http://127.0.0.1:9/x',
        'http://localhost/x',
        'http://10.1.2.3/x',
        'http://[::1]/x',
      ]) {
        const { body } = await call('ConfigureCallback', { url, authType: 'None' });
        expect(body, url).toMatchObject({
          error: 'InvalidRequest',
          message: expect.stringContaining('private'),
        });
      }
      const url = 'http://localhost:8090/callbacks';
      expect((await call('ConfigureCallback', { url, authType: 'None' })).body).toMatchObject({ url });
    },
    { callbacks: { ...service.settings.callbacks, privateHosts: ['localhost:8090'] } },
  );
});
