// The connectors of one worker, by name, with the connections that they share.
import { Agent, type Dispatcher } from 'undici';
import type { Connector, ConnectorSettings } from '../../runtime/settings/connectors.ts';

// Calls beyond this wait for a connection, so that a burst of processes does not open thousands at once.
const CONNECTIONS_PER_ORIGIN = 64;

export class Connectors {
  readonly #byName: ReadonlyMap<string, Connector>;
  /** The connector of events that name none. */
  readonly events: string | null;
  readonly dispatcher: Dispatcher = new Agent({ connections: CONNECTIONS_PER_ORIGIN });

  constructor({ connectors, events }: ConnectorSettings) {
    this.#byName = new Map(connectors.map((connector) => [connector.name, connector]));
    this.events = events;
  }

  get(name: string): Connector | undefined {
    return this.#byName.get(name);
  }

  get names(): readonly string[] {
    return [...this.#byName.keys()];
  }

  /** Waits for the calls under way, then closes the connections. */
  async close(): Promise<void> {
    await this.dispatcher.close();
  }
}
