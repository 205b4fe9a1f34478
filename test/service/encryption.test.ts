// The keys in the database are encrypted by a key from outside of it, which can be changed.
import { hash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { Webhook } from 'standardwebhooks';
import { expect, onTestFinished, test } from 'vitest';
import { Encryption } from '../../service/encryption/encryption.ts';
import { encryptAnew, placeOf } from '../../service/encryption/stored-keys.ts';
import { migrate } from '../../service/storage/migrate.ts';
import { knownMigrations } from '../../service/storage/migrations.ts';
import { inTransaction } from '../../service/storage/transaction.ts';
import { keyFingerprint } from '../../settings/key-fingerprint.ts';
import { newKeyLine, readKeyRing } from '../../settings/key-ring.ts';
import { accessToken, callerAs, callerWith } from '../support/caller.ts';
import { type TestDatabase, withDatabase } from '../support/database.ts';
import { startReceiver } from '../support/receiver.ts';
import { writtenByService } from '../support/service-command.ts';
import { startServiceHere } from '../support/service-process.ts';
import { createCallbackTest, until, untilDelivered } from './callbacks/support.ts';

const named = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;
const encryptionOf = (...lines: string[]) => new Encryption(readKeyRing(lines.join('\n')));

async function started({ url }: TestDatabase, ring: string) {
  const service = await startServiceHere({
    DATABASE_URL: url,
    SERVICE_PORT: '0',
    SERVICE_ENCRYPTION_KEY: ring,
    SERVICE_URL: 'http://lockers.example',
  });
  onTestFinished(() => service.stop());
  return service;
}

async function command(
  { url }: TestDatabase,
  ring: string,
  ...words: string[]
): Promise<Record<string, unknown>> {
  const variables = { DATABASE_URL: url, SERVICE_ENCRYPTION_KEY: ring };
  return JSON.parse(await writtenByService(['--json', ...words], variables));
}

/** All that stands in the database, as text; bytes also as the text that they are, where they are one. */
async function wholeDatabase({ database }: TestDatabase): Promise<string> {
  const { rows } = await sql<{ name: string }>`
    select quote_ident(table_name) as name from information_schema.tables where table_schema = 'public'`.execute(
    database,
  );
  const texts: string[] = [];
  for (const { name } of rows) {
    const table = await sql<{ row: string }>`select t::text as row from ${sql.raw(name)} as t`.execute(
      database,
    );
    for (const { row } of table.rows)
      texts.push(
        row,
        ...[...row.matchAll(/\\x([0-9a-f]+)/g)].map(([, hex = '']) =>
          Buffer.from(hex, 'hex').toString('latin1'),
        ),
      );
  }
  return texts.join('\n');
}

test('no signing key and no API key is in the database unencrypted', async () => {
  await using service = await createCallbackTest();
  const request = { url: null, authType: 'HMAC', resetKey: true };
  // The answer that is kept for a repeated request has the key as well.
  const headers = { 'idempotency-key': 'a-new-key' };
  const { body } = await service.call('ConfigureCallback', request, headers);
  const { authKey } = body;
  expect(authKey).toMatch(/^whsec_/);
  expect((await service.call('ConfigureCallback', request, headers)).body).toEqual(body);
  await service.configure({ url: null, authType: 'HMAC', authKey: 'a key of the tenant' });
  await service.configure({ url: null, authType: 'ApiKey', authKey: 'an-api-key' });
  const whole = await wholeDatabase(service);
  // The search finds what is there: the public key, and the tenant.
  expect(whole).toContain('"kty"');
  expect(whole).toContain('demo@example.com');
  for (const secret of [String(authKey), 'a key of the tenant', 'an-api-key', '"d":'])
    expect(whole.includes(secret), secret).toBe(false);
});

/** What a person with a dictionary of keys would compute and look for. */
test('a copy of the database has nothing by which a weak callback key could be guessed', async () => {
  await using receiver = await startReceiver();
  await using service = await createCallbackTest();
  receiver.answer = () => 401;
  const authKey = 'dragon';
  const request = { url: receiver.url, authType: 'HMAC', authKey };
  const headers = { 'idempotency-key': 'weak' };
  const { body } = await service.call('ConfigureCallback', request, headers);
  expect((await service.call('ConfigureCallback', request, headers)).body).toEqual(body);
  const sender = service.sender();
  await service.shipment();
  const whole = async () => await wholeDatabase(service);
  await until(async () => (await whole()).includes('answered 401'));
  await sender.stop();
  const guesses = [
    keyFingerprint(authKey),
    ...[authKey, JSON.stringify(request)].map((text) => hash('sha256', text)),
  ];
  for (const guess of guesses) expect((await whole()).includes(guess), guess).toBe(false);
  const other = { ...request, authKey: 'monkey' };
  expect((await service.call('ConfigureCallback', other, headers)).status).toBe(422);
});

test('a repeated ConfigureCallback is known again while the encryption key changes', async () => {
  await withDatabase(async (database) => {
    const [old, current] = [named('old'), named('current')];
    const request = { url: null, authType: 'HMAC', resetKey: true };
    const asked = async (ring: string, body: object = request) => {
      const service = await started(database, ring);
      const call = await callerAs(service.address);
      const answer = await call('ConfigureCallback', body, { 'idempotency-key': 'once' });
      await service.stop();
      return answer;
    };
    const first = await asked(old);
    expect(first.body.authKey).toMatch(/^whsec_/);
    for (const ring of [`${old}\n${current}`, `${current}\n${old}`])
      expect((await asked(ring)).body).toEqual(first.body);
    expect((await asked(`${current}\n${old}`, { ...request, authType: 'None' })).status).toBe(422);
  });
});

test('a service starts with no encryption key that is missing or wrong, and says how to make one', async () => {
  await withDatabase(async (database) => {
    await expect(started(database, '')).rejects.toThrow('encryption-key create');
    await expect(started(database, 'first:c2hvcnQ=')).rejects.toThrow(
      /SERVICE_ENCRYPTION_KEY: key 1 .* id:base64/,
    );
    const first = named('first');
    await accessToken((await started(database, first)).address);
    await expect(started(database, named('second'))).rejects.toThrow('encrypted with first');
  });
});

test('a file with a new encryption key before the old one is rotated to, and the old one is needed no more', async () => {
  await withDatabase(async (database) => {
    const [old, current] = [
      named('old'),
      String((await command({ ...database }, '', 'encryption-key', 'create')).line),
    ];
    const before = await started(database, old);
    const token = await accessToken(before.address);
    const call = await callerAs(before.address);
    await call('ConfigureCallback', {
      url: null,
      authType: 'HMAC',
      authKey: 'a key of the tenant, of 24 bytes',
    });
    await before.stop();
    const both = `${current}\n${old}`;
    const taken = async (address: string) => (await callerWith(address, token)('GetAccount', {})).status;
    expect(await taken((await started(database, both)).address)).toBe(200);
    expect(await command(database, both, 'encryption-key', 'status')).toMatchObject({
      inUse: [{ id: 'old', storedKeys: 2 }],
    });
    const currentId = current.split(':')[0];
    expect(await command(database, both, 'encryption-key', 'rotate')).toEqual({
      keyId: currentId,
      encryptedAnew: 2,
    });
    expect(await command(database, current, 'encryption-key', 'status')).toEqual({
      inUse: [{ id: currentId, storedKeys: 2 }],
    });
    expect(await taken((await started(database, current)).address)).toBe(200);
    await expect(started(database, old)).rejects.toThrow(`encrypted with ${currentId}`);
    // A new signing key is encrypted as well.
    await command(database, current, 'signing-key', 'rotate');
    expect(await command(database, current, 'encryption-key', 'status')).toEqual({
      inUse: [{ id: currentId, storedKeys: 3 }],
    });
  });
});

test('a key cannot be moved to another place, changed, or read with another key of the same id', () => {
  const line = named('first');
  const encryption = encryptionOf(line);
  const stored = encryption.encrypt('a key', placeOf.callbackKey(1, 'Signing'));
  expect(encryption.decrypt(stored, placeOf.callbackKey(1, 'Signing'))).toBe('a key');
  expect(() => encryption.decrypt(stored, placeOf.callbackKey(2, 'Signing'))).toThrow('cannot be decrypted');
  const changed = Buffer.from(stored.bytes);
  changed[14] = (changed[14] ?? 0) ^ 1;
  expect(() => encryption.decrypt({ ...stored, bytes: changed }, placeOf.callbackKey(1, 'Signing'))).toThrow(
    'cannot be decrypted',
  );
  expect(() => encryptionOf(named('first')).decrypt(stored, placeOf.callbackKey(1, 'Signing'))).toThrow(
    'that key has another value',
  );
  expect(() => encryptionOf(named('second')).decrypt(stored, placeOf.callbackKey(1, 'Signing'))).toThrow(
    'encrypted with the key first',
  );
});

test.each([
  ['no key', '', 'has no key; it must have at least one'],
  ['a key without an id', randomBytes(32).toString('base64'), 'key 1 must have the form'],
  ['a key that is too short', `${named('a')}\nb:c2hvcnQ=`, 'key 2 must have the form'],
  ['two keys of one id', `${named('a')} ${named('a')}`, 'has two keys with the id a'],
])('a ring with %s is refused, without a word of its keys', (_, text, words) => {
  expect(() => readKeyRing(text)).toThrow(words);
  const message = refusalOf(text);
  for (const part of text.split(/[\s:]+/).filter((each) => each.length > 6))
    expect(message).not.toContain(part);
  expect(readKeyRing(newKeyLine())).toHaveLength(1);
});

function refusalOf(text: string): string {
  try {
    readKeyRing(text);
    return '';
  } catch (error) {
    return String(error);
  }
}

const BEFORE_ENCRYPTION = 5;

test('a database from before encryption is upgraded: its tokens and its callback keys go on, encrypted', async () => {
  await withDatabase(async (empty) => {
    const { database, url } = empty;
    await sql`drop schema public cascade`.execute(database);
    await sql`create schema public`.execute(database);
    const { rows: schemas } = await sql<{ name: string }>`
      select schema_name as name from information_schema.schemata where schema_name like 'functions_%'`.execute(
      database,
    );
    for (const { name } of schemas) await sql`drop schema ${sql.ref(name)} cascade`.execute(database);
    const known = await knownMigrations();
    await migrate(url, {
      migrations: known.slice(0, BEFORE_ENCRYPTION),
      functions: { schema: 'functions_former', sql: '' },
    });
    // What a service of that version has left: two tenants, with HMAC and ApiKey, and a key that signs tokens.
    const { privateJwk, publicJwk } = await signingKeyPair();
    await sql`insert into signing_keys (key_id, algorithm, public_key, private_key, signs_from)
      values ('plain', 'ES256', ${JSON.stringify(publicJwk)}, ${JSON.stringify(privateJwk)}, now())`.execute(
      database,
    );
    for (const [tenant, authType, key] of [
      ['demo', 'HMAC', 'the key of demo'],
      ['other', 'ApiKey', 'the-key-of-other'],
    ]) {
      await sql`with made as (
          insert into tenants (tenant_uid, name, main_account_id)
          values (${tenant}, ${tenant}, nextval(pg_get_serial_sequence('accounts', 'account_id'))) returning *),
        account as (insert into accounts (account_id, user_uid, user_name, email_address)
          select main_account_id, 'main-' || tenant_uid, tenant_uid || '@example.com', tenant_uid || '@example.com' from made)
        insert into callback_configurations (tenant_id, url, auth_type, auth_key, former_auth_key, former_auth_key_until)
        select tenant_id, null, ${authType}, ${key}, 'former ' || ${key}, now() + interval '1 hour' from made`.execute(
        database,
      );
    }
    const { address } = await started(empty, named('first'));
    const stored = await database
      .selectFrom('callback_keys')
      .select(['purpose', 'encryption_key_id'])
      .execute();
    expect(stored).toEqual(
      // The API key of the other tenant no longer signs: it was sent with every callback.
      ['Signing', 'Signing', 'ApiKey'].map((purpose) => ({ purpose, encryption_key_id: 'first' })),
    );
    const whole = await wholeDatabase(empty);
    for (const secret of ['key of demo', 'key-of-other', '"d":'])
      expect(whole.includes(secret), secret).toBe(false);
    const call = await callerAs(address);
    expect((await call('GetAccount', {})).status).toBe(200);
    const same = { url: null, authType: 'HMAC', authKey: 'the key of demo' };
    expect((await call('ConfigureCallback', same)).body).toMatchObject({ success: true, changed: false });
    const other = await callerAs(address, 'other');
    expect((await other('ConfigureCallback', { url: null, authType: 'ApiKey' })).body).toMatchObject({
      authKey: null,
      signingKey: expect.stringMatching(/^whsec_/),
    });
  });
});

async function signingKeyPair() {
  const { exportJWK, generateKeyPair } = await import('jose');
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
  return { privateJwk: await exportJWK(privateKey), publicJwk: await exportJWK(publicKey) };
}

test('callbacks are signed with the same key before, while and after the encryption key changes', async () => {
  await using receiver = await startReceiver();
  const [old, current] = [named('old'), named('current')];
  await using service = await createCallbackTest({ encryption: encryptionOf(old) });
  await service.configure({ url: receiver.url, authType: 'HMAC', authKey: 'a key of the tenant' });
  const delivered = async (encryption: Encryption) => {
    const sender = service.sender({ encryption });
    await service.shipment();
    await untilDelivered(service);
    await sender.stop();
  };
  await delivered(encryptionOf(old));
  await delivered(encryptionOf(current, old));
  await inTransaction(service.database, (transaction) =>
    encryptAnew(transaction, encryptionOf(current, old)),
  );
  await delivered(encryptionOf(current));
  expect(receiver.received).toHaveLength(3);
  const webhook = new Webhook('a key of the tenant', { format: 'raw' });
  for (const { body, headers } of receiver.received)
    expect(webhook.verify(body, headers as Record<string, string>)).toBeTruthy();
});
