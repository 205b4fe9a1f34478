// The audit log: every acknowledged change is in it, with its client, and no tenant reads another's.
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { examples } from '../../contract/operations/examples.ts';
import { ensureApiClient } from '../../service/administration/api-clients.ts';
import { forgetOldAuditEntries } from '../../service/housekeeping.ts';
import { inTransaction } from '../../service/storage/transaction.ts';
import { accessToken, type Caller, callerAs, callerWith } from '../support/caller.ts';
import { withDatabase } from '../support/database.ts';
import { createTestService, withService } from '../support/service.ts';
import { writtenByService } from '../support/service-command.ts';
import { startServiceProcess } from '../support/service-process.ts';
import { eachSampled } from '../support/suite.ts';
import { useInFile } from '../support/use.ts';
import { wallOf } from '../support/wall.ts';
import { newAccount } from './accounts/support.ts';
import { readyRequest, withEffect } from './ready-request.ts';

const service = useInFile(() => createTestService());
const call = useInFile(() => callerAs(service.address));
const wall = useInFile(() => wallOf(service.address));

const booking = examples.CreateLocalShipment.request;

type Entry = Record<
  'clientId' | 'onBehalfOf' | 'why' | 'operation' | 'outcome' | 'requestId' | 'occurredAt',
  string
> & {
  uids: string[];
};

async function entries(caller: Caller, filter: object = {}): Promise<Entry[]> {
  const { body } = await caller('GetAuditLog', { pageSize: 500, ...filter });
  expect(body).toMatchObject({ success: true });
  return body.items as Entry[];
}

/** Of what is written shortly after its answer. */
const entriesInTime = (caller: Caller, filter: object, count: number) =>
  vi.waitUntil(
    async () => {
      const found = await entries(caller, filter);
      return found.length >= count ? found : undefined;
    },
    { timeout: 30_000 },
  );

async function succeeded(name: Parameters<Caller>[0], request: object): Promise<Record<string, unknown>> {
  const { body } = await call(name, request);
  expect(body, name).toMatchObject({ success: true });
  return body;
}

describe('a change is in the log when it is acknowledged', () => {
  beforeEach(() => wall.sandbox('POST', 'reset'));

  eachSampled(
    test,
    withEffect,
    3,
  )('%s, with its client and what it is about', async (name) => {
    const request = await readyRequest(name, wall);
    const body = await succeeded(name, request);
    // Read at once: nothing is waited for.
    const [latest] = await entries(call, { operation: name });
    expect(latest).toEqual({
      clientId: 'demo',
      onBehalfOf: null,
      why: request.reason ?? null,
      operation: name,
      uids: expect.any(Array),
      outcome: 'Success',
      requestId: expect.any(String),
      occurredAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/),
      lastedSince: null,
    });
    const about = [request, body].flatMap((each) =>
      [each.shipmentUid, each.shipmentUids, each.userUid].flat(),
    );
    for (const uid of about.filter(Boolean)) expect(latest?.uids).toContain(uid);
    expect(JSON.stringify(latest)).not.toContain('@');
  });

  test('and is not made where the log cannot be written', async () => {
    await withService(async ({ address, database }) => {
      const caller = await callerAs(address);
      const { body: booked } = await caller('CreateLocalShipment', booking);
      await sql`alter table audit_log rename to audit_log_away`.execute(database);
      expect((await caller('CreateLocalShipment', booking)).status).toBe(500);
      expect((await caller('CancelShipment', { shipmentUid: booked.shipmentUid })).status).toBe(500);
      const shipments = await database
        .selectFrom('shipments')
        .select(['shipment_uid', 'state_code'])
        .execute();
      expect(shipments).toEqual([{ shipment_uid: booked.shipmentUid, state_code: 'ReadyForDropoff' }]);
      await sql`alter table audit_log_away rename to audit_log`.execute(database);
    });
  });

  test('once, also when the request is repeated with its Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'audited-once' };
    const { body } = await call('CreateLocalShipment', booking, headers);
    expect((await call('CreateLocalShipment', booking, headers)).body).toEqual(body);
    expect(await entries(call, { uid: String(body.shipmentUid) })).toHaveLength(1);
    const { shipmentUid } = body;
    for (let time = 0; time < 2; time++)
      await call('CancelShipment', { shipmentUid }, { 'idempotency-key': 'cancelled-once' });
    expect(await entries(call, { uid: String(shipmentUid) })).toHaveLength(2);
  });
});

