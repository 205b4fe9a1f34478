// Listens for due callbacks (LISTEN) over a separate connection, and wakes the sender. It connects again if the
// connection breaks. The sender polls too, so a missed notification only costs time.
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';

const CHANNEL = 'callbacks_due';
const PAUSE_MS = 1_000;

export interface DueCallbackListenerOptions {
  readonly databaseUrl: string;
  readonly onWake: () => void;
  readonly onError: (error: unknown) => void;
}

export class DueCallbackListener {
  readonly #options: DueCallbackListenerOptions;
  readonly #stop = new AbortController();
  #client: pg.Client | undefined;
  #isListening = false;
  #running: Promise<void> | undefined;

  constructor(options: DueCallbackListenerOptions) {
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
      application_name: 'lockerflow-callbacks',
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
    client.on('notification', this.#options.onWake);
    try {
      await client.connect();
      await client.query(`LISTEN ${CHANNEL}`);
      this.#isListening = true;
      // For notifications that came while the connection was down.
      this.#options.onWake();
      await ended;
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}
