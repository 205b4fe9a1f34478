// Tells the callback senders of all processes that callbacks have become due: after the commit, never in it. Postgres
// commits each transaction with a notification under one lock of the whole server and waits for the disk there, so two
// of them cannot share a flush. With 16 connections this cost two thirds of all commits (measured).
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database } from './storage/database.ts';
import { afterTransaction } from './storage/transaction.ts';

export class DueCallbackAnnouncer {
  readonly #database: Kysely<Database>;
  readonly #onError: (error: unknown) => void;
  #isWanted = false;
  #running: Promise<void> | undefined;

  constructor(database: Kysely<Database>, onError: (error: unknown) => void) {
    this.#database = database;
    this.#onError = onError;
  }

  /**
   * Requests during an announcement become one more announcement. If one fails, the senders' polling finds the
   * callbacks.
   */
  readonly announce = (): void => {
    this.#isWanted = true;
    this.#running ??= this.#run();
  };

  /** For callbacks that the transaction has recorded. */
  announceAfter(transaction: Transaction<Database>): void {
    afterTransaction(transaction, this.announce);
  }

  /** Resolves when all requested announcements are done. */
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

/** In the transaction: for what an operator or a test does now and then. */
export const wakeSenders = (database: Kysely<Database>) =>
  sql`select pg_notify('callbacks_due', '')`.execute(database);
