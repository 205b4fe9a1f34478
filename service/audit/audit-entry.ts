// The audit log: which API client did what, with which uids and which outcome. Of texts it has only the name in X-On-Behalf-Of.
import type { FastifyBaseLogger } from 'fastify';
import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import { TimeLimit, TimeLimitReached } from '../../shared/limits/time-limit.ts';
import type { Database } from '../storage/database.ts';

export interface AuditedRequest {
  readonly tenantId: number;
  /** Null if an operator's command made the change. */
  readonly clientId: string | null;
  /** The person for whom the client acts, as the client says; null if it says nothing. */
  readonly onBehalfOf: string | null;
  /** An operation's name, or a command's words. */
  readonly operation: string;
  readonly requestId: string;
}

export interface AuditEntry extends AuditedRequest {
  readonly uids: readonly string[];
  /** Success, or the code of the refusal. */
  readonly outcome: string;
}

export const SUCCESS = 'Success';

// The fields that name the object of an operation. Others, like toUserUid, are details.
const SUBJECTS = [
  'shipmentUids',
  'shipmentUid',
  'shipmentObjectUid',
  'priorShipmentUid',
  'swapsShipmentUid',
  'userUid',
  'pickUpPointUid',
  'lockerUid',
];

/** From a request and its answer, or its refusal. */
export function subjectsOf(...bodies: readonly object[]): string[] {
  const uids = bodies.flatMap((body) =>
    SUBJECTS.flatMap((name) => (body as Readonly<Record<string, unknown>>)[name] ?? []),
  );
  return [...new Set(uids.filter((uid) => typeof uid === 'string'))];
}

/** Holds for the rows of audit_log about it, which are looked up by their ids (functions/audit.sql). */
export const isAbout = (tenantId: number, uid: string): RawBuilder<SqlBool> =>
  sql`audit_id = any(array(select audit_ids_about(${tenantId}, ${uid})))`;

/** Writes the entry of a change, in the transaction of the change. A booking's is written by book_chain itself. */
export const insertAuditEntry = ({
  tenantId,
  clientId,
  onBehalfOf,
  operation,
  uids,
  outcome,
  requestId,
}: AuditEntry): RawBuilder<unknown> => sql`
  insert into audit_log (tenant_id, client_id, on_behalf_of, operation, uids, outcome, request_id)
  values (${tenantId}::bigint, ${clientId}, ${onBehalfOf}, ${operation}, ${uids}::text[], ${outcome}, ${requestId})`;

// Writes the entries of the audit log for requests without a change: refusals, and the reading of access codes. An
// answer waits until its entry is written, so a killed process loses no entry of a request that it has answered.
// Entries that come at the same time are written in one statement.

// While the database is not available, the service still answers refusals, and keeps their entries in memory.
const ANSWER_WAITS_MS = 1_000;
const TRY_AGAIN_MS = 2_000;
// Some 5 MB, enough for a short outage of the database. Beyond it the oldest entries are lost, and counted.
const MAXIMUM_WAITING = 20_000;
const WRITTEN_AT_A_TIME = 1_000;

const rowOf = ({ tenantId, clientId, onBehalfOf, operation, uids, outcome, requestId }: AuditEntry) => ({
  tenant_id: tenantId,
  client_id: clientId,
  on_behalf_of: onBehalfOf,
  operation,
  uids: [...uids],
  outcome,
  request_id: requestId,
  occurred_at: new Date(),
});

export class AuditWriter {
  readonly #database: Kysely<Database>;
  readonly #log: FastifyBaseLogger;
  readonly #waiting: ReturnType<typeof rowOf>[] = [];
  #lost = 0;
  #isAway = false;
  #timer: NodeJS.Timeout | undefined;
  #writing = Promise.resolve();
  /** The one after it, which takes what comes meanwhile. */
  #next: Promise<void> | undefined;

  constructor(database: Kysely<Database>, log: FastifyBaseLogger) {
    this.#database = database;
    this.#log = log;
  }

  /** Resolves when the entry is written, or when the database is not available. Then the entry is written later. */
  async note(entry: AuditEntry): Promise<void> {
    this.#waiting.push(rowOf(entry));
    if (this.#waiting.length > MAXIMUM_WAITING) {
      this.#waiting.shift();
      this.#lost += 1;
    }
    if (this.#isAway) return;
    using limit = new TimeLimit(ANSWER_WAITS_MS);
    await limit.race(this.#write()).catch((error: unknown) => {
      if (!(error instanceof TimeLimitReached)) throw error;
    });
  }

  async close(): Promise<void> {
    await this.#write();
    clearTimeout(this.#timer);
  }

  /** One statement at a time: entries that come during it wait for the next one. */
  #write(): Promise<void> {
    this.#next ??= this.#writing.then(() => {
      this.#next = undefined;
      this.#writing = this.#writeWaiting();
      return this.#writing;
    });
    return this.#next;
  }

  async #writeWaiting(): Promise<void> {
    clearTimeout(this.#timer);
    for (let left = this.#waiting.length; left > 0; left -= WRITTEN_AT_A_TIME) {
      const rows = this.#waiting.splice(0, WRITTEN_AT_A_TIME);
      try {
        await this.#database.insertInto('audit_log').values(rows).execute();
      } catch (error) {
        this.#waiting.unshift(...rows);
        this.#log.warn({ err: error, waiting: this.#waiting.length }, 'the audit log waits for the database');
        this.#isAway = true;
        this.#timer = setTimeout(() => void this.#write(), TRY_AGAIN_MS);
        return;
      }
      this.#isAway = false;
    }
    if (this.#lost > 0)
      this.#log.error(
        { lost: this.#lost },
        'refusals are missing in the audit log: the database was not available for too long',
      );
    this.#lost = 0;
  }
}
