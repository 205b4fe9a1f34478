// Tells the senders, in whichever process they are, that callbacks have become due: after the commit, never in it. A
// transaction that notifies commits under a lock of the whole server and waits for the disk there, so that no two of
// them share a flush: with 16 connections two thirds of all commits were lost to that (measured).
import { type Kysely, sql } from 'kysely';
import type { Database } from '../storage/database.ts';

export class SenderCall {
  readonly #database: Kysely<Database>;
  readonly #onError: (error: unknown) => void;
  #isWanted = false;
  #running: Promise<void> | undefined;

  constructor(database: Kysely<Database>, onError: (error: unknown) => void) {
    this.#database = database;
    this.#onError = onError;
  }

  /** All that is asked for while one call is under way is one more call. A call that fails is made up for by polling. */
  make(): void {
    this.#isWanted = true;
    this.#running ??= this.#run();
  }

  /** Resolves when the calls that were asked for are made. */
  async made(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    try {
      while (this.#isWanted) {
        this.#isWanted = false;
        // Nothing is written that a crash could lose: nobody waits for the disk.
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
