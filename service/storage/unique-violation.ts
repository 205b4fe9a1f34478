// Which unique index refused a row, when that is what an error of Postgres says.
import pg from 'pg';

const UNIQUE_VIOLATION = '23505';

export function violatedIndex(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError && error.code === UNIQUE_VIOLATION ? error.constraint : undefined;
}
