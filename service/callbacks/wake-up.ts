// Hears when callbacks become due (LISTEN), over a connection of its own that is made again whenever it breaks. Waking
// is all that comes of it: a wake-up that is missed is made up for by the sender's polling.
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';

const CHANNEL = 'callbacks_due';
const PAUSE_MS = 1_000;

export interface WakeUpOptions {
  readonly databaseUrl: string;
  readonly onWake: () => void;
  readonly onError: (error: unknown) => void;
}

export class WakeUp {
  readonly #options: WakeUpOptions;
  readonly #stop = new AbortController();
  #client: pg.Client | undefined;
  #isListening = false;
  #running: Promise<void> | undefined;

  constructor(options: WakeUpOptions) {
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
      // A server that does not even answer must not hold up a stop.
      connectionTimeoutMillis: 10_000,
      // A broken network says nothing by itself: without probes a listener could be deaf for hours.
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
    });
    this.#client = client;
    const ended = new Promise<void>((resolve, reject) => {
      client.on('end', resolve);
      client.on('error', reject);
    });
    // Its outcome is awaited below; a failure to connect comes first and is the one that counts.
    ended.catch(() => undefined);
    client.on('notification', this.#options.onWake);
    try {
      await client.connect();
      await client.query(`LISTEN ${CHANNEL}`);
      this.#isListening = true;
      // What was notified of while nobody listened.
      this.#options.onWake();
      await ended;
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}
