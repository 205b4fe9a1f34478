// The service's process and its end: requests under way are answered, then it closes and exits by itself.
import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { accessToken, callerAs } from '../support/caller.ts';
import { createDatabase, type withDatabase } from '../support/database.ts';
import { nodeProgramOfTest } from '../support/processes/node-program.ts';
import { withService } from '../support/service.ts';
import { startServiceHere } from '../support/service-process.ts';
import { tokenRequest } from './token/token-request.ts';

/** Holds the accounts table, so that a request that reads it is under way until it is let go. */
async function holdAccounts(database: Parameters<Parameters<typeof withDatabase>[0]>[0]['database']) {
  const transaction = await database.startTransaction().execute();
  await sql`lock table accounts in access exclusive mode`.execute(transaction);
  return { release: () => transaction.rollback().execute() };
}

// On a machine that other tests keep busy.
const patience = { timeout: 30_000, interval: 20 };

/** Of this database alone: other tests wait for locks in theirs. */
async function untilWaiting(database: Parameters<typeof holdAccounts>[0]): Promise<void> {
  await vi.waitUntil(async () => {
    const { rows } = await sql`select from pg_locks join pg_database on pg_database.oid = database
      where not granted and datname = current_database()`.execute(database);
    return rows.length > 0;
  }, patience);
}

test('a request under way is answered while the service closes, and no new one is taken', async () => {
  await withService(async ({ address, database, close }) => {
    const call = await callerAs(address);
    const held = await holdAccounts(database);
    const underWay = call('GetAccount', {});
    await untilWaiting(database);
    const closed = close();
    await vi.waitFor(() => expect(fetch(`${address}/health/live`)).rejects.toThrow(), patience);
    await held.release();
    const answer = await underWay;
    expect(answer).toMatchObject({ status: 200, body: { success: true } });
    // So that nobody keeps the connection for a next request.
    expect(answer.headers.get('connection')).toBe('close');
    await closed;
  });
});

test('a request that does not end within the grace is cut', async () => {
  await withService(
    async ({ address, database, close }) => {
      const call = await callerAs(address);
      const held = await holdAccounts(database);
      const underWay = call('GetAccount', {});
      const cut = expect(underWay).rejects.toThrow();
      await untilWaiting(database);
      await close();
      await cut;
      await held.release();
    },
    { stopGraceSeconds: 0 },
  );
});

/** The service as a process of its own, once it serves; killed with the test. */
async function startProcess(url: string) {
  const env = { ...process.env, DATABASE_URL: url, SERVICE_PORT: '0', SERVICE_MODE: 'staging' };
  const service = nodeProgramOfTest(['service/main.ts'], { env });
  const { address } = await service.logged('service started');
  return { service, address: String(address) };
}

async function createEmptyDatabase() {
  const testDatabase = await createDatabase();
  await sql`drop schema public cascade`.execute(testDatabase.database);
  await sql`create schema public`.execute(testDatabase.database);
  return testDatabase;
}

test('in production the service makes no tenant with a public secret, and SERVICE_CALLBACK_SENDER=off sends no callbacks', async () => {
  await using testDatabase = await createEmptyDatabase();
  const { database, url } = testDatabase;
  const { address, stop } = await startServiceHere({
    DATABASE_URL: url,
    SERVICE_PORT: '0',
    SERVICE_MODE: 'production',
    SERVICE_CALLBACK_SENDER: 'off',
  });
  await using stack = new AsyncDisposableStack();
  stack.defer(stop);
  const grant = { grant_type: 'client_credentials', client_id: 'demo', client_secret: 'demo-secret' };
  expect((await tokenRequest(address, grant)).status).toBe(401);
  expect(await database.selectFrom('tenants').selectAll().execute()).toEqual([]);
  const { rows } = await sql`select from pg_stat_activity
    where application_name = 'lockerflow-callbacks' and datname = current_database()`.execute(database);
  expect(rows).toEqual([]);
});

test('the process migrates, seeds, serves, and exits with 0 on a signal', { tags: 'long' }, async () => {
  await using testDatabase = await createEmptyDatabase();
  const { service, address } = await startProcess(testDatabase.url);
  expect(await accessToken(address)).toBeTruthy();
  await service.signal('SIGTERM');
  expect(await service.exitCode).toBe(0);
  expect(service.out().trim().split('\n').at(-1)).toContain('service stopped');
});

test('a second Ctrl-C, from npm, cuts no request under way', { tags: 'long' }, async () => {
  await using testDatabase = await createDatabase();
  const { service, address } = await startProcess(testDatabase.url);
  const call = await callerAs(address);
  const held = await holdAccounts(testDatabase.database);
  const underWay = call('GetAccount', {});
  await untilWaiting(testDatabase.database);
  await service.signal('SIGINT');
  await vi.waitFor(() => expect(fetch(`${address}/health/live`)).rejects.toThrow(), patience);
  await service.signal('SIGINT');
  await held.release();
  expect(await underWay).toMatchObject({ status: 200, body: { success: true } });
  expect(await service.exitCode).toBe(0);
});

test('the process with wrong settings exits with 1 and names them', { tags: 'long' }, async () => {
  const env = { ...process.env, DATABASE_URL: 'nowhere', SERVICE_PORT: 'x' };
  const service = nodeProgramOfTest(['service/main.ts'], { env });
  expect(await service.exitCode).toBe(1);
  const words = service.err();
  expect(words).toContain('DATABASE_URL');
  expect(words).toContain('SERVICE_PORT');
  expect(words).not.toContain('at readSettings');
});
