// The database goes and comes back under a running service: clear failures meanwhile, and no restart needed after.
import { sql } from 'kysely';
import { expect, onTestFinished, test, vi } from 'vitest';
import { freePort } from '../../local/ports.ts';
import { startPostgres } from '../../local/postgres/postgres.ts';
import { seedDemoData } from '../../service/demo-data.ts';
import { createLog } from '../../service/log.ts';
import { createService } from '../../service/server.ts';
import { readSettings } from '../../service/settings.ts';
import { openDatabase } from '../../service/storage/database.ts';
import { migrate } from '../../service/storage/migrate.ts';
import { SwitchBoard } from '../../service/switches/switches.ts';
import { callerAs } from '../support/caller.ts';
import { withDatabase } from '../support/database.ts';
import { temporaryFolder } from '../support/set-up-process.ts';

const settingsAt = (url: string) =>
  readSettings({ ...process.env, DATABASE_URL: url, SERVICE_MODE: 'staging', SERVICE_PORT: '0' });

test('while the database is down all fails in the envelope; when it is back all works again', {
  tags: 'long',
}, async () => {
  const options = { folder: await temporaryFolder(), port: await freePort() };
  const first = await startPostgres(options);
  onTestFinished(() => first.stop());
  await migrate(first.url);
  const database = openDatabase({ url: first.url, connections: 5, onBrokenConnection: () => undefined });
  onTestFinished(() => database.destroy());
  await seedDemoData(database);
  const settings = settingsAt(first.url);
  const switchBoard = new SwitchBoard(database, settings.mode);
  const service = createService(settings, { database, switchBoard, log: createLog('silent') });
  const address = await service.listen();
  onTestFinished(() => service.close());
  const call = await callerAs(address);
  const ready = async () => (await fetch(`${address}/health/ready`)).status;
  expect(await ready()).toBe(200);

  await first.stop();
  // It looks once a second.
  await vi.waitUntil(async () => (await ready()) === 503, { timeout: 60_000 });
  expect((await fetch(`${address}/health/live`)).status).toBe(200);
  const reply = await call('GetAccount', {});
  expect(reply).toMatchObject({ status: 500, body: { success: false, error: 'InternalError' } });
  expect(JSON.stringify(reply.body)).not.toMatch(/ECONNREFUSED|54\d\d\d|127\.0\.0\.1/);

  const second = await startPostgres(options);
  onTestFinished(() => second.stop());
  await vi.waitUntil(async () => (await ready()) === 200, { timeout: 60_000 });
  expect((await call('GetAccount', {})).body).toMatchObject({ success: true, userUid: 'main-demo' });
});

test('a connection that breaks between two statements of a transaction fails that transaction and nothing else', async () => {
  await withDatabase(async ({ database, url }) => {
    const broken: string[] = [];
    const own = openDatabase({
      url,
      connections: 1,
      onBrokenConnection: ({ message }) => broken.push(message),
    });
    onTestFinished(() => own.destroy());
    const transaction = await own.startTransaction().execute();
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(transaction);
    await sql`select pg_terminate_backend(${rows[0]?.pid})`.execute(database);
    await vi.waitUntil(() => broken.length > 0, { timeout: 30_000 });
    await expect(sql`select 1`.execute(transaction)).rejects.toThrow();
    await transaction
      .rollback()
      .execute()
      .catch(() => undefined);
    expect((await sql`select 1 as one`.execute(own)).rows).toEqual([{ one: 1 }]);
  });
});

test('a request that gets no database connection is answered 503 with Retry-After, and the next one is served', async () => {
  await withDatabase(async ({ url }) => {
    const own = openDatabase({
      url,
      connections: 1,
      connectionTimeoutMs: 300,
      onBrokenConnection: () => undefined,
    });
    onTestFinished(() => own.destroy());
    const settings = settingsAt(url);
    const switchBoard = new SwitchBoard(own, settings.mode);
    const service = createService(settings, { database: own, switchBoard, log: createLog('silent') });
    const address = await service.listen();
    onTestFinished(() => service.close());
    const call = await callerAs(address);
    await own.connection().execute(async () => {
      for (const operation of ['GetAccount', 'CancelShipment'] as const) {
        const reply = await call(operation, { shipmentUid: 'any' });
        expect(reply).toMatchObject({ status: 503, body: { success: false, error: 'InternalError' } });
        expect(reply.body.message).toMatch(/^The service has too much to do: try again after \d+ s$/);
        expect(reply.headers.get('retry-after')).toMatch(/^\d+$/);
      }
    });
    expect((await call('GetAccount', {})).body).toMatchObject({ success: true });
  });
});
