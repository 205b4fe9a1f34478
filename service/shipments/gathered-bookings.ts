// Sends bookings to Postgres. Those of one tenant that one turn of the event loop brings go together: one statement, one
// commit. So a busy service makes more of them, and a booking that comes alone does not wait for another.
import type { Kysely } from 'kysely';
import pg from 'pg';
import { outsideOfTraces } from '../../runtime/telemetry/spans.ts';
import type { Database } from '../storage/database.ts';
import { preparedStatement } from '../storage/prepared.ts';
import { statementSpan } from '../storage/sql-spans.ts';

/** The parameters of book_chain, by name. Null: absent. */
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
  readonly with_events: boolean;
  readonly operation: string;
  readonly key_hash: string | null;
  readonly request_hash: string | null;
  readonly client_id: string | null;
  readonly on_behalf_of: string | null;
  readonly request_id: string;
  readonly uids: readonly string[];
}

export interface BookingOutcome {
  readonly outcome: string;
  readonly response: unknown;
}

interface Waiting {
  readonly booking: Booking;
  readonly resolve: (outcome: BookingOutcome) => void;
  readonly reject: (error: unknown) => void;
}

// The first one waits for the last: with more, it would wait longer, and Postgres would use fewer of its processors.
const MOST_TOGETHER = 8;

const TEXT = 'select * from book_chains($1)';
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
  for (const own of Map.groupBy(waiting, ({ booking }) => booking.tenant_id).values()) {
    // In one order everywhere: two transactions would otherwise wait for each other's lockers.
    own.sort((one, other) => one.booking.pup_uid.localeCompare(other.booking.pup_uid));
    for (let first = 0; first < own.length; first += MOST_TOGETHER)
      void send(database, own.slice(first, first + MOST_TOGETHER));
  }
}

async function send(database: Kysely<Database>, together: readonly Waiting[]): Promise<void> {
  try {
    const outcomes = await statement.rows(database, [JSON.stringify(together.map(({ booking }) => booking))]);
    for (const [index, { resolve }] of together.entries()) resolve(outcomes[index] as BookingOutcome);
  } catch (error) {
    // Nothing of them was booked. Most of them would be, without the one that failed.
    if (together.length > 1 && wasTakenBack(error)) for (const each of together) void send(database, [each]);
    else for (const { reject } of together) reject(error);
  }
}

/** Certainly: a connection that ends, and a statement that is cancelled (class 57), may have been committed before. */
const wasTakenBack = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.severity === 'ERROR' && !error.code?.startsWith('57');
