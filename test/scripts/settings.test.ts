// The settings of a local installation: each wrong one is named, with what was expected, and a secret is never shown.
import { expect, test } from 'vitest';
import { readLocalSettings } from '../../scripts/settings.ts';

test('an empty variable is as good as none', () => {
  const settings = readLocalSettings({ DATABASE_URL: '', SERVICE_PORT: '', LOCKERFLOW_HOME: '' });
  expect(settings).toEqual(readLocalSettings({}));
  expect(settings).toMatchObject({ databaseUrl: undefined, servicePort: 8080 });
});

test('a wrong address of a database is named without its password', () => {
  const reading = () => readLocalSettings({ DATABASE_URL: 'mysql://anna:pass-word-1@host/name' });
  expect(reading).toThrow('DATABASE_URL: must be a URL like postgres://user@host/name');
  expect(reading).not.toThrow(/pass-word-1|anna/);
});

test('all wrong ports are named at once', () => {
  expect(() => readLocalSettings({ SERVICE_PORT: 'http', WALL_PORT: '0' })).toThrow(
    'These settings are wrong:\n  SERVICE_PORT: must be a whole number from 1 to 65535; it is "http"\n  WALL_PORT: must be a whole number from 1 to 65535; it is "0"',
  );
});
