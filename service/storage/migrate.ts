// Brings the schema up to date: the numbered .sql files of migrations/, each once, in order, in its own transaction.
// By hand, since kysely's migrator keeps no checksums: an edited migration must fail, not be taken as applied.
import { hash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { type Kysely, sql } from 'kysely';
import pg from 'pg';
import type { Database } from './database.ts';

const folder = new URL('./migrations/', import.meta.url);
const FILE_NAME = /^(\d{4})-[a-z0-9-]+\.sql$/;

// Any constant does, as long as every version of the service uses the same: instances starting at once take turns.
const ADVISORY_LOCK = 7_216_384_901;

export interface Migration {
  readonly name: string;
  readonly checksum: string;
  readonly sql: string;
}

/** The migrations that this version of the service knows, in order. Throws when the numbering has a gap or a double. */
export async function knownMigrations(): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  names.forEach((name, index) => {
    const number = FILE_NAME.exec(name)?.[1];
    if (Number(number) !== index + 1)
      throw new Error(`Migration ${name} is out of order: expected number ${index + 1} as its four digits`);
  });
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(new URL(name, folder), 'utf8');
      return { name, sql, checksum: hash('sha256', sql) };
    }),
  );
}

/** Applies what is missing; several instances may call it at once. Gives the names of those applied now. */
export async function migrate(url: string): Promise<string[]> {
  const migrations = await knownMigrations();
  const client = new pg.Client({ connectionString: url, application_name: 'lockerflow-migrations' });
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [ADVISORY_LOCK]);
    await client.query(`CREATE TABLE IF NOT EXISTS migrations (
      name text PRIMARY KEY, checksum text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`);
    const { rows } = await client.query<AppliedMigration>(
      'SELECT name, checksum FROM migrations ORDER BY name',
    );
    const pending = pendingMigrations(migrations, rows);
    for (const migration of pending) await apply(client, migration);
    return pending.map(({ name }) => name);
  } finally {
    // Ending the session also gives back the advisory lock.
    await client.end();
  }
}

export interface AppliedMigration {
  readonly name: string;
  readonly checksum: string;
}

/** Throws when what was applied is not the beginning of what is known: another or a newer version made this schema. */
export function pendingMigrations(
  known: readonly Migration[],
  applied: readonly AppliedMigration[],
): Migration[] {
  applied.forEach(({ name, checksum }, index) => {
    const expected = known[index];
    if (expected?.name !== name)
      throw new Error(
        `The database has migration ${name} where this version of the service has ${expected?.name ?? 'none'}: ` +
          'start the version that made the schema, or a newer one',
      );
    if (expected.checksum !== checksum)
      throw new Error(`Migration ${name} was changed after it was applied: restore it and add a new one`);
  });
  return known.slice(applied.length);
}

/** Throws where the schema is not this version's, in words that say what to do. */
export async function requireCurrentSchema(database: Kysely<Database>): Promise<void> {
  const pending = pendingMigrations(await knownMigrations(), await appliedMigrations(database));
  if (pending.length > 0)
    throw new Error(`The schema lacks ${pending.map(({ name }) => name).join(', ')}: run migrate, or serve`);
}

/** None on a database that was never migrated. */
async function appliedMigrations(database: Kysely<Database>): Promise<AppliedMigration[]> {
  const { rows } = await sql<{ name: string | null }>`select to_regclass('migrations') as name`.execute(
    database,
  );
  if (!rows[0]?.name) return [];
  return database.selectFrom('migrations').select(['name', 'checksum']).orderBy('name').execute();
}

async function apply(client: pg.Client, { name, checksum, sql }: Migration): Promise<void> {
  await client.query('BEGIN');
  try {
    await client.query(sql);
    await client.query('INSERT INTO migrations (name, checksum) VALUES ($1, $2)', [name, checksum]);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw new Error(`Migration ${name} failed and was rolled back: ${String(error)}`, { cause: error });
  }
}
