// Writes the entries of the audit log that change nothing: refusals, and the reading of access codes. Several together,
// shortly after their answers, so that no request waits for them. Only a process that is killed loses the last of them.
import type { FastifyBaseLogger } from 'fastify';
import type { Kysely } from 'kysely';
import type { Database } from '../storage/database.ts';
import type { AuditEntry } from './audit-entry.ts';

const DELAY_MS = 200;
// Some 5 MB. More than a database that is away for a while should cost; beyond it the oldest are lost, and counted.
const MAXIMUM_WAITING = 20_000;
const WRITTEN_AT_A_TIME = 1_000;

interface NotedEntry extends AuditEntry {
  readonly occurredAt: Date;
}

const rowOf = ({ tenantId, clientId, operation, uids, outcome, requestId, occurredAt }: NotedEntry) => ({
  tenant_id: tenantId,
  client_id: clientId,
  operation,
  uids: [...uids],
  outcome,
  request_id: requestId,
  occurred_at: occurredAt,
});

export class LateAudit {
  readonly #database: Kysely<Database>;
  readonly #log: FastifyBaseLogger;
  readonly #waiting: NotedEntry[] = [];
  #lost = 0;
  #timer: NodeJS.Timeout | undefined;
  #writing = Promise.resolve();

  constructor(database: Kysely<Database>, log: FastifyBaseLogger) {
    this.#database = database;
    this.#log = log;
  }

  note(entry: AuditEntry): void {
    this.#waiting.push({ ...entry, occurredAt: new Date() });
    if (this.#waiting.length > MAXIMUM_WAITING) {
      this.#waiting.shift();
      this.#lost += 1;
    }
    this.#timer ??= setTimeout(() => void this.#flush(), DELAY_MS);
  }

  /** Writes what waits. */
  async close(): Promise<void> {
    await this.#flush();
    clearTimeout(this.#timer);
  }

  #flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing = this.#writing.then(() => this.#write());
    return this.#writing;
  }

  async #write(): Promise<void> {
    while (this.#waiting.length > 0) {
      const entries = this.#waiting.splice(0, WRITTEN_AT_A_TIME);
      try {
        await this.#database.insertInto('audit_log').values(entries.map(rowOf)).execute();
      } catch (error) {
        this.#waiting.unshift(...entries);
        this.#log.warn({ err: error, waiting: this.#waiting.length }, 'the audit log waits for the database');
        this.#timer ??= setTimeout(() => void this.#flush(), 10 * DELAY_MS);
        return;
      }
    }
    if (this.#lost > 0)
      this.#log.error(
        { lost: this.#lost },
        'refusals are missing in the audit log: the database was away for too long',
      );
    this.#lost = 0;
  }
}
