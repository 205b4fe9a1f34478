// Migrations and transactions on a real Postgres: several instances at once, edited files, deadlocks.
import { sql } from 'kysely';
import pg from 'pg';
import { expect, inject, test } from 'vitest';
import { seedDemoData } from '../../service/demo-data.ts';
import { knownMigrations, migrate, pendingMigrations } from '../../service/storage/migrate.ts';
import { inTransaction } from '../../service/storage/transaction.ts';
import { withDatabase } from '../support/database.ts';

async function onServer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: inject('postgresUrl') });
  await client.connect();
  await client.query(statement);
  await client.end();
}

test('several instances that start at once on an empty database migrate it once', async () => {
  await onServer('CREATE DATABASE migrated_at_once');
  const url = new URL('/migrated_at_once', inject('postgresUrl')).href;
  const applied = await Promise.all([migrate(url), migrate(url), migrate(url), migrate(url)]);
  const names = (await knownMigrations()).map(({ name }) => name);
  expect(applied.flat()).toEqual(names);
  await onServer('DROP DATABASE migrated_at_once');
});

test('a migration that was edited after it was applied is refused by name', async () => {
  await withDatabase(async ({ url, database }) => {
    await database.updateTable('migrations').set({ checksum: 'another' }).execute();
    await expect(migrate(url)).rejects.toThrow(/Migration 0001-.* was changed after it was applied/);
  });
});

test('a database that a newer version made is refused', async () => {
  await withDatabase(async ({ url, database }) => {
    await database.insertInto('migrations').values({ name: '9999-later.sql', checksum: 'x' }).execute();
    await expect(migrate(url)).rejects.toThrow(/9999-later\.sql where this version of the service has none/);
  });
});

test('only migrations beyond those applied are pending', async () => {
  const known = await knownMigrations();
  expect(pendingMigrations(known, [])).toEqual(known);
  expect(pendingMigrations(known, known)).toEqual([]);
});

test('a broken deadlock is run again as a whole, and both transactions take effect', async () => {
  await withDatabase(async ({ database }) => {
    const rename = (first: string, second: string, suffix: string) =>
      inTransaction(database, async (transaction) => {
        for (const uid of [first, second]) {
          await transaction
            .updateTable('tenants')
            .set({ name: sql`name || ${suffix}::text` })
            .where('tenant_uid', '=', uid)
            .execute();
          // Long enough for the other to hold its first row: the second one is then a deadlock.
          await sql`select pg_sleep(0.2)`.execute(transaction);
        }
      });
    await Promise.all([rename('demo', 'other', 'x'), rename('other', 'demo', 'x')]);
    const names = await database.selectFrom('tenants').select('name').orderBy('name').execute();
    expect(names.map(({ name }) => name)).toEqual(['Demoxx', 'Otherxx']);
  });
});

test('a transaction that throws leaves nothing behind', async () => {
  await withDatabase(async ({ database }) => {
    const work = inTransaction(database, async (transaction) => {
      await transaction.updateTable('tenants').set({ name: 'changed' }).execute();
      throw new Error('no');
    });
    await expect(work).rejects.toThrow('no');
    const changed = await database.selectFrom('tenants').selectAll().where('name', '=', 'changed').execute();
    expect(changed).toEqual([]);
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
