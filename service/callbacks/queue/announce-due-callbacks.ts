// Tells the callback senders of all processes that callbacks have become due: after the commit, never in it. Postgres
// commits a transaction that notifies under one lock of the whole server and waits for the disk there, so no two of them
// share a flush. With 16 connections that cost two thirds of all commits (measured).
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database } from '../../storage/database.ts';
import { afterTransaction } from '../../storage/transaction.ts';

export class DueCallbackAnnouncer {
  readonly #database: Kysely<Database>;
  readonly #onError: (error: unknown) => void;
  #isWanted = false;
  #running: Promise<void> | undefined;

  constructor(database: Kysely<Database>, onError: (error: unknown) => void) {
    this.#database = database;
    this.#onError = onError;
  }

  /** Announcements that are asked for while one is under way become one more. The senders' polling covers a failure. */
  readonly announce = (): void => {
    this.#isWanted = true;
    this.#running ??= this.#run();
  };

  /** For callbacks that the transaction has recorded. */
  announceAfter(transaction: Transaction<Database>): void {
    afterTransaction(transaction, this.announce);
  }

  /** Resolves when everything that was asked for is announced. */
  async announced(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    try {
      while (this.#isWanted) {
        this.#isWanted = false;
        // Nothing is written, so there is no reason to wait for the disk.
        await sql`
          select set_config('synchronous_commit', 'off', true), pg_notify('callbacks_due', '')
        `.execute(this.#database);
      }
    } catch (error) {
      this.#onError(error);
    } finally {
      this.#running = undefined;
    }
  }
}
