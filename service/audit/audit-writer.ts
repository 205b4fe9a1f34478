// Writes the entries of the audit log that change nothing: refusals, and the reading of access codes. An answer waits
// until its entry is written, so that a process that is killed loses none of what it has answered. Those that come
// together are written together.
import type { FastifyBaseLogger } from 'fastify';
import type { Kysely } from 'kysely';
import { TimeLimit, TimeLimitReached } from '../../limits/time-limit.ts';
import type { Database } from '../storage/database.ts';
import type { AuditEntry } from './audit-entry.ts';

// While the database is away, a refusal is answered all the same, and its entry waits in memory.
const ANSWER_WAITS_MS = 1_000;
const TRY_AGAIN_MS = 2_000;
// Some 5 MB. More than a database that is away for a while should cost; beyond it the oldest are lost, and counted.
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

  /** Resolves once the entry is written, or the database is away; the entry is written then when it is back. */
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

  /** Writes what waits. */
  async close(): Promise<void> {
    await this.#writing;
    await this.#write();
    clearTimeout(this.#timer);
  }

  /** One statement at a time: what comes during it goes along with the next. */
  #write(): Promise<void> {
    clearTimeout(this.#timer);
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = undefined;
      // What came after the last look, and before this.
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
        'refusals are missing in the audit log: the database was away for too long',
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
