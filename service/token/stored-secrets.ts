// Compares a client's secret with its stored hashes.
import type { Kysely } from 'kysely';
import { tooManyRequests } from '../refusal.ts';
import type { Database } from '../storage/database.ts';
import type { ApiClient } from './api-clients.ts';
import { hashClientSecret, isSlowHash, matchesClientSecret, matchesSlowHash } from './client-secret.ts';

// Each check needs 16 MiB and some 30 ms of one core: more at a time would only wait for a core.
const SLOW_HASHES_AT_ONCE = 2;
// Some 1.5 s of waiting. Further requests get RateLimitExceeded, so that a flood cannot pile up.
const MAXIMUM_WAITING = 100;

export class StoredSecrets {
  readonly #database: Kysely<Database>;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(database: Kysely<Database>) {
    this.#database = database;
  }

  async matches({ clientId, secretHashes }: ApiClient, secret: string): Promise<boolean> {
    if (secretHashes.some((stored) => !isSlowHash(stored) && matchesClientSecret(secret, stored)))
      return true;
    for (const stored of secretHashes)
      if (isSlowHash(stored) && (await this.#matchesSlow(secret, stored))) {
        await this.#replace(clientId, stored, hashClientSecret(secret));
        return true;
      }
    return false;
  }

  async #matchesSlow(secret: string, stored: string): Promise<boolean> {
    if (this.#waiting.length >= MAXIMUM_WAITING) throw tooManyRequests(1);
    this.#running += 1;
    if (this.#running > SLOW_HASHES_AT_ONCE) await new Promise<void>((go) => this.#waiting.push(go));
    try {
      return await matchesSlowHash(secret, stored);
    } finally {
      this.#running -= 1;
      this.#waiting.shift()?.();
    }
  }

  /** Secrets with the slow hash of an earlier version, so that it is computed only for the client's first token. */
  async #replace(clientId: string, former: string, hash: string): Promise<void> {
    await this.#database
      .updateTable('client_secrets')
      .set({ hash })
      .where('client_id', '=', clientId)
      .where('hash', '=', former)
      .execute();
  }
}
