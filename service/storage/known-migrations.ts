// The numbered migrations that this version knows, and how this version treats a database that has other ones. A
// migration's name says what it does to instances of other versions that serve at the same time.
import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

const FOLDER = new URL('./migrations/', import.meta.url);
const FILE_NAME = /^(\d{4})-[a-z0-9-]+(\.breaking)?\.sql$/;

export interface AppliedMigration {
  readonly name: string;
  readonly checksum: string;
}

export interface Migration extends AppliedMigration {
  readonly sql: string;
}

/** Instances of the former version cannot serve with it. Every other migration only adds to the schema. */
const isBreaking = (name: string): boolean => name.endsWith('.breaking.sql');

/** In order. A number that is missing or is there twice is a mistake of this version. */
export const knownMigrations: readonly Migration[] = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.sql'))
  .sort()
  .map((name, index) => {
    const number = String(index + 1).padStart(4, '0');
    if (FILE_NAME.exec(name)?.[1] !== number)
      throw new Error(`Migration ${name} is out of order: expected a name that begins with ${number}-`);
    const sql = readFileSync(new URL(name, FOLDER), 'utf8');
    return { name, sql, checksum: hash('sha256', sql) };
  });

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
