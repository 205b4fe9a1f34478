// `lockerflow callback-address` against the real service: it tells where callbacks go, and shows the key as a fingerprint.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keyFingerprint } from '../../shared/settings/key-fingerprint.ts';
import { callerAs, demoSettings } from '../support/caller.ts';
import { createTestService, type TestService } from '../support/service.ts';
import { temporaryFolder } from '../support/set-up-process.ts';
import { run } from './lockerflow-program.ts';

const KEY = 'whsec_bG9ja2VyZmxvdyBleGFtcGxlIGtleQ==';
const URL = 'http://127.0.0.1:9/callbacks';
const SLOW_MS = 60_000;

let service: TestService;
beforeAll(async () => {
  service = await createTestService();
});
afterAll(() => service[Symbol.asyncDispose]());

const tell = (words: string[], variables: Record<string, string> = {}) =>
  run(['callback-address', ...words], {
    variables: {
      ...demoSettings(service.address),
      ...variables,
    },
  });
const urlOfService = async () =>
  (await service.database.selectFrom('callback_configurations').select('url').executeTakeFirst())?.url;

test('the service sends its callbacks there, signed with the first key, until it is told not to', {
  timeout: SLOW_MS,
}, async () => {
  const folder = await temporaryFolder();
  await mkdir(folder, { recursive: true });
  const file = join(folder, 'key');
  await writeFile(file, `${KEY} former-key\n`);
  const words = `callbacks go to ${URL}, signed with the key ${keyFingerprint(KEY)}`;
  // A key from a file needs a process of its own.
  const first = await tell([URL], { LOCKER_CALLBACK_KEY_FILE: file });
  expect(first).toMatchObject({ code: 0, err: '', out: `${words}\n` });
  expect(await urlOfService()).toBe(URL);
  const call = await callerAs(service.address);
  // Our receiver takes messages of pick-ups, so it asks for them.
  expect((await call('ConfigureCallback', { url: URL, authType: 'HMAC' })).body).toMatchObject({
    changed: false,
    accessMessages: true,
  });
  const again = await tell([], { LOCKER_CALLBACK_KEY: KEY, CALLBACK_URL: URL });
  expect(again.out).toBe(`${words} (no change)\n`);
  const stopped = await tell(['--none', '--json']);
  expect(JSON.parse(stopped.out)).toEqual({ url: null, key: null, changed: true });
  expect(await urlOfService()).toBeNull();
});

test('callbacks have the extra fields, which help our flows, unless they are not wanted', {
  timeout: SLOW_MS,
}, async () => {
  const configured = async () => {
    const { rows } = await sql<{ extra_fields: boolean }>`
      select extra_fields from callback_configurations join tenants using (tenant_id) where tenant_uid = 'demo'
    `.execute(service.database);
    return rows;
  };
  await tell([URL], { LOCKER_CALLBACK_KEY: KEY });
  expect(await configured()).toEqual([{ extra_fields: true }]);
  await tell(['--none']);
  expect(await configured()).toEqual([{ extra_fields: true }]);
  const plain = await tell([URL, '--no-extra-fields', '--json'], { LOCKER_CALLBACK_KEY: KEY });
  expect(JSON.parse(plain.out)).toMatchObject({ changed: true });
  expect(await configured()).toEqual([{ extra_fields: false }]);
});

test('what is missing or wrong is told', { timeout: SLOW_MS }, async () => {
  expect(await tell([], { LOCKER_CALLBACK_KEY: KEY })).toMatchObject({
    code: 2,
    err: expect.stringContaining('CALLBACK_URL'),
  });
  expect(await tell([URL])).toMatchObject({
    code: 2,
    err: expect.stringContaining('LOCKER_CALLBACK_KEY is not set'),
  });
  const refused = await tell(['http://169.254.169.254/'], { LOCKER_CALLBACK_KEY: KEY });
  expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('url') });
  expect(JSON.stringify([await tell(['--help']), refused])).not.toContain(KEY);
});
