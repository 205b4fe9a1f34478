// Sends bookings to Postgres. Those of one tenant that one turn of the event loop brings go together: one statement, one
// commit. So a busy service makes more of them, and a booking that comes alone does not wait for another.
import type { Kysely } from 'kysely';
import pg from 'pg';
import { outsideOfTraces } from '../../shared/telemetry/spans.ts';
import { overloaded } from '../api-error.ts';
import type { Database } from '../storage/database.ts';
import { preparedStatement } from '../storage/prepared-statements.ts';
import { statementSpan } from '../storage/statement-spans.ts';

/** The type booking of storage/functions/booking.sql. Null: absent. */
export interface Booking {
  readonly tenant_id: number;
  readonly pup_uid: string;
  readonly locker_uid: string | null;
  readonly small_side: number;
  readonly middle_side: number;
  readonly large_side: number;
  readonly allow_larger: boolean;
  readonly allow_overflow: boolean;
  readonly may_empty: boolean;
  readonly named_user_uids: readonly string[];
  readonly shipments: readonly object[];
  readonly response: object;
  readonly operation: string;
  readonly key_hash: string | null;
  readonly request_hash: string | null;
  readonly client_id: string | null;
  readonly on_behalf_of: string | null;
  readonly request_id: string;
  readonly uids: readonly string[];
}

interface BookingOutcome {
  readonly outcome: string;
  readonly response: unknown;
}

interface Waiting {
  readonly booking: Booking;
  readonly resolve: (outcome: BookingOutcome) => void;
  readonly reject: (error: unknown) => void;
}

// The first one waits for the last: with more, it would wait longer, and Postgres would use fewer of its processors.
const MAX_BATCH = 8;

/** Bookings under way have locked all free lockers: whether one stays free is not known yet. Nothing is booked. */
const BUSY = 'Busy';
// Every second time it waits, and somebody else has booked the locker that it waited for: 64 bookings for the last 24 lockers
// need 50 at most. A booking that never gets its turn must not keep a connection to Postgres for ever.
const MAX_SENT = 200;

const TEXT = 'select * from book_chains($1, $2)';
const statement = preparedStatement<BookingOutcome>(TEXT);

const gathered = new WeakMap<Kysely<Database>, Waiting[]>();

export async function book(database: Kysely<Database>, booking: Booking): Promise<BookingOutcome> {
  const begin = performance.now();
  try {
    const outcome = await added(database, booking);
    statementSpan(TEXT, performance.now() - begin);
    return outcome;
  } catch (error) {
    statementSpan(TEXT, performance.now() - begin, { failed: true });
    throw error;
  }
}

function added(database: Kysely<Database>, booking: Booking): Promise<BookingOutcome> {
  const { promise, resolve, reject } = Promise.withResolvers<BookingOutcome>();
  const waiting = gathered.get(database) ?? [];
  if (waiting.push({ booking, resolve, reject }) === 1) {
    gathered.set(database, waiting);
    // One statement for several bookings is in none of their traces: each booking has a span of its own.
    outsideOfTraces(() => setImmediate(sendGathered, database));
  }
  return promise;
}

function sendGathered(database: Kysely<Database>): void {
  const waiting = gathered.get(database) ?? [];
  gathered.delete(database);
  // A booking that names its locker waits for it, so its transaction must hold no other.
  const { named = [], any = [] } = Object.groupBy(waiting, ({ booking }) =>
    booking.locker_uid === null ? 'any' : 'named',
  );
  for (const each of named) void sendAlone(database, each);
  for (const own of Map.groupBy(any, ({ booking }) => booking.tenant_id).values())
    for (let first = 0; first < own.length; first += MAX_BATCH)
      void sendAll(database, own.slice(first, first + MAX_BATCH));
}

const sendAll = (database: Kysely<Database>, together: readonly Waiting[]): Promise<void> => {
  const [first] = together;
  return first && together.length === 1 ? sendAlone(database, first) : sendTogether(database, together);
};

async function sendTogether(database: Kysely<Database>, together: readonly Waiting[]): Promise<void> {
  try {
    const outcomes = await outcomesOf(database, together);
    for (const [index, each] of together.entries()) {
      const outcome = outcomes[index] as BookingOutcome;
      if (outcome.outcome === BUSY) void sendAlone(database, each);
      else each.resolve(outcome);
    }
  } catch (error) {
    // Nothing of them was booked. Most of them would be, without the one that failed.
    if (wasTakenBack(error)) for (const each of together) void sendAlone(database, each);
    else for (const { reject } of together) reject(error);
  }
}

/**
 * Alone, a booking may wait for a locker that another one holds: for one only in a transaction, and before it has locked any. If the
 * other books it, the booking is sent again, and so sees what has become free meanwhile.
 */
async function sendAlone(database: Kysely<Database>, waiting: Waiting): Promise<void> {
  try {
    for (let sent = 0; sent < MAX_SENT; sent++) {
      const [outcome] = await outcomesOf(database, [waiting], sent % 2 === 1);
      if (outcome?.outcome !== BUSY) return waiting.resolve(outcome as BookingOutcome);
    }
    waiting.reject(overloaded('Others book all free lockers at this moment'));
  } catch (error) {
    waiting.reject(error);
  }
}

const outcomesOf = (
  database: Kysely<Database>,
  together: readonly Waiting[],
  waits = false,
): Promise<BookingOutcome[]> =>
  statement.rows(database, [JSON.stringify(together.map(({ booking }) => booking)), waits]);

/** Certainly: a connection that ends, and a statement that is cancelled (class 57), may have been committed before. */
const wasTakenBack = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.severity === 'ERROR' && !error.code?.startsWith('57');