test('a refusal, a request that cannot be read, and the reading of access codes are in it', async () => {
  await withService(async ({ address }) => {
    const caller = await callerAs(address);
    const { shipmentUid } = (await caller('CreateLocalShipment', booking)).body;
    await caller('GetShipmentAccessCode', { shipmentUid });
    await caller('CancelShipment', { shipmentUid: 'nothing' });
    await caller('CancelShipment', {});
    await caller('GetShipments', { pageNo: 1, pageSize: 10 });
    const found = await entriesInTime(caller, {}, 4);
    const seen = found.map(({ operation, uids, outcome }) => [operation, uids, outcome]);
    expect(seen.reverse()).toEqual([
      ['CreateLocalShipment', [shipmentUid], 'Success'],
      ['GetShipmentAccessCode', [shipmentUid], 'Success'],
      ['CancelShipment', ['nothing'], 'InvalidShipment'],
      ['CancelShipment', [], 'InvalidRequest'],
    ]);
  });
});

test('refusals and readings are in it before the answer: a process that is killed then loses no entry', {
  tags: 'long',
}, async () => {
  await withDatabase(async ({ url, database }) => {
    const service = await startServiceProcess({ DATABASE_URL: url, SERVICE_PORT: '0' });
    onTestFinished(() => service.kill());
    const caller = await callerAs(service.address);
    const { shipmentUid } = (await caller('CreateLocalShipment', booking)).body;
    const refused = Array.from({ length: 20 }, () => caller('CancelShipment', { shipmentUid: 'nothing' }));
    await Promise.all([...refused, caller('GetShipmentAccessCode', { shipmentUid })]);
    await service.kill();
    const { rows } = await sql<{ operation: string; count: string }>`
      select operation, count(*)::text from audit_log group by operation order by operation`.execute(
      database,
    );
    expect(rows).toEqual([
      { operation: 'CancelShipment', count: '20' },
      { operation: 'CreateLocalShipment', count: '1' },
      { operation: 'GetShipmentAccessCode', count: '1' },
    ]);
  });
});

test('while it cannot be written, a refusal is still answered, and is in it later', {
  tags: 'long',
}, async () => {
  await withService(async ({ address, database }) => {
    const caller = await callerAs(address);
    await sql`alter table audit_log rename to audit_log_away`.execute(database);
    for (let time = 0; time < 3; time++)
      expect((await caller('CancelShipment', { shipmentUid: 'nothing' })).status).toBe(404);
    await sql`alter table audit_log_away rename to audit_log`.execute(database);
    const found = await vi.waitUntil(
      async () => {
        const seen = await entries(caller);
        return seen.length === 3 && seen;
      },
      { timeout: 10_000 },
    );
    for (const { outcome } of found) expect(outcome).toBe('InvalidShipment');
  });
});

test('a refusal just before a stop is in it', { tags: 'long' }, async () => {
  await withService(async ({ address, database, close }) => {
    const caller = await callerAs(address);
    await caller('CancelShipment', { shipmentUid: 'nothing' });
    await close();
    const { rows } = await sql<{ outcome: string }>`select outcome from audit_log`.execute(database);
    expect(rows).toEqual([{ outcome: 'InvalidShipment' }]);
  });
});

