// Checks whether credentials belong to an API client. It checks the secret before it looks at counted failures, so
// correct credentials never wait because of another client's failures.
import type { FastifyBaseLogger } from 'fastify';
import { networkOf } from '../../runtime/http/network.ts';
import type { ApiClient, ApiClients } from './api-clients.ts';
import type { ClientCredentials } from './client-credentials.ts';
import { matchesClientSecret } from './client-secret.ts';
import { FailedAttempts } from './failed-attempts.ts';
import { TokenRefusal } from './token-refusal.ts';

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
    this.#ofNetworks.requirePatience(network);
    this.#ofClients.requirePatience(clientAtNetwork);
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
