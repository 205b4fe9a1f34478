// Transactions on a real Postgres: deadlocks, failures, ids, and demo data that is seeded again.
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { seedDemoData } from '../../../service/demo-data.ts';
import { inTransaction } from '../../../service/storage/transaction.ts';
import { withDatabase } from '../../support/database.ts';

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