test('the change of an operator is in the log of the tenant, without a client', async () => {
  await withService(async ({ address, url }) => {
    const caller = await callerAs(address);
    const { shipmentUid } = (await caller('CreateLocalShipment', booking)).body;
    await caller('ConfigureCallback', { url: 'http://127.0.0.1:9/', authType: 'None' });
    await caller('CancelShipment', { shipmentUid });
    const changes: [operation: string, words: string, uids: unknown[]][] = [
      ['pick-up-point create', 'demo pup-new --name New --time-zone Europe/Paris', ['pup-new']],
      ['pick-up-point overflow', 'demo pup-new pup-central', ['pup-new']],
      ['locker install', 'demo pup-new --size M --inside 38x25x60 --names 1', ['pup-new']],
      ['locker out-of-order', 'demo pup-new-1', ['pup-new-1']],
      ['locker in-order', 'demo pup-new-1', ['pup-new-1']],
      ['locker emptied', 'demo pup-new-1', ['pup-new-1']],
      ['callback resend', `demo --shipment ${shipmentUid}`, [shipmentUid]],
      ['client create', 'demo demo-desk', ['demo-desk']],
      ['client rotate', 'demo-desk', ['demo-desk']],
      ['client retire', 'demo-desk --yes', ['demo-desk']],
      ['client revoke', 'demo-desk --yes', ['demo-desk']],
    ];
    for (const [operation, words] of changes)
      await writtenByService([...operation.split(' '), ...words.split(' ')], { DATABASE_URL: url });
    for (const looking of ['client list demo', 'locker list demo pup-new', 'callback status demo'])
      await writtenByService(looking.split(' '), { DATABASE_URL: url });
    const byOperators = (await entries(caller)).filter(({ clientId }) => clientId === null).reverse();
    expect(byOperators.map(({ operation, uids, outcome }) => [operation, uids, outcome])).toEqual(
      changes.map(([operation, , uids]) => [operation, uids, 'Success']),
    );
    expect((await entries(await callerAs(address, 'other'))).length).toBe(0);
  });
});

// assumptions: Reading, GetAuditLog
test('a tenant reads only its own log, with any filter', async () => {
  const { shipmentUid } = await succeeded('CreateLocalShipment', booking);
  const other = await callerAs(service.address, 'other');
  await other('SetAccountDetails', { userUid: 'user-olga', languageCode: 'nl' });
  expect((await entries(other)).map(({ clientId }) => clientId)).toEqual(['other']);
  const asked = [{ uid: String(shipmentUid) }, { clientId: 'demo' }, { operation: 'CreateLocalShipment' }];
  const { nextCursor } = await succeeded('GetAuditLog', { pageSize: 1 });
  expect((await other('GetAuditLog', { pageSize: 500, cursor: nextCursor })).body).toMatchObject({
    error: 'InvalidRequest',
    message: expect.stringContaining('nextCursor'),
  });
  for (const filter of asked)
    for (const { clientId } of await entries(other, filter)) expect(clientId).toBe('other');
  expect((await entries(call)).map(({ clientId }) => clientId)).not.toContain('other');
});

test('it names the client of the tenant, and can be filtered by client, operation, uid and time', async () => {
  await withService(async ({ address, database }) => {
    await inTransaction(database, async (transaction) => {
      const { tenant_id } = await transaction
        .selectFrom('tenants')
        .select('tenant_id')
        .where('tenant_uid', '=', 'demo')
        .executeTakeFirstOrThrow();
      await ensureApiClient(transaction, tenant_id, 'demo-desk', 'desk-secret');
    });
    const first = await callerAs(address);
    const desk = callerWith(address, await accessToken(address, 'demo-desk', 'desk-secret'));
    const { shipmentUid } = (await first('CreateLocalShipment', booking)).body;
    const between = new Date().toISOString();
    await desk('CancelShipment', { shipmentUid });
    const operations = async (filter: object) =>
      (await entries(first, filter)).map(({ operation }) => operation);
    expect(await operations({ clientId: 'demo-desk' })).toEqual(['CancelShipment']);
    expect(await operations({ operation: 'CreateLocalShipment' })).toEqual(['CreateLocalShipment']);
    expect(await operations({ uid: shipmentUid })).toEqual(['CancelShipment', 'CreateLocalShipment']);
    expect(await operations({ uid: 'another' })).toEqual([]);
    expect(await operations({ since: between })).toEqual(['CancelShipment']);
    expect(await operations({ until: between })).toEqual(['CreateLocalShipment']);
    expect(
      await operations({ since: '0020-02-29T00:00:00', until: '9999-12-31T23:59:59-23:59' }),
    ).toHaveLength(2);
    expect(await operations({ until: '0000-01-01T00:00:00+23:59' })).toEqual([]);
  });
});

