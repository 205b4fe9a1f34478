// Authenticates API clients and throttles failed attempts. The secret is checked first, so correct credentials never wait for
// the failures of others.
import type { FastifyBaseLogger } from 'fastify';
import { LRUCache } from 'lru-cache';
import { networkOf } from '../../shared/http/network.ts';
import { backoffMs } from '../../shared/limits/backoff.ts';
import { tooManyRequests } from '../refusal.ts';
import type { ApiClient, ApiClients } from './api-clients.ts';
import { type ClientCredentials, TokenRefusal } from './client-credentials.ts';
import { matchesClientSecret } from './client-secret.ts';

// Failures before throttling: a person may mistype a secret, a deployment may still have the old one.
const FREE_FAILURES_PER_CLIENT = 5;
// More, because many clients may share a network: one with a wrong secret must not soon affect the others.
const FREE_FAILURES_PER_NETWORK = 50;
// The longest client id (CLIENT_ID). Longer ones are truncated as keys, so that they cannot exhaust the memory.
const KEY_CHARACTERS = 200;

export class ClientAuthentication {
  readonly #clients: ApiClients;
  readonly #log: FastifyBaseLogger;
  readonly #clientFailures: FailedAttempts;
  readonly #networkFailures: FailedAttempts;

  constructor(clients: ApiClients, log: FastifyBaseLogger, now?: () => number) {
    this.#clients = clients;
    this.#log = log;
    this.#clientFailures = new FailedAttempts(FREE_FAILURES_PER_CLIENT, now);
    this.#networkFailures = new FailedAttempts(FREE_FAILURES_PER_NETWORK, now);
  }

  /**
   * Returns the client and the id of the secret that matched. Throws TokenRefusal invalid_client, the same for an unknown
   * client and a wrong secret.
   */
  async authenticate(
    { clientId, clientSecret }: ClientCredentials,
    address: string,
  ): Promise<{ readonly client: ApiClient; readonly secretId: string }> {
    const network = networkOf(address);
    const clientAtNetwork = `${clientId.slice(0, KEY_CHARACTERS)} ${network}`;
    const client = await this.#clients.find(clientId);
    const matching = client?.secrets.find(({ hash }) => matchesClientSecret(clientSecret, hash));
    if (client && matching) {
      this.#clientFailures.succeeded(clientAtNetwork);
      return { client, secretId: matching.secretId };
    }
    this.#networkFailures.requireNotThrottled(network);
    this.#clientFailures.requireNotThrottled(clientAtNetwork);
    this.#warn(this.#networkFailures.failed(network), FREE_FAILURES_PER_NETWORK, { network });
    const failures = this.#clientFailures.failed(clientAtNetwork);
    // An unknown client id is not logged: it may be a secret in the wrong field.
    if (client) this.#warn(failures, FREE_FAILURES_PER_CLIENT, { network, clientId });
    throw new TokenRefusal('invalid_client', 'The client is unknown or its secret is wrong');
  }

  /** Logs when throttling begins, and each time the number of failures has doubled, so that a flood does not fill the log. */
  #warn(failures: number, free: number, source: object): void {
    if (failures >= free && Number.isInteger(Math.log2(failures / free)))
      this.#log.warn({ ...source, failures }, 'wrong client credentials again and again');
  }
}

const WAIT = { firstMs: 1_000, lastMs: 60_000, jitter: 0 };
// Failures are forgotten this long after the last one.
const MEMORY_MS = 15 * 60_000;
// About 2 MB. An attacker with many addresses evicts the oldest entries but does not exhaust the memory.
const MAXIMUM_ENTRIES = 10_000;

interface Failures {
  readonly count: number;
  readonly lastAt: number;
}

/**
 * Throttles repeated failures with exponential backoff. Each instance counts by one kind of key, such as the network.
 */
export class FailedAttempts {
  readonly #free: number;
  readonly #now: () => number;
  readonly #failures = new LRUCache<string, Failures>({ max: MAXIMUM_ENTRIES });

  /** @param free failures before throttling @param now monotonic clock, in milliseconds */
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

  /** Counts a failure. @returns the number so far */
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
