// The unique index that refused a row, if an error of Postgres names one.
import pg from 'pg';

const UNIQUE_VIOLATION = '23505';

export function violatedIndex(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError && error.code === UNIQUE_VIOLATION ? error.constraint : undefined;
}