// assumptions: The wire, On whose behalf
test('the person for whom a client says that it acts is in the log beside the client', async () => {
  const anna = 'Änna Ōkubo <anna@desk>';
  const { body } = await call('CreateLocalShipment', booking, { 'x-on-behalf-of': encodeURIComponent(anna) });
  const shipmentUid = String(body.shipmentUid);
  const by = { 'X-On-Behalf-Of': 'bram' };
  const why = 'her code is lost, è vero';
  await call('GetShipmentAccessCode', { shipmentUid }, by);
  const opening = { ...by, 'X-Reason': encodeURIComponent(why) };
  await call('UnlockShipmentLocker', { shipmentUid, unlockGoal: 'PickUp' }, opening);
  await call('UnlockShipmentLocker', { shipmentUid, unlockGoal: 'DropOff' }, opening);
  await call('SetLockerOutOfOrder', { lockerUid: 'pup-central-1', outOfOrder: false }, by);
  await call('CancelShipment', { shipmentUid });
  const found = await entriesInTime(call, { uid: shipmentUid }, 5);
  const seen = found.map(({ operation, clientId, onBehalfOf, why, outcome }) => ({
    operation,
    clientId,
    onBehalfOf,
    why,
    outcome,
  }));
  expect(seen.reverse()).toEqual([
    { operation: 'CreateLocalShipment', clientId: 'demo', onBehalfOf: anna, why: null, outcome: 'Success' },
    {
      operation: 'GetShipmentAccessCode',
      clientId: 'demo',
      onBehalfOf: 'bram',
      why: null,
      outcome: 'Success',
    },
    {
      operation: 'UnlockShipmentLocker',
      clientId: 'demo',
      onBehalfOf: 'bram',
      why,
      outcome: 'UnlockNotAllowed',
    },
    { operation: 'UnlockShipmentLocker', clientId: 'demo', onBehalfOf: 'bram', why, outcome: 'Success' },
    { operation: 'CancelShipment', clientId: 'demo', onBehalfOf: null, why: null, outcome: 'Success' },
  ]);
  expect(await entries(call, { uid: 'pup-central-1' })).toMatchObject([{ onBehalfOf: 'bram' }]);
  const { items } = await succeeded('GetShipmentEvents', { shipmentUid });
  expect(items).toMatchObject([
    { onBehalfOf: anna },
    { onBehalfOf: 'bram', why: null },
    { onBehalfOf: 'bram', why },
    { onBehalfOf: 'bram', why, outcome: 'Success' },
    ...[{}, {}, {}, {}],
  ]);
  const other = await callerAs(service.address, 'other');
  expect(JSON.stringify(await entries(other))).not.toMatch(/bram|anna@desk/);
});

test.each([
  ['nothing', ''],
  ['a line break', 'anna%0Abram'],
  ['a filler of Hangul', '%E3%85%A4'],
  ['letters that no header can carry', 'änna'],
])('%s in X-On-Behalf-Of is refused, nothing is done, and the log has the refusal', async (_, name) => {
  const requestId = `odd-name-${randomUUID()}`;
  const headers = { 'x-on-behalf-of': name, 'x-request-id': requestId };
  const { status, body } = await call('CreateLocalShipment', booking, headers);
  expect([status, body.error]).toEqual([400, 'InvalidRequest']);
  expect(await entries(call, { pageSize: 1 })).toMatchObject([
    { operation: 'CreateLocalShipment', outcome: 'InvalidRequest', onBehalfOf: null, requestId },
  ]);
  expect(body.message).toMatch(/X-On-Behalf-Of: .*1 to 100 characters/);
});

