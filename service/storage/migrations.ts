// The numbered migrations that this version knows, and how this version treats a database that has other ones. A
// migration's name says what it does to instances of other versions that serve at the same time.
import { hash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';

const FOLDER = new URL('./migrations/', import.meta.url);
const FILE_NAME = /^(\d{4})-[a-z0-9-]+(\.breaking)?\.sql$/;

export interface Migration {
  readonly name: string;
  readonly checksum: string;
  readonly sql: string;
}

export interface AppliedMigration {
  readonly name: string;
  readonly checksum: string;
}

/** Instances of the former version cannot serve with it. Every other migration only adds to the schema. */
const isBreaking = (name: string): boolean => name.endsWith('.breaking.sql');

let reading: Promise<Migration[]> | undefined;

/** In order, read once. Throws if a number is missing or is there twice. */
export function knownMigrations(): Promise<Migration[]> {
  reading ??= readMigrations();
  return reading;
}

async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(FOLDER)).filter((name) => name.endsWith('.sql')).sort();
  names.forEach((name, index) => {
    if (Number(FILE_NAME.exec(name)?.[1]) !== index + 1)
      throw new Error(
        `Migration ${name} is out of order: expected a name that begins with ${String(index + 1).padStart(4, '0')}-`,
      );
  });
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(new URL(name, FOLDER), 'utf8');
      return { name, sql, checksum: hash('sha256', sql) };
    }),
  );
}

/**
 * The known migrations that the database lacks. A newer database is accepted if its newer migrations only added to the
 * schema. Throws if they did more, and if other migrations made the database.
 */
export function pendingMigrations(
  known: readonly Migration[],
  applied: readonly AppliedMigration[],
): Migration[] {
  applied.forEach(({ name, checksum }, index) => {
    const expected = known[index];
    if (!expected && !isBreaking(name)) return;
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
