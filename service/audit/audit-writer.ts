// Writes the entries of the audit log for requests without a change: refusals, and the reading of access codes. An
// answer waits until its entry is written, so a killed process loses no entry of a request that it has answered.
// Entries that come at the same time are written in one statement.
import type { FastifyBaseLogger } from 'fastify';
import type { Kysely } from 'kysely';
import { TimeLimit, TimeLimitReached } from '../../shared/limits/time-limit.ts';
import type { Database } from '../storage/database.ts';
import type { AuditEntry } from './audit-entry.ts';

// While the database is not available, the service still answers refusals, and keeps their entries in memory.
const ANSWER_WAITS_MS = 1_000;
const TRY_AGAIN_MS = 2_000;
// Some 5 MB, enough for a short outage of the database. Beyond it the oldest entries are lost, and counted.
const MAXIMUM_WAITING = 20_000;
const WRITTEN_AT_A_TIME = 1_000;

interface Waiting {
  readonly entry: AuditEntry;
  readonly occurredAt: Date;
  /** Lets the answer go. */
  readonly release: () => void;
}

const rowOf = ({ entry, occurredAt }: Waiting) => ({
  tenant_id: entry.tenantId,
  client_id: entry.clientId,
  on_behalf_of: entry.onBehalfOf,
  why: entry.why,
  operation: entry.operation,
  uids: [...entry.uids],
  outcome: entry.outcome,
  request_id: entry.requestId,
  occurred_at: occurredAt,
});

export class AuditWriter {
  readonly #database: Kysely<Database>;
  readonly #log: FastifyBaseLogger;
  readonly #waiting: Waiting[] = [];
  #lost = 0;
  #isAway = false;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;

  constructor(database: Kysely<Database>, log: FastifyBaseLogger) {
    this.#database = database;
    this.#log = log;
  }

  /** Resolves when the entry is written, or when the database is not available. Then the entry is written later. */
  async note(entry: AuditEntry): Promise<void> {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    this.#waiting.push({ entry, occurredAt: new Date(), release });
    if (this.#waiting.length > MAXIMUM_WAITING) {
      this.#waiting.shift()?.release();
      this.#lost += 1;
    }
    if (this.#isAway) return;
    void this.#write();
    using limit = new TimeLimit(ANSWER_WAITS_MS);
    await limit.race(released).catch((error: unknown) => {
      if (!(error instanceof TimeLimitReached)) throw error;
    });
  }

  async close(): Promise<void> {
    await this.#writing;
    await this.#write();
    clearTimeout(this.#timer);
  }

  /** One statement at a time: entries that come during it wait for the next one. */
  #write(): Promise<void> {
    clearTimeout(this.#timer);
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = undefined;
      // Entries that came since the last check.
      if (this.#waiting.length > 0 && !this.#isAway) void this.#write();
    });
    return this.#writing;
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const written = this.#waiting.splice(0, WRITTEN_AT_A_TIME);
      try {
        await this.#database.insertInto('audit_log').values(written.map(rowOf)).execute();
      } catch (error) {
        this.#waiting.unshift(...written);
        this.#putOff(error);
        return;
      }
      this.#isAway = false;
      for (const { release } of written) release();
    }
    if (this.#lost > 0)
      this.#log.error(
        { lost: this.#lost },
        'refusals are missing in the audit log: the database was not available for too long',
      );
    this.#lost = 0;
  }

  #putOff(error: unknown): void {
    this.#log.warn({ err: error, waiting: this.#waiting.length }, 'the audit log waits for the database');
    this.#isAway = true;
    for (const { release } of this.#waiting) release();
    this.#timer = setTimeout(() => void this.#write(), TRY_AGAIN_MS);
  }
}
