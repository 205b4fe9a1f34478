// Authenticates API clients and throttles failed attempts. The secret is checked first, so correct credentials never wait for
// the failures of others.

import type { FastifyBaseLogger } from 'fastify';
import { LRUCache } from 'lru-cache';
import { type TokenErrorCode, tokenErrors } from '../../contract/index.ts';
import { networkOf } from '../../shared/http/network.ts';
import { backoffMs } from '../../shared/limits/backoff.ts';
import { tooManyRequests } from '../api-error.ts';
import { type ApiClient, type ApiClients, matchingSecret } from './api-clients.ts';

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
   * Returns the client and the id of the secret that matched. Throws OAuthError invalid_client, the same for an unknown
   * client and a wrong secret.
   */
  async authenticate(
    { clientId, clientSecret }: ClientCredentials,
    address: string,
  ): Promise<{ readonly client: ApiClient; readonly secretId: string }> {
    const network = networkOf(address);
    const clientAtNetwork = `${clientId.slice(0, KEY_CHARACTERS)} ${network}`;
    const remembered = this.#clients.remembered(clientId);
    const atOnce = matchingSecret(clientSecret, remembered);
    // Whether a client is there must not show in the time: who does not match what is remembered always waits for the database.
    const client = atOnce ? remembered : await this.#clients.find(clientId, 0);
    const matching = atOnce ?? matchingSecret(clientSecret, client);
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
    throw new OAuthError('invalid_client', 'The client is unknown or its secret is wrong');
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

interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

export function readCredentials(authorization: string | undefined, form: URLSearchParams): ClientCredentials {
  const formClientId = form.get('client_id');
  const formSecret = form.get('client_secret');
  if (authorization === undefined) {
    if (!formClientId || !formSecret)
      throw new OAuthError(
        'invalid_client',
        'client_id and client_secret are required: send both in the form, or in HTTP Basic',
      );
    return { clientId: formClientId, clientSecret: formSecret };
  }
  if (formSecret !== null)
    throw new OAuthError(
      'invalid_request',
      'The credentials are in HTTP Basic and in the form: send them in one of the two',
    );
  const basic = readBasic(authorization);
  if (formClientId !== null && formClientId !== basic.clientId)
    throw new OAuthError(
      'invalid_request',
      'client_id in the form differs from that in the Authorization header: send the same, or none in the form',
    );
  return basic;
}

function readBasic(authorization: string): ClientCredentials {
  const encoded = /^Basic +([A-Za-z0-9+/_-]+={0,2}) *$/i.exec(authorization)?.[1];
  const decoded = encoded === undefined ? '' : Buffer.from(encoded, 'base64').toString('utf8');
  const colon = decoded.indexOf(':');
  if (colon < 1)
    throw new OAuthError(
      'invalid_client',
      'The Authorization header must be Basic and client_id:client_secret in base64',
    );
  return {
    clientId: formDecoded(decoded.slice(0, colon)),
    clientSecret: formDecoded(decoded.slice(colon + 1)),
  };
}

/** RFC 6749 section 2.3.1: both parts are form-encoded before they are joined. */
function formDecoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch (error) {
    if (error instanceof URIError)
      throw new OAuthError(
        'invalid_client',
        'The credentials in HTTP Basic must be form-encoded before base64, with %25 for a percent sign',
      );
    throw error;
  }
}

/** A refusal of the token endpoint: a code of RFC 6749 section 5.2 and its description. */
export class OAuthError extends Error {
  override readonly name = 'OAuthError';
  readonly code: TokenErrorCode;
  readonly status: number;

  constructor(code: TokenErrorCode, description: string, status: number = tokenErrors[code]) {
    super(description);
    this.code = code;
    this.status = status;
  }
}
