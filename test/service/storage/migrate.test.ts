// The migrator on a real Postgres: several instances at once, edited files, newer versions, changed functions.
import { hash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import pg from 'pg';
import { expect, inject, test, vi } from 'vitest';
import { functions, functionsOf } from '../../../service/storage/functions.ts';
import { knownMigrations, type Migration } from '../../../service/storage/known-migrations.ts';
import { migrate, requireCurrentSchema } from '../../../service/storage/migrate.ts';
import { withDatabase } from '../../support/database.ts';

async function onServer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: inject('postgresUrl') });
  await client.connect();
  await client.query(statement);
  await client.end();
}

const migrationOf = (name: string, text: string): Migration => ({
  name,
  sql: text,
  checksum: hash('sha256', text),
});

/** Databases that are clones of each other have tables of one oid, and pg_locks has the locks in all of them. */
const OF_THIS_DATABASE = 'database = (SELECT oid FROM pg_database WHERE datname = current_database())';

test('several instances that start at once on an empty database migrate it once', async () => {
  const name = `migrated_${randomBytes(6).toString('hex')}`;
  await onServer(`CREATE DATABASE ${name}`);
  const url = new URL(`/${name}`, inject('postgresUrl')).href;
  const instances = Array.from({ length: 4 }, () => migrate(url));
  const applied = await Promise.all(instances);
  const names = knownMigrations.map(({ name }) => name);
  expect(applied.flat()).toEqual([...names, functions.schema]);
  await onServer(`DROP DATABASE ${name}`);
});

test('events of before callbacks had a stored type get the one they have', async () => {
  const name = `migrated_${randomBytes(6).toString('hex')}`;
  await onServer(`CREATE DATABASE ${name}`);
  const url = new URL(`/${name}`, inject('postgresUrl')).href;
  const before = knownMigrations.filter((each) => each.name < '0007');
  await migrate(url, { migrations: before, functions: functionsOf('-- none') });
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`
    INSERT INTO shipment_events (tenant_id, shipment_id, shipment_uid, state_code, state_start, shipment_type, pup_uid,
      is_pending, access_goal, accessed_at)
    VALUES (1, 1, 'S-1', 'ReadyForPickup', now(), 'CollectOnlyShipment', 'pup', false, NULL, NULL),
      (1, 1, 'S-1', 'ReadyForPickup', now(), 'CollectOnlyShipment', 'pup', false, 'PickUp', now())`);
  await migrate(url);
  const { rows } = await client.query('SELECT message_type FROM shipment_events ORDER BY event_id');
  await client.end();
  expect(rows.map((row) => row.message_type)).toEqual(['ShipmentStatusUpdate', 'ShipmentAccess']);
  await onServer(`DROP DATABASE ${name}`);
});

test('a migration that was edited after it was applied is refused by name', async () => {
  await withDatabase(async ({ url, database }) => {
    await database.updateTable('migrations').set({ checksum: 'another' }).execute();
    await expect(migrate(url)).rejects.toThrow(/Migration 0001-.* was changed after it was applied/);
  });
});

test('a version serves on the schema of a newer one that only added to it, and not on a breaking one', async () => {
  await withDatabase(async ({ url, database }) => {
    await database.insertInto('migrations').values({ name: '9998-later.sql', checksum: 'x' }).execute();
    expect(await migrate(url)).toEqual([]);
    await requireCurrentSchema(database);
    await database
      .insertInto('migrations')
      .values({ name: '9999-later.breaking.sql', checksum: 'x' })
      .execute();
    const refused = /9999-later\.breaking\.sql where this version of the service has none/;
    await expect(migrate(url)).rejects.toThrow(refused);
    await expect(requireCurrentSchema(database)).rejects.toThrow(refused);
  });
});

test('a schema without the functions of this version is not ready', async () => {
  await withDatabase(async ({ url, database }) => {
    await database.deleteFrom('function_schemas').execute();
    await expect(requireCurrentSchema(database)).rejects.toThrow(
      `The schema lacks ${functions.schema}: run migrate, or serve`,
    );
    await migrate(url);
    await requireCurrentSchema(database);
  });
});