test('a reason that no header may carry is refused, and nothing is done', async () => {
  const { shipmentUid } = await succeeded('CreateLocalShipment', booking);
  for (const reason of ['', 'a%0Ab', 'x'.repeat(501)]) {
    const { status, body } = await call('CancelShipment', { shipmentUid }, { 'x-reason': reason });
    expect([status, body.error]).toEqual([400, 'InvalidRequest']);
    expect(body.message).toMatch(/X-Reason: .*1 to 500 characters/);
  }
});

test('the name in X-On-Behalf-Of gives no right: the client stays who it is', async () => {
  const other = await callerAs(service.address, 'other');
  const { shipmentUid } = await succeeded('CreateLocalShipment', booking);
  const { body } = await other('CancelShipment', { shipmentUid }, { 'x-on-behalf-of': 'demo' });
  expect(body.error).toBe('InvalidShipment');
});

test('an invented cursor is not repeated in the log, and asks no operator for a key', async () => {
  const before = service.logLines.length;
  const cursor = Buffer.from('\u001b[31mmine:AAAA').toString('base64url');
  expect((await call('GetAuditLog', { pageSize: 1, cursor })).body.error).toBe('InvalidRequest');
  expect(JSON.stringify(service.logLines.slice(before))).not.toMatch(/mine|SERVICE_ENCRYPTION_KEY/);
});

test('its cursors do not show a tenant how active the others are', async () => {
  for (let entry = 0; entry < 2; entry++) await call('CancelShipment', { shipmentUid: 'nothing' });
  const cursors = new Set<unknown>();
  for (let time = 0; time < 3; time++) {
    const { body } = await call('GetAuditLog', { pageSize: 1 });
    expect(body.nextCursor).not.toMatch(/^\d+$/);
    cursors.add(body.nextCursor);
  }
  // Each time another one, for the same place: nothing can be read from them.
  expect(cursors.size).toBe(3);
});

test('its pages hold every entry once, the latest first, also while others are written', async () => {
  const userUid = String((await succeeded('CreateAccount', newAccount())).userUid);
  const change = (languageCode: string) => call('SetAccountDetails', { userUid, languageCode });
  for (let entry = 0; entry < 6; entry++) await change('nl');
  const ids: string[] = [];
  let cursor: unknown = null;
  do {
    const { body } = await call('GetAuditLog', { pageSize: 3, cursor, uid: userUid });
    ids.push(...(body.items as Entry[]).map(({ requestId }) => requestId));
    cursor = body.nextCursor;
    await change('en');
  } while (cursor !== null);
  expect(new Set(ids).size).toBe(7);
  expect(ids).toHaveLength(7);
  const wrong = await call('GetAuditLog', { pageSize: 3, cursor: 'x' });
  expect(wrong.body).toMatchObject({
    error: 'InvalidRequest',
    message: expect.stringContaining('nextCursor'),
  });
});

test('entries are forgotten after their time, and no earlier', async () => {
  await withService(async ({ address, database }) => {
    const caller = await callerAs(address);
    await caller('CreateLocalShipment', booking);
    await sql`
      insert into audit_log (tenant_id, occurred_at, client_id, operation, uids, outcome, request_id)
      select tenant_id, now() - interval '31 days', client_id, operation, uids, outcome, request_id
      from audit_log, generate_series(1, 12_000)`.execute(database);
    await forgetOldAuditEntries(database, 32);
    expect(await entries(caller)).toHaveLength(500);
    await forgetOldAuditEntries(database, 30);
    expect(await entries(caller)).toHaveLength(1);
    await forgetOldAuditEntries(database, 1);
    expect(await entries(caller)).toHaveLength(1);
  });
});
