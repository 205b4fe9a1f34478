// Listens for notifications of Postgres (LISTEN) over a separate connection, which is made again if it breaks. Everybody
// who listens polls too, so a missed notification only costs time.
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';

const PAUSE_MS = 1_000;

interface ListenerOptions {
  readonly databaseUrl: string;
  /** A name that needs no quotes in SQL. */
  readonly channel: string;
  /** What operators see in pg_stat_activity. */
  readonly applicationName: string;
  /** With the notification's text; without one when the connection is made, for those that were missed. */
  readonly onWake: (payload?: string) => void;
  readonly onError: (error: unknown) => void;
}

export class Listener {
  readonly #options: ListenerOptions;
  readonly #stop = new AbortController();
  #client: pg.Client | undefined;
  #isListening = false;
  #running: Promise<void> | undefined;

  constructor(options: ListenerOptions) {
    this.#options = options;
  }

  get isListening(): boolean {
    return this.#isListening;
  }

  start(): void {
    this.#running ??= this.#run();
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#client?.end();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      try {
        await this.#listen();
      } catch (error) {
        if (!signal.aborted) this.#options.onError(error);
      }
      this.#isListening = false;
      await delay(PAUSE_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Resolves when the connection has ended. */
  async #listen(): Promise<void> {
    const client = new pg.Client({
      connectionString: this.#options.databaseUrl,
      application_name: this.#options.applicationName,
      // A server that does not answer must not delay a stop.
      connectionTimeoutMillis: 10_000,
      // Without probes a listener would not notice a broken network for hours.
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
    });
    this.#client = client;
    const ended = new Promise<void>((resolve, reject) => {
      client.on('end', resolve);
      client.on('error', reject);
    });
    // Awaited below. When the connection fails, connect() throws first, and that error counts.
    ended.catch(() => undefined);
    client.on('notification', ({ payload }) => this.#options.onWake(payload));
    try {
      // pg never settles a connect() that end() interrupts.
      await Promise.race([client.connect(), ended]);
      if (this.#stop.signal.aborted) return;
      await client.query(`LISTEN ${this.#options.channel}`);
      this.#isListening = true;
      // For notifications that came while the connection was down.
      this.#options.onWake();
      await ended;
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}