test('changed functions are created beside the former ones, and each version calls its own', async () => {
  await withDatabase(async ({ url, database }) => {
    const changed = functionsOf('CREATE FUNCTION moment() RETURNS text LANGUAGE sql AS $$ SELECT $$ || 1');
    const broken = migrate(url, { functions: changed });
    await expect(broken).rejects.toThrow(/The SQL functions could not be created/);
    const newer = functionsOf("CREATE FUNCTION moment() RETURNS text LANGUAGE sql AS $$ SELECT 'newer' $$");
    expect(await migrate(url, { functions: newer })).toEqual([newer.schema]);
    expect(await migrate(url, { functions: newer })).toEqual([]);
    const { rows } = await sql<{ own: unknown; other: string }>`
      select moment() as own, ${sql.ref(newer.schema)}.moment() as other`.execute(database);
    expect(rows).toEqual([{ own: expect.any(Date), other: 'newer' }]);
  });
});

test('functions that no instance has used for a week are dropped by the next migration', async () => {
  await withDatabase(async ({ url, database }) => {
    const saying = (word: string) =>
      functionsOf(`CREATE FUNCTION said() RETURNS text LANGUAGE sql AS $$ SELECT '${word}' $$`);
    const [former, recent] = [saying('former'), saying('recent')];
    for (const each of [former, recent]) await migrate(url, { functions: each });
    await database
      .updateTable('function_schemas')
      .set({ used_at: sql`now() - interval '8 days'` })
      .where('schema_name', '=', former.schema)
      .execute();
    await migrate(url);
    const { rows } = await sql<{ nspname: string }>`
      select nspname from pg_namespace where nspname like 'functions%' order by 1`.execute(database);
    expect(rows.map(({ nspname }) => nspname)).toEqual([functions.schema, recent.schema].sort());
  });
});

test('a migration that waits for a table gives up soon, changes nothing and says what to do', async () => {
  await withDatabase(async ({ url, database }) => {
    const note = migrationOf(
      '9990-note.sql',
      'ALTER TABLE tenants ADD COLUMN note text; ALTER TABLE lockers ADD COLUMN note text',
    );
    const added = { migrations: [...knownMigrations, note] };
    await database.transaction().execute(async (transaction) => {
      await sql`select from lockers limit 1`.execute(transaction);
      const waiting = migrate(url, { ...added, lockTimeoutMs: 200 });
      await expect(waiting).rejects.toThrow(
        /9990-note\.sql failed and was rolled back: it waited 200 ms .* Migrate again/,
      );
    });
    const { rows } =
      await sql`select column_name from information_schema.columns where column_name = 'note'`.execute(
        database,
      );
    expect(rows).toEqual([]);
    expect(await migrate(url, added)).toEqual(['9990-note.sql']);
  });
});

test('a migration that is in a deadlock with a request lets it through, and is tried again', {
  tags: 'long',
}, async () => {
  // It locks the second table once the request waits for the first, so that it is the migration that closes the circle.
  const text = `
    ALTER TABLE shipments ADD COLUMN colour text;
    DO $$ BEGIN
      WHILE EXISTS (SELECT FROM pg_locks WHERE granted AND relation = 'lockers'::regclass
          AND mode = 'RowExclusiveLock' AND ${OF_THIS_DATABASE})
        AND NOT EXISTS (SELECT FROM pg_locks WHERE NOT granted AND relation = 'shipments'::regclass AND ${OF_THIS_DATABASE})
      LOOP PERFORM pg_sleep(0.01); END LOOP;
    END $$;
    ALTER TABLE lockers ADD COLUMN colour text;`;
  const migrations = [...knownMigrations, migrationOf('9990-colours.sql', text)];
  await withDatabase(async ({ url, database }) => {
    const request = new pg.Client({ connectionString: url });
    await request.connect();
    try {
      // Postgres ends the one that looks for a deadlock first.
      await request.query("SET deadlock_timeout = '5min'");
      await request.query('BEGIN');
      await request.query('LOCK TABLE lockers IN ROW EXCLUSIVE MODE');
      const migrating = migrate(url, { migrations, lockTimeoutMs: 300_000 });
      await vi.waitUntil(
        async () => {
          const { rows } = await sql`
            select from pg_locks where granted and relation = 'shipments'::regclass and mode = 'AccessExclusiveLock'
            and ${sql.raw(OF_THIS_DATABASE)}
          `.execute(database);
          return rows.length > 0;
        },
        { timeout: 60_000 },
      );
      await request.query('LOCK TABLE shipments IN ROW EXCLUSIVE MODE');
      await request.query('COMMIT');
      expect(await migrating).toEqual(['9990-colours.sql']);
    } finally {
      await request.end();
    }
  });
});
