// Checks whether credentials belong to an API client. It checks the secret before it looks at counted failures, so
// correct credentials never wait because of another client's failures.
import type { FastifyBaseLogger } from 'fastify';
import { LRUCache } from 'lru-cache';
import { networkOf } from '../../shared/http/network.ts';
import { backoffMs } from '../../shared/limits/backoff.ts';
import { tooManyRequests } from '../refusal.ts';
import type { ApiClient, ApiClients } from './api-clients.ts';
import { type ClientCredentials, TokenRefusal } from './client-credentials.ts';
import { matchesClientSecret } from './client-secret.ts';

// The first failures are free: a person may mistype a secret, a deployment may still have the old one.
const FREE_FAILURES_OF_A_CLIENT = 5;
// More than for a client, because many clients may share a network: one with a wrong secret must not affect the others
// soon.
const FREE_FAILURES_OF_A_NETWORK = 50;
// The longest client id (CLIENT_ID). A longer text is counted under its beginning, or it would fill the memory.
const COUNTED_CHARACTERS = 200;

export class ClientAuthentication {
  readonly #clients: ApiClients;
  readonly #log: FastifyBaseLogger;
  readonly #ofClients: FailedAttempts;
  readonly #ofNetworks: FailedAttempts;

  constructor(clients: ApiClients, log: FastifyBaseLogger, now?: () => number) {
    this.#clients = clients;
    this.#log = log;
    this.#ofClients = new FailedAttempts(FREE_FAILURES_OF_A_CLIENT, now);
    this.#ofNetworks = new FailedAttempts(FREE_FAILURES_OF_A_NETWORK, now);
  }

  /**
   * The client, and which of its secrets it has shown. Throws TokenRefusal invalid_client, the same whether the client or
   * its secret is wrong.
   */
  async authenticate(
    { clientId, clientSecret }: ClientCredentials,
    address: string,
  ): Promise<{ readonly client: ApiClient; readonly secretId: string }> {
    const network = networkOf(address);
    const clientAtNetwork = `${clientId.slice(0, COUNTED_CHARACTERS)} ${network}`;
    const client = await this.#clients.find(clientId);
    const shown = client?.secrets.find(({ hash }) => matchesClientSecret(clientSecret, hash));
    if (client && shown) {
      this.#ofClients.succeeded(clientAtNetwork);
      return { client, secretId: shown.secretId };
    }
    this.#ofNetworks.requireNotThrottled(network);
    this.#ofClients.requireNotThrottled(clientAtNetwork);
    this.#tell(this.#ofNetworks.failed(network), FREE_FAILURES_OF_A_NETWORK, { network });
    const failures = this.#ofClients.failed(clientAtNetwork);
    // A client id that does not exist is not repeated in the log: it may be a secret that stands in the wrong place.
    if (client) this.#tell(failures, FREE_FAILURES_OF_A_CLIENT, { network, clientId });
    throw new TokenRefusal('invalid_client', 'The client is unknown or its secret is wrong');
  }

  /** Once no more failures are free, and whenever their number has doubled: a flood must not fill the log. */
  #tell(failures: number, free: number, whose: object): void {
    if (failures >= free && Number.isInteger(Math.log2(failures / free)))
      this.#log.warn({ ...whose, failures }, 'wrong client credentials again and again');
  }
}

const WAIT = { firstMs: 1_000, lastMs: 60_000, jitter: 0 };
// Failures are forgotten this long after the last one.
const MEMORY_MS = 15 * 60_000;
// Some 2 MB. An attacker with many addresses pushes out the oldest entries and does not fill the memory.
const MAXIMUM_ENTRIES = 10_000;

interface Failures {
  readonly count: number;
  readonly lastAt: number;
}

/**
 * Slows a caller that fails again and again: after some failures in a row the next one has to wait, twice as long each time. Each
 * instance counts failures for itself, by a shared property like the network.
 */
export class FailedAttempts {
  readonly #free: number;
  readonly #now: () => number;
  readonly #failures = new LRUCache<string, Failures>({ max: MAXIMUM_ENTRIES });

  /** @param free failures that cost no wait; the clock counts milliseconds */
  constructor(free: number, now: () => number = () => performance.now()) {
    this.#free = free;
    this.#now = now;
  }

  /** Throws RateLimitExceeded while the next failure has to wait. */
  requireNotThrottled(key: string): void {
    const failures = this.#recent(key);
    if (!failures || failures.count < this.#free) return;
    const wait = backoffMs(failures.count - this.#free + 1, WAIT);
    const left = failures.lastAt + wait - this.#now();
    if (left > 0) throw tooManyRequests(left / 1_000);
  }

  /** How many there are now. */
  failed(key: string): number {
    const count = (this.#recent(key)?.count ?? 0) + 1;
    this.#failures.set(key, { count, lastAt: this.#now() });
    return count;
  }

  succeeded(key: string): void {
    this.#failures.delete(key);
  }

  #recent(key: string): Failures | undefined {
    const failures = this.#failures.get(key);
    return failures && this.#now() - failures.lastAt < MEMORY_MS ? failures : undefined;
  }
}
