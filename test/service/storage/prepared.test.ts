// Prepared statements: each connection prepares one once, and goes on when the functions behind it are made anew.
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { preparedStatement } from '../../../service/storage/prepared.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';

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
