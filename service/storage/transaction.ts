// Runs a piece of work as one transaction, and runs it again when Postgres had to break a deadlock or a conflict.
// Read committed: rows that a rule depends on are locked by name (FOR UPDATE), not guarded by the isolation level.
import { setTimeout as delay } from 'node:timers/promises';
import type { Kysely, Transaction } from 'kysely';
import pg from 'pg';
import { backoffMs } from '../../shared/limits/backoff.ts';
import type { Database } from './database.ts';

// Seven attempts with growing pauses take some 2 s at most: a transaction that still fails then would go on failing.
const MAXIMUM_ATTEMPTS = 7;
// From 5 to 15 ms for the first: two that collide must not collide again.
const backoff = { firstMs: 15, lastMs: 1_000, jitter: 2 / 3 };

const SERIALIZATION_FAILURE = '40001';
const DEADLOCK_DETECTED = '40P01';

/** The work may run more than once: all its effects must be in the transaction. */
export function inTransaction<Result>(
  database: Kysely<Database>,
  work: (transaction: Transaction<Database>) => Promise<Result>,
): Promise<Result> {
  return repeatedOnConflict(async () => {
    const actions = new Set<() => void>();
    try {
      return await database.transaction().execute((transaction) => {
        afterwards.set(transaction, actions);
        return work(transaction);
      });
    } finally {
      for (const action of actions) action();
    }
  });
}

const afterwards = new WeakMap<Transaction<Database>, Set<() => void>>();

/**
 * Runs the action once after the transaction has ended, also if it failed: a commit without an answer may have been
 * done. The transaction must be one of inTransaction.
 */
export function afterTransaction(transaction: Transaction<Database>, action: () => void): void {
  const actions = afterwards.get(transaction);
  if (!actions) throw new TypeError('expected a transaction that inTransaction has begun');
  actions.add(action);
}

/** For work that is one transaction by itself, like a single statement. */
export async function repeatedOnConflict<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === MAXIMUM_ATTEMPTS || !mayBeRepeated(error)) throw error;
      await delay(backoffMs(attempt, backoff));
    }
  }
}

const mayBeRepeated = (error: unknown): boolean =>
  error instanceof pg.DatabaseError &&
  (error.code === SERIALIZATION_FAILURE || error.code === DEADLOCK_DETECTED);

const UNIQUE_VIOLATION = '23505';

/** The unique index that refused a row, if the error names one. */
export function violatedIndex(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError && error.code === UNIQUE_VIOLATION ? error.constraint : undefined;
}
