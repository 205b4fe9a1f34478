// The connection to Postgres: the pool, its time-outs, and the tables as types. No SQL of the business is here.
import { Kysely } from 'kysely';
import pg from 'pg';
import type {
  CallbackConfigurationTable,
  CallbackFailureTable,
  CallbackKeyTable,
  CallbackOutageTable,
  CallbackQueueTable,
} from './callback-tables.ts';
import { useFunctions } from './functions.ts';
import { PipelinedDialect } from './pipelined-dialect.ts';
import type {
  AccessCodeTable,
  IdempotencyKeyTable,
  LockerSizeTable,
  LockerTable,
  SandboxSwitchesTable,
  ShipmentEventTable,
  ShipmentObjectTable,
  ShipmentTable,
  SimulatedDoorTable,
} from './shipment-tables.ts';
import type { AccountSuggestionTable, AccountSuggestionUploadTable } from './suggestion-tables.ts';
import type {
  AccountTable,
  ApiClientTable,
  AuditLogTable,
  ClientSecretTable,
  FunctionSchemaTable,
  MigrationTable,
  OverflowPickUpPointTable,
  PickUpPointTable,
  ProductionUseTable,
  SigningKeyTable,
  TenantTable,
} from './tables.ts';

export interface Database {
  migrations: MigrationTable;
  production_use: ProductionUseTable;
  function_schemas: FunctionSchemaTable;
  tenants: TenantTable;
  pick_up_points: PickUpPointTable;
  overflow_pick_up_points: OverflowPickUpPointTable;
  accounts: AccountTable;
  api_clients: ApiClientTable;
  client_secrets: ClientSecretTable;
  signing_keys: SigningKeyTable;
  locker_sizes: LockerSizeTable;
  lockers: LockerTable;
  shipments: ShipmentTable;
  access_codes: AccessCodeTable;
  shipment_objects: ShipmentObjectTable;
  callback_configurations: CallbackConfigurationTable;
  shipment_events: ShipmentEventTable;
  callback_keys: CallbackKeyTable;
  callback_queue: CallbackQueueTable;
  callback_outages: CallbackOutageTable;
  callback_failures: CallbackFailureTable;
  audit_log: AuditLogTable;
  idempotency_keys: IdempotencyKeyTable;
  sandbox_switches: SandboxSwitchesTable;
  simulated_doors: SimulatedDoorTable;
  account_suggestion_uploads: AccountSuggestionUploadTable;
  account_suggestions: AccountSuggestionTable;
}

// A statement that runs longer is stuck, and would hold its row locks and its connection against everyone else.
const STATEMENT_TIMEOUT_MS = 15_000;
// Postgres ends a statement by itself; this is for when its answer never comes, as after a cut in the network.
const QUERY_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 5_000;
// Waiting for one row this long means a dead lock holder: better to fail than to fill the pool with waiters.
const LOCK_TIMEOUT_MS = 10_000;
// A transaction left open by a bug or a paused process would keep its locks for ever.
const IDLE_TRANSACTION_TIMEOUT_MS = 30_000;
// With every connection taken this long the service is overloaded; a refused request can be repeated.
const CONNECTION_TIMEOUT_MS = 10_000;
// A new connection has to sign in and to plan every statement anew: some 30 ms, which each request would wait that comes
// after a pause longer than this. The pool's own 10 s are shorter than the pauses of a quiet installation.
const IDLE_CONNECTION_TIMEOUT_MS = 5 * 60_000;

// Ids and counts are bigint in Postgres. They stay far below 2^53; one that did not would be read wrongly, so it fails.
function bigintToNumber(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`The bigint ${text} is too big for a number`);
  return value;
}

// Of bigint[]; pg has no name for it. Its own parser leaves each element a text, which equals no id.
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

export interface DatabaseOptions {
  readonly url: string;
  readonly connections: number;
  /** How long a request waits for a connection. */
  readonly connectionTimeoutMs?: number;
  /** Told of a connection that broke while no statement was under way; the pool replaces it by itself. */
  readonly onBrokenConnection: (error: Error) => void;
}

export function openDatabase({
  url,
  connections,
  connectionTimeoutMs = CONNECTION_TIMEOUT_MS,
  onBrokenConnection,
}: DatabaseOptions): Kysely<Database> {
  const pool = new pg.Pool({
    connectionString: url,
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
  // The pool listens only while a connection is idle. One that breaks between two statements of a transaction would have
  // nobody to tell, and an error event that nobody takes ends the process.
  pool.on('connect', (client) => {
    client.on('error', onBrokenConnection);
    // Before every statement that the pool's user sends. When it fails, so does the first call of a function.
    client.query(useFunctions).catch(onBrokenConnection);
  });
  // The same error once more, of an idle one.
  pool.on('error', () => undefined);
  return new Kysely<Database>({ dialect: new PipelinedDialect({ pool }) });
}
