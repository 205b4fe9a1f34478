// The connection to Postgres: the pool and its time-outs, traces of statements, and the states of shipments as SQL has them.
import {
  type DatabaseConnection,
  type Driver,
  Kysely,
  PostgresDialect,
  type PostgresDialectConfig,
  PostgresDriver,
  type TransactionSettings,
} from 'kysely';
import pg from 'pg';
import { gauges } from '../../shared/telemetry/metrics.ts';
import { useFunctions } from './functions.ts';
import { PreparingClient } from './prepared-statements.ts';
import { sqlSpan } from './statement-spans.ts';
import type { Database } from './tables.ts';

export type { Database };

// A statement that runs longer is stuck. It would keep its row locks and its connection from all other requests.
const STATEMENT_TIMEOUT_MS = 15_000;
// Postgres ends a statement by itself. This limit is for an answer that never comes, as after a cut in the network.
const QUERY_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 5_000;
// If a statement waits this long for a row, the lock's holder is dead. It fails, so that waiters do not fill the pool.
const LOCK_TIMEOUT_MS = 10_000;
// A transaction left open by a bug or a paused process would keep its locks for ever.
const IDLE_TRANSACTION_TIMEOUT_MS = 30_000;
// If all connections are in use for this long, the service is overloaded. The client can repeat a refused request.
const CONNECTION_TIMEOUT_MS = 10_000;
// A new connection has to sign in and to plan every statement again: some 30 ms for the first request after a pause
// longer than this. The pool's default of 10 s is shorter than the pauses of a quiet installation.
const IDLE_CONNECTION_TIMEOUT_MS = 5 * 60_000;

// Ids and counts are bigint in Postgres. They stay far below 2^53. A larger one fails, because a number cannot hold it.
function bigintToNumber(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`The bigint ${text} is too big for a number`);
  return value;
}

// The type bigint[], which has no name in pg. Its parser gives texts, and a text never equals an id.
const BIGINT_ARRAY: number = 1016;
const textsOf: (text: string) => (string | null)[] = pg.types.getTypeParser(BIGINT_ARRAY, 'text');

function bigintsToNumbers(text: string): (number | null)[] {
  return textsOf(text).map((element) => (element === null ? null : bigintToNumber(element)));
}

const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') => {
    if (oid === pg.types.builtins.INT8) return bigintToNumber;
    return oid === BIGINT_ARRAY ? bigintsToNumbers : pg.types.getTypeParser(oid, format);
  },
};

interface DatabaseOptions {
  readonly url: string;
  readonly connections: number;
  /** How long a request waits for a connection. */
  readonly connectionTimeoutMs?: number;
  /** Whether Prometheus is told of its connections: of one in a process. */
  readonly isMeasured?: boolean;
  /** Called when a connection breaks while no statement is under way. The pool replaces the connection by itself. */
  readonly onBrokenConnection: (error: Error) => void;
}

export function openDatabase({
  url,
  connections,
  connectionTimeoutMs = CONNECTION_TIMEOUT_MS,
  isMeasured = false,
  onBrokenConnection,
}: DatabaseOptions): Kysely<Database> {
  const pool = new pg.Pool({
    connectionString: url,
    Client: PreparingClient,
    max: connections,
    types,
    application_name: 'lockerflow-service',
    keepAlive: true,
    // A transaction's BEGIN goes out with its first statement (PipelinedDialect).
    pipeline: true,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
    lock_timeout: LOCK_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_TRANSACTION_TIMEOUT_MS,
    connectionTimeoutMillis: connectionTimeoutMs,
    idleTimeoutMillis: IDLE_CONNECTION_TIMEOUT_MS,
  });
  // The pool listens for errors only while a connection is idle. If a connection breaks between two statements of a
  // transaction, its error event needs a listener, or it ends the process.
  pool.on('connect', (client) => {
    client.on('error', onBrokenConnection);
    // Before every statement that the pool's user sends. When it fails, so does the first call of a function.
    client.query(useFunctions).catch(onBrokenConnection);
  });
  if (isMeasured) measurePool(pool);
  // An idle connection gives the same error a second time.
  pool.on('error', () => undefined);
  return new Kysely<Database>({ dialect: new PipelinedDialect({ pool }), log: sqlSpan });
}

/** A service whose requests wait for a connection is overloaded, or Postgres is slow. */
function measurePool(pool: pg.Pool): void {
  gauges(
    {
      lockerflow_database_connections: 'Connections to Postgres, in use and idle.',
      lockerflow_database_connections_limit: 'Connections that this process may have.',
      lockerflow_database_waiting_requests: 'What waits for a connection.',
    },
    (report) => {
      report('lockerflow_database_connections', pool.totalCount - pool.idleCount, { state: 'in_use' });
      report('lockerflow_database_connections', pool.idleCount, { state: 'idle' });
      report('lockerflow_database_connections_limit', pool.options.max);
      report('lockerflow_database_waiting_requests', pool.waitingCount);
    },
  );
}

/**
 * Transactions with a round trip less: BEGIN goes out together with the first statement, on connections of pg that send without
 * waiting for the answer before (`pipeline`).
 */
class PipelinedDialect extends PostgresDialect {
  readonly #config: PostgresDialectConfig;

  constructor(config: PostgresDialectConfig) {
    super(config);
    this.#config = config;
  }

  override createDriver(): Driver {
    return new PipelinedDriver(this.#config);
  }
}

class PipelinedDriver extends PostgresDriver {
  readonly #begun = new WeakMap<DatabaseConnection, Promise<void>>();

  override beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    const begun = super.beginTransaction(connection, settings);
    // Looked at before the commit. It fails only with the connection, and then so does the first statement.
    begun.catch(() => undefined);
    this.#begun.set(connection, begun);
    return Promise.resolve();
  }

  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await this.#begun.get(connection);
    await super.commitTransaction(connection);
  }
}
