// Brings the schema up to date: the numbered migrations, each once and in order, then this version's functions. Written
// by hand, since kysely's migrator keeps no checksums: an edited migration must fail, and not count as applied.
import { type Kysely, sql } from 'kysely';
import pg from 'pg';
import type { Database } from './database.ts';
import { type Functions, functions as ownFunctions } from './functions.ts';
import {
  type AppliedMigration,
  knownMigrations,
  type Migration,
  pendingMigrations,
} from './known-migrations.ts';
import { repeatedOnConflict } from './transaction.ts';

// Any constant will do, if every version of the service uses the same. It makes instances that start together take
// turns.
const ADVISORY_LOCK = 7_216_384_901;
// Another instance may be changing a large table.
const TURN_TIMEOUT_MS = 30 * 60_000;
// While a migration waits for a table's lock, every request that needs the table waits behind it.
const LOCK_TIMEOUT_MS = 2_000;
// Long after the last instance of a version has ended: an instance says every few minutes that it uses its functions.
const UNUSED_FUNCTIONS_DAYS = 7;

const LOCK_NOT_AVAILABLE = '55P03';

interface MigrateOptions {
  readonly migrations?: readonly Migration[];
  readonly functions?: Functions;
  readonly lockTimeoutMs?: number;
}

/** Applies what is missing; several instances may call it at once. Gives the names of what was applied now. */
export async function migrate(
  url: string,
  {
    migrations = knownMigrations,
    functions = ownFunctions,
    lockTimeoutMs = LOCK_TIMEOUT_MS,
  }: MigrateOptions = {},
): Promise<string[]> {
  const client = new pg.Client({ connectionString: url, application_name: 'lockerflow-migrations' });
  await client.connect();
  try {
    await takeTurn(client);
    await client.query(BOOKKEEPING);
    const { rows } = await client.query<AppliedMigration>(
      'SELECT name, checksum FROM migrations ORDER BY name',
    );
    const pending = pendingMigrations(migrations, rows);
    for (const migration of pending) await apply(client, migration, lockTimeoutMs);
    const isNew = await createFunctions(client, functions);
    await dropUnusedFunctions(client, functions);
    return [...pending.map(({ name }) => name), ...(isNew ? [functions.schema] : [])];
  } finally {
    // Ending the session also gives back the advisory lock.
    await client.end();
  }
}

const BOOKKEEPING = `
  CREATE TABLE IF NOT EXISTS migrations (
    name text PRIMARY KEY, checksum text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now());
  CREATE TABLE IF NOT EXISTS function_schemas (
    schema_name text PRIMARY KEY, used_at timestamptz NOT NULL DEFAULT now())`;

async function takeTurn(client: pg.Client): Promise<void> {
  await client.query(`SET lock_timeout = ${TURN_TIMEOUT_MS}`);
  try {
    await client.query('SELECT pg_advisory_lock($1)', [ADVISORY_LOCK]);
  } catch (error) {
    if (!(error instanceof pg.DatabaseError && error.code === LOCK_NOT_AVAILABLE)) throw error;
    throw new Error(
      'Another process has been migrating this database for half an hour: find out why, then start again',
      { cause: error },
    );
  }
}

async function apply(
  client: pg.Client,
  { name, checksum, sql }: Migration,
  lockTimeoutMs: number,
): Promise<void> {
  const work = async (): Promise<void> => {
    await client.query(`SET LOCAL lock_timeout = ${lockTimeoutMs}`);
    await client.query(sql);
    await client.query('INSERT INTO migrations (name, checksum) VALUES ($1, $2)', [name, checksum]);
  };
  try {
    // A migration locks its tables one after another. Requests meanwhile may lock them in another order.
    await repeatedOnConflict(() => asTransaction(client, work));
  } catch (error) {
    const reason =
      error instanceof pg.DatabaseError && error.code === LOCK_NOT_AVAILABLE
        ? `it waited ${lockTimeoutMs} ms for a table that another transaction holds (see pg_stat_activity). ` +
          'Migrate again when that transaction has ended'
        : String(error);
    throw new Error(`Migration ${name} failed and was rolled back: ${reason}`, { cause: error });
  }
}

async function asTransaction(client: pg.Client, work: () => Promise<void>): Promise<void> {
  await client.query('BEGIN');
  try {
    await work();
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
}

/** False when the database had them already. */
async function createFunctions(client: pg.Client, { schema, sql }: Functions): Promise<boolean> {
  const touched = await client.query('UPDATE function_schemas SET used_at = now() WHERE schema_name = $1', [
    schema,
  ]);
  if (touched.rowCount === 1) return false;
  try {
    await asTransaction(client, async () => {
      // A schema without an entry is left over from a database that lost its tables and got new ones.
      await client.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
      await client.query(`CREATE SCHEMA ${schema}`);
      await client.query(`GRANT USAGE ON SCHEMA ${schema} TO PUBLIC`);
      await client.query(
        "SELECT set_config('search_path', $1 || ', ' || current_setting('search_path'), true)",
        [schema],
      );
      // The files are in the order of the alphabet, and may call each other in any order.
      await client.query('SET LOCAL check_function_bodies = off');
      await client.query(sql);
      await client.query('INSERT INTO function_schemas (schema_name) VALUES ($1)', [schema]);
    });
    return true;
  } catch (error) {
    throw new Error(`The SQL functions could not be created: ${String(error)}`, { cause: error });
  }
}

async function dropUnusedFunctions(client: pg.Client, { schema }: Functions): Promise<void> {
  const { rows } = await client.query<{ schema_name: string }>(
    `SELECT schema_name FROM function_schemas
     WHERE schema_name <> $1 AND used_at < now() - interval '${UNUSED_FUNCTIONS_DAYS} days'`,
    [schema],
  );
  for (const { schema_name } of rows) {
    await client.query(`DROP SCHEMA IF EXISTS ${client.escapeIdentifier(schema_name)} CASCADE`);
    await client.query('DELETE FROM function_schemas WHERE schema_name = $1', [schema_name]);
  }
}

/** Said every few minutes by each instance: functions that no instance uses are dropped by a later migration. */
export async function keepFunctions(database: Kysely<Database>): Promise<void> {
  await sql`update function_schemas set used_at = now() where schema_name = ${ownFunctions.schema}`.execute(
    database,
  );
}

/** Throws where this version cannot serve with the schema, and says what to do. */
export async function requireCurrentSchema(database: Kysely<Database>): Promise<void> {
  const { rows } = await sql<{ is_migrated: boolean }>`
    select to_regclass('function_schemas') is not null as is_migrated`.execute(database);
  const isMigrated = rows[0]?.is_migrated;
  const applied = isMigrated
    ? await database.selectFrom('migrations').select(['name', 'checksum']).orderBy('name').execute()
    : [];
  const schemas = isMigrated
    ? await database.selectFrom('function_schemas').select('schema_name').execute()
    : [];
  const lacking = pendingMigrations(knownMigrations, applied).map(({ name }) => name);
  if (!schemas.some(({ schema_name }) => schema_name === ownFunctions.schema))
    lacking.push(ownFunctions.schema);
  if (lacking.length > 0) throw new Error(`The schema lacks ${lacking.join(', ')}: run migrate, or serve`);
}
