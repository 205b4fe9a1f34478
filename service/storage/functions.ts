// The SQL functions of this version (functions/*.sql). Each content has a schema of its own, named by its hash:
// instances of different versions serve at the same time, and each calls its own functions. A changed function needs no
// migration. Tables are in the migrations.
import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

const FOLDER = new URL('./functions/', import.meta.url);

export interface Functions {
  /** The schema that holds them. */
  readonly schema: string;
  readonly sql: string;
}

export function functionsOf(sql: string): Functions {
  return { schema: `functions_${hash('sha256', sql).slice(0, 16)}`, sql };
}

const files = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.sql'))
  .sort();

export const functions: Functions = functionsOf(
  files.map((name) => readFileSync(new URL(name, FOLDER), 'utf8')).join('\n'),
);

/** The first statement of every connection that calls functions. Tables stay where the database's own path has them. */
export const useFunctions = `SELECT set_config('search_path', '${functions.schema}, ' || current_setting('search_path'), false)`;
