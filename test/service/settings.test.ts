// The service's settings: defaults that are safe, and one error that names all that is wrong.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readSettings } from '../../service/settings.ts';

const DATABASE_URL = 'postgres://user@127.0.0.1/name';

test('without settings but the database the service is in production mode, on loopback', () => {
  expect(readSettings({ DATABASE_URL })).toMatchObject({ mode: 'production', host: '127.0.0.1', port: 8080 });
});

test('the address that clients use has no slash at its end, with which each path would have two', () => {
  const { url } = readSettings({ DATABASE_URL, SERVICE_URL: 'https://lockers.example/api//' });
  expect(url).toBe('https://lockers.example/api');
});

test('the requests of a client are limited in production, and in staging only by a setting', () => {
  const of = (variables: object) => readSettings({ DATABASE_URL, ...variables });
  expect(of({})).toMatchObject({ requestsPerSecond: 100, tokensPerMinute: 60 });
  expect(of({ SERVICE_MODE: 'staging' })).toMatchObject({ requestsPerSecond: 0, tokensPerMinute: 0 });
  const set = { SERVICE_REQUESTS_PER_SECOND: '7', SERVICE_TOKENS_PER_MINUTE: '0' };
  expect(of(set)).toMatchObject({ requestsPerSecond: 7, tokensPerMinute: 0 });
});

test.each([
  'SERVICE_PORT',
  'SERVICE_REQUESTS_PER_SECOND',
  'SERVICE_TOKENS_PER_MINUTE',
  'SERVICE_STOP_GRACE_SECONDS',
  'SERVICE_SHIPMENT_RETENTION_DAYS',
])('%s takes 0, but no negative number', (name) => {
  expect(() => readSettings({ DATABASE_URL, [name]: '0' })).not.toThrow();
  expect(() => readSettings({ DATABASE_URL, [name]: '-1' })).toThrow(name);
});

test('a missing database is named, and an empty variable is as good as none', () => {
  expect(() => readSettings({})).toThrow('DATABASE_URL: is required');
  expect(readSettings({ DATABASE_URL, SERVICE_PORT: '' })).toMatchObject({ port: 8080 });
});

test('every wrong setting is named in one error', () => {
  const read = () => readSettings({ DATABASE_URL: 'mysql://x', SERVICE_PORT: '70000', SERVICE_MODE: 'test' });
  expect(read).toThrow(
    [
      'These settings of the service are wrong:',
      '  DATABASE_URL: must be a URL like postgres://user@host/name',
      '  SERVICE_PORT: must be a whole number from 0 to 65535; it is "70000"',
      '  SERVICE_MODE: must be one of staging, production, not "test"',
    ].join('\n'),
  );
});

test.each(['proxy.example', '10.0.0.0/33', '10.0.0.1,', '10.0.0.1 10.0.0.2'])(
  'trusted proxies must be addresses or networks, not %s',
  (proxies) => {
    expect(() => readSettings({ DATABASE_URL, SERVICE_TRUSTED_PROXIES: proxies })).toThrow(
      'SERVICE_TRUSTED_PROXIES',
    );
  },
);

test('trusted proxies are addresses and networks with commas between', () => {
  const { trustedProxies } = readSettings({
    DATABASE_URL,
    SERVICE_TRUSTED_PROXIES: '10.0.0.0/8, ::1,1.2.3.4',
  });
  expect(trustedProxies).toEqual(['10.0.0.0/8', '::1', '1.2.3.4']);
});

test('the error repeats no secret: a database URL has a password', () => {
  expect(() => readSettings({ DATABASE_URL: 'mysql://user:hidden@x' })).toThrow(
    expect.not.objectContaining({ message: expect.stringContaining('hidden') }),
  );
});

test('every setting is documented, and no other', () => {
  const names = (path: string) => {
    const text = readFileSync(join(import.meta.dirname, '../..', path), 'utf8');
    return new Set(
      text
        .match(/\b(?:SERVICE|DATABASE)_[A-Z_]+\b/g)
        // A secret as a file is the setting of the same name without _FILE.
        ?.filter((name) => !name.endsWith('_FILE')),
    );
  };
  const settings = new Set([...names('service/settings.ts')]);
  expect(names('docs/service.md')).toEqual(settings);
});
