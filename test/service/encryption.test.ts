// @module-tag invariant
// The keys in the database are encrypted by a key from outside of it, which can be changed.
import { hash, randomBytes } from 'node:crypto';
import { type CryptoKey, exportJWK, generateKeyPair, SignJWT } from 'jose';
import { sql } from 'kysely';
import { Webhook } from 'standardwebhooks';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Encryption } from '../../service/encryption/encryption.ts';
import { encryptAnew } from '../../service/encryption/stored-keys.ts';
import { inTransaction } from '../../service/storage/transaction.ts';
import { keyFingerprint } from '../../shared/settings/key-fingerprint.ts';
import { newKeyLine, readKeyRing } from '../../shared/settings/key-ring.ts';
import { accessToken, callerAs, callerWith } from '../support/caller.ts';
import { type TestDatabase, withDatabase } from '../support/database.ts';
import { startReceiver } from '../support/receiver.ts';
import { writtenByService } from '../support/service-command.ts';
import { startServiceHere } from '../support/service-process.ts';
import { createCallbackTest, until, untilDelivered } from './callbacks/support.ts';

const named = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;
const encryptionOf = (...lines: string[]) => new Encryption(readKeyRing(lines.join('\n')));

async function started({ url }: { readonly url: string }, ring: string, more: Record<string, string> = {}) {
  const service = await startServiceHere({
    DATABASE_URL: url,
    SERVICE_PORT: '0',
    SERVICE_ENCRYPTION_KEY: ring,
    SERVICE_URL: 'http://lockers.example',
    ...more,
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
test('a copy of the database has nothing by which a weak callback key could be guessed', {
  tags: 'long',
}, async () => {
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

test('a repeated ConfigureCallback is known again while the encryption key changes', {
  tags: 'long',
}, async () => {
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

test('a file with a new encryption key before the old one is rotated to, and the old one is needed no more', {
  tags: 'long',
}, async () => {
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
    const currentId = current.split(':')[0];
    expect(await command(database, both, 'encryption-key', 'rotate')).toEqual({
      keyId: currentId,
      encryptedAnew: 2,
    });
    expect(await taken((await started(database, current)).address)).toBe(200);
    await expect(started(database, old)).rejects.toThrow(`encrypted with ${currentId}`);
    // A new signing key is encrypted as well.
    await command(database, current, 'signing-key', 'rotate');
    expect(await command(database, current, 'encryption-key', 'rotate')).toEqual({
      keyId: currentId,
      encryptedAnew: 0,
    });
  });
});

const place = { boundTo: ['keys', '1'], name: 'keys/1' };

test('a key cannot be moved to another place, changed, or read with another key of the same id', () => {
  const line = named('first');
  const encryption = encryptionOf(line);
  const sealed = encryption.seal('a key', place);
  expect(encryption.open(sealed, place)).toBe('a key');
  expect(() => encryption.open(sealed, { ...place, boundTo: ['keys', '2'] })).toThrow('cannot be decrypted');
  const changed = sealed.replace(/.(?=.{8}$)/, (last) => (last === 'A' ? 'B' : 'A'));
  expect(() => encryption.open(changed, place)).toThrow('cannot be decrypted');
  expect(() => encryptionOf(named('first')).open(sealed, place)).toThrow('that key has another value');
  expect(() => encryptionOf(named('second')).open(sealed, place)).toThrow('encrypted with the key first');
  for (const plain of ['a key', 'first:', 'first:YQ'])
    expect(() => encryption.open(plain, place), plain).toThrow(/^keys\/1 /);
});

/** What whoever can write to the database, and has no encryption key, may put there. */
describe('in a database that a stranger has written to', () => {
  const forgedToken = async (address: string, kid: string, privateKey: CryptoKey) =>
    await new SignJWT({ scope: 'integration_api' })
      .setProtectedHeader({ alg: 'ES256', kid, typ: 'at+jwt' })
      .setIssuer(address)
      .setAudience('integration_api')
      .setSubject('demo')
      .setIssuedAt()
      .setExpirationTime('1h')
      .sign(privateKey);
  const statusOf = async (address: string, token: string) =>
    (await callerWith(address, token)('GetAccount', {})).status;

  test('a signing key that is not encrypted verifies no token, and no service starts with it', async () => {
    await using service = await createCallbackTest();
    const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
    const publicJwk = JSON.stringify(await exportJWK(publicKey));
    const privateJwk = JSON.stringify(await exportJWK(privateKey));
    await sql`insert into signing_keys (key_id, algorithm, public_key, sealed_key, signs_from)
      values ('forged', 'ES256', ${publicJwk}, ${privateJwk}, now())`.execute(service.database);
    await using other = await service.anotherInstance();
    expect(await statusOf(other.address, await forgedToken(other.address, 'forged', privateKey))).toBe(401);
    // The service's own key goes on.
    expect(await statusOf(other.address, await accessToken(other.address))).toBe(200);
    expect(other.logLines).toContainEqual(
      expect.objectContaining({ msg: expect.stringContaining('a signing key is not used') }),
    );
    await expect(started(service, String(process.env.SERVICE_ENCRYPTION_KEY))).rejects.toThrow(
      'which SERVICE_ENCRYPTION_KEY lacks',
    );
  });

  test('a public key in the place of a signing key’s own verifies no token', async () => {
    await using service = await createCallbackTest();
    const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
    const { key_id } = await service.database
      .updateTable('signing_keys')
      .set({ public_key: JSON.stringify(await exportJWK(publicKey)) })
      .returning('key_id')
      .executeTakeFirstOrThrow();
    await using other = await service.anotherInstance();
    expect(await statusOf(other.address, await forgedToken(other.address, key_id, privateKey))).toBe(401);
  });

  test.each([
    ['is not encrypted', sql`sealed_key = 'a key of a stranger'`],
    [
      'was moved from another row',
      sql`sealed_key = (select sealed_key from callback_keys where valid_until is not null)`,
    ],
  ])('a callback key that %s signs nothing, and the delivery log says so', async (_, change) => {
    await using receiver = await startReceiver();
    await using service = await createCallbackTest();
    for (const authKey of ['the former key of the tenant', 'the present key of the tenant'])
      await service.configure({ url: receiver.url, authType: 'HMAC', authKey });
    await sql`update callback_keys set ${change} where valid_until is null`.execute(service.database);
    const sender = service.sender();
    await service.shipment();
    const failures = async () =>
      (await service.database.selectFrom('callback_failures').select('error').execute()).map(
        ({ error }) => error,
      );
    await until(async () => (await failures()).length > 0);
    await sender.stop();
    expect((await failures())[0]).toMatch(/callback_keys\/1\/Signing (is not encrypted|cannot be)/);
    expect(receiver.received).toEqual([]);
  });
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
