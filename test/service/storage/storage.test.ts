// Transactions, prepared statements, notifications and demo data on a real Postgres.
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { seedDemoData } from '../../../service/demo-data.ts';
import { Listener } from '../../../service/storage/listener.ts';
import { preparedStatement } from '../../../service/storage/prepared-statements.ts';
import { inTransaction } from '../../../service/storage/transaction.ts';
import { createDatabase, type TestDatabase, withDatabase } from '../../support/database.ts';

test('a broken deadlock is run again as a whole, and both transactions take effect', async () => {
  await withDatabase(async ({ database }) => {
    let holding = 0;
    const bothHold = Promise.withResolvers<void>();
    const rename = (first: string, second: string, suffix: string) =>
      inTransaction(database, async (transaction) => {
        // How long Postgres waits before it looks for one.
        await sql`set local deadlock_timeout = '10ms'`.execute(transaction);
        for (const uid of [first, second]) {
          await transaction
            .updateTable('tenants')
            .set({ name: sql`name || ${suffix}::text` })
            .where('tenant_uid', '=', uid)
            .execute();
          // Each holds its first row before it asks for the second: that is a deadlock.
          holding += 1;
          if (holding === 2) bothHold.resolve();
          await bothHold.promise;
        }
      });
    await Promise.all([rename('demo', 'other', 'x'), rename('other', 'demo', 'x')]);
    const names = await database.selectFrom('tenants').select('name').orderBy('name').execute();
    expect(names.map(({ name }) => name)).toEqual(['Demoxx', 'Otherxx']);
  });
});

test('ids are numbers, alone and in arrays', async () => {
  await withDatabase(async ({ database }) => {
    const { rows } = await sql`select 7::bigint as id, array[7, null]::bigint[] as ids`.execute(database);
    expect(rows).toEqual([{ id: 7, ids: [7, null] }]);
  });
});

test('seeding the demo data again changes nothing', async () => {
  await withDatabase(async ({ database }) => {
    const everything = async () => [
      await database.selectFrom('tenants').selectAll().orderBy('tenant_id').execute(),
      await database.selectFrom('accounts').selectAll().orderBy('account_id').execute(),
      await database.selectFrom('pick_up_points').selectAll().orderBy('pick_up_point_id').execute(),
      await database.selectFrom('overflow_pick_up_points').selectAll().execute(),
      await database.selectFrom('client_secrets').selectAll().orderBy('client_id').execute(),
    ];
    const before = await everything();
    await seedDemoData(database);
    expect(await everything()).toEqual(before);
  });
});

const twice = preparedStatement<{ result: number }>('select twice($1::int) as result');

async function makeFunction({ database }: TestDatabase): Promise<void> {
  await sql`create function twice(value int) returns int language plpgsql as $$ begin return 2 * value; end $$`.execute(
    database,
  );
}

test('a connection prepares a statement once, and sends only its name and values after that', async () => {
  await using created = await createDatabase(1);
  const { database } = created;
  await makeFunction(created);
  for (const value of [1, 2, 3]) expect(await twice.rows(database, [value])).toEqual([{ result: 2 * value }]);
  const { rows } = await sql<{ statement: string; uses: number }>`
    select statement, generic_plans + custom_plans as uses from pg_prepared_statements
  `.execute(database);
  expect(rows).toEqual([{ statement: 'select twice($1::int) as result', uses: 3 }]);
});

test('a connection goes on with a prepared statement when its function is dropped and made anew', async () => {
  await using created = await createDatabase(1);
  const { database } = created;
  await makeFunction(created);
  expect(await twice.rows(database, [4])).toEqual([{ result: 8 }]);
  await sql`drop function twice`.execute(database);
  await expect(twice.rows(database, [5])).rejects.toThrow('function twice(integer) does not exist');
  await makeFunction(created);
  expect(await twice.rows(database, [5])).toEqual([{ result: 10 }]);
});

test('a listener that is stopped while it connects has stopped at once', async () => {
  // It takes connections, and never answers.
  const server = createServer((socket) => void socket.resume()).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const errors: unknown[] = [];
  const listener = new Listener({
    databaseUrl: `postgres://nobody@127.0.0.1:${(server.address() as AddressInfo).port}/none`,
    channel: 'news',
    applicationName: 'a test',
    onWake: () => undefined,
    onError: (error) => errors.push(error),
  });
  const connected = once(server, 'connection');
  listener.start();
  await connected;
  await listener.stop();
  expect(listener.isListening).toBe(false);
  expect(errors).toEqual([]);
}, 30_000);
