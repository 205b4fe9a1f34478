// Whether credentials are those of an API client: found, not throttled, and its secret right.
import type { ApiClient, ApiClients } from './api-clients.ts';
import type { ClientCredentials } from './client-credentials.ts';
import { FailedAttempts } from './failed-attempts.ts';
import { TokenRefusal } from './token-refusal.ts';
import { VerifiedSecrets } from './verified-secrets.ts';

// A person who mistypes a secret, or a deployment that still has the old one, is not slowed at once.
const FREE_FAILURES_OF_A_CLIENT = 5;
// More, since many clients may share an address: one of them with a wrong secret must not shut out the others.
const FREE_FAILURES_OF_AN_ADDRESS = 50;

export class ClientAuthentication {
  readonly #clients: ApiClients;
  readonly #secrets = new VerifiedSecrets();
  readonly #ofClients = new FailedAttempts(FREE_FAILURES_OF_A_CLIENT);
  readonly #ofAddresses = new FailedAttempts(FREE_FAILURES_OF_AN_ADDRESS);

  constructor(clients: ApiClients) {
    this.#clients = clients;
  }

  /** Throws TokenRefusal invalid_client, the same whether the client or its secret is wrong. */
  async authenticate({ clientId, clientSecret }: ClientCredentials, address: string): Promise<ApiClient> {
    // With the address, so that nobody can shut a client out by failing in its name from elsewhere.
    const clientAtAddress = `${clientId} ${address}`;
    this.#ofAddresses.requirePatience(address);
    this.#ofClients.requirePatience(clientAtAddress);
    const client = await this.#clients.find(clientId);
    if (!(await this.#secrets.matches(client, clientSecret)) || !client) {
      this.#ofAddresses.failed(address);
      this.#ofClients.failed(clientAtAddress);
      throw new TokenRefusal('invalid_client', 'The client is unknown or its secret is wrong');
    }
    this.#ofClients.succeeded(clientAtAddress);
    return client;
  }
}
