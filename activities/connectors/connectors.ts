// The connectors of one worker, by name, with the connections that they share.

import { Agent, type Dispatcher } from 'undici';
import type { HttpAnswer, HttpRequest } from '../../shared/locker-api/http-exchange.ts';
import { TokenCache } from '../../shared/locker-api/token-cache.ts';
import type { Connector, ConnectorSettings } from '../../shared/settings/connectors.ts';
import { clientCredentialsToken } from './client-credentials-token.ts';
import { ConnectorError, exchange } from './exchange.ts';

// Calls beyond this wait for a connection, so that a burst of processes does not open thousands at once.
const CONNECTIONS_PER_ORIGIN = 64;

/** What an answer may repeat is a secret of the connector with which it was made. */
interface Exchanged {
  readonly answer: HttpAnswer;
  readonly connector: Connector;
}

export class Connectors {
  readonly #byName: ReadonlyMap<string, Connector>;
  /** By the names of the connectors that have them. */
  readonly #tokens: ReadonlyMap<string, TokenCache>;
  /** The connector of events that name none. */
  readonly events: string | null;
  readonly dispatcher: Dispatcher = new Agent({ connections: CONNECTIONS_PER_ORIGIN });

  constructor({ connectors, events }: Omit<ConnectorSettings, 'mail'>) {
    this.#byName = new Map(connectors.map((connector) => [connector.name, connector]));
    this.#tokens = new Map(
      connectors.flatMap((connector) =>
        connector.oauth2
          ? [
              [
                connector.name,
                new TokenCache(() => clientCredentialsToken(this.dispatcher, connector)),
              ] as const,
            ]
          : [],
      ),
    );
    this.events = events;
  }

  get(name: string): Connector | undefined {
    return this.#byName.get(name);
  }

  get names(): readonly string[] {
    return [...this.#byName.keys()];
  }

  /** An answer of success. A token that the other side does not take is renewed once. Throws ConnectorError. */
  async exchange(connector: Connector, request: HttpRequest): Promise<Exchanged> {
    const token = this.#tokens.get(connector.name);
    if (!token) return { answer: await exchange(this.dispatcher, connector, request), connector };
    const since = performance.now();
    const first = await token.get();
    try {
      return await this.#exchangeWith(first, connector, request);
    } catch (error) {
      if (!(error instanceof ConnectorError && error.isOneOf(['Unauthorized']))) throw error;
      token.discard(first);
    }
    const second = await token.get();
    // The attempt as a whole must end before its activity.
    const timeoutMs = Math.max(1_000, connector.timeoutMs - (performance.now() - since));
    return await this.#exchangeWith(second, { ...connector, timeoutMs }, request);
  }

  async #exchangeWith(token: string, connector: Connector, request: HttpRequest): Promise<Exchanged> {
    const own = { ...connector, secrets: [...connector.secrets, token] };
    const headers = { ...request.headers, authorization: `Bearer ${token}` };
    return { answer: await exchange(this.dispatcher, own, { ...request, headers }), connector: own };
  }

  /** Waits for the calls under way, then closes the connections. */
  async close(): Promise<void> {
    await this.dispatcher.close();
  }
}
