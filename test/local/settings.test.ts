// The settings of a local installation: each wrong one is named, with what was expected, and a secret is never shown.
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { forgetOwnDatabase } from '../../local/database-url.ts';
import { readLocalSettings, settingsOnFreePorts } from '../../local/settings.ts';
import { portInUse } from '../support/processes/local-program.ts';
import { temporaryFolder } from '../support/set-up-process.ts';

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

// A shell that has the variables of the service's commands starts everything as any other shell does.
test('DATABASE_URL_FILE of this installation counts as not set, also before its first start', async () => {
  const home = await temporaryFolder();
  const variables = { DATABASE_URL_FILE: join(home, 'postgres', 'url'), OTHER: 'x' };
  expect(forgetOwnDatabase(variables, home)).toContain(
    'DATABASE_URL_FILE names the Postgres of this installation',
  );
  expect(variables).toEqual({ OTHER: 'x' });
});

test('DATABASE_URL of this installation counts as not set; that of another database stays', async () => {
  const home = await temporaryFolder();
  await mkdir(join(home, 'postgres'), { recursive: true });
  await writeFile(join(home, 'postgres', 'url'), 'postgres://lockerflow:x@127.0.0.1:54320/lockerflow\n');
  const own = { DATABASE_URL: 'postgres://lockerflow:x@127.0.0.1:54320/lockerflow' };
  expect(forgetOwnDatabase(own, home)).toContain('DATABASE_URL names');
  expect(own).toEqual({});
  const other = { DATABASE_URL: 'postgres://me@db.example/lockers', DATABASE_URL_FILE: '' };
  expect(forgetOwnDatabase(other, home)).toBeUndefined();
  expect(other.DATABASE_URL).toBe('postgres://me@db.example/lockers');
});

test('a port that is taken is the next free one, unless a variable asks for it', async () => {
  const taken = await portInUse();
  const own = { CONSOLE_PORT: String(taken), WORKER_PORT: '' };
  const settings = await settingsOnFreePorts(own);
  expect(settings.consolePort).toBe(taken);
  const ports = Object.entries(settings).filter(([name]) => name.endsWith('Port'));
  expect(new Set(ports.map(([, port]) => port)).size).toBe(ports.length);
  const server = createServer().listen(settings.workerPort, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  expect((await settingsOnFreePorts(own)).workerPort).toBeGreaterThan(settings.workerPort);
});
