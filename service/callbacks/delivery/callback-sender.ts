// Delivers callbacks: claims shipments with due callbacks, as many as may run in parallel. Several senders share the
// work; the database decides which sender has a shipment.
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type { Kysely } from 'kysely';
import type { Settings } from '../../settings.ts';
import type { Database } from '../../storage/database.ts';
import { Listener } from '../../storage/listener.ts';
import type { SwitchBoard } from '../../switches/switches.ts';
import {
  type Busy,
  type ClaimedCallback,
  claimCallbacks,
  releaseCallback,
} from '../queue/claim-callbacks.ts';
import { outcomeRecorder } from '../queue/record-outcomes.ts';
import { guardedAgent } from './callback-client.ts';
import { type Delivery, deliverShipmentCallbacks } from './deliver-shipment-callbacks.ts';
import { recentAcceptances } from './judge-attempt.ts';

// A living sender has recorded its attempt by then. The callbacks of a dead sender wait so much longer.
const LEASE_MARGIN_MS = 10_000;

/** Settings of the service, and times and numbers that are not settings. */
const optionsOf = ({ databaseUrl, encryption, callbacks, stopGraceSeconds }: Settings) => ({
  databaseUrl,
  encryption,
  privateHosts: callbacks.privateHosts,
  timeoutMs: callbacks.timeoutMs,
  // How long a sender has a shipment. Longer than the time-out, because another sender may take it after that.
  leaseMs: callbacks.timeoutMs + LEASE_MARGIN_MS,
  // At one time to one tenant: all attempts, and the repeated ones among them. A quarter: stuck callbacks take few places from new
  // ones, but still get some.
  parallel: callbacks.parallel,
  parallelRepeated: Math.ceil(callbacks.parallel / 4),
  // At one time to all tenants: limited by the sockets and memory of this process.
  parallelTotal: 1_000,
  // assumptions: Callbacks: from about 1 s, doubled, at most 10 min.
  patience: { firstMs: 1_000, lastMs: 600_000 },
  // A receiver that is back should get callbacks soon; one request a minute is a small load for it.
  probePatience: { firstMs: 1_000, lastMs: 60_000 },
  // A receiver that has accepted a callback within this time is not down.
  downAfterMs: 1_000,
  // Between two polls if nothing wakes the sender: while it can listen to the database, and while it cannot.
  pollMs: 5_000,
  pollDeafMs: 1_000,
  stopGraceMs: stopGraceSeconds * 1_000,
});
export type CallbackSenderOptions = ReturnType<typeof optionsOf>;

interface CallbackSenderDependencies {
  readonly database: Kysely<Database>;
  readonly switchBoard: SwitchBoard;
  readonly log: FastifyBaseLogger;
}

// The shortest pause after a poll that found nothing: clocks may differ by as much.
const SHORTEST_SLEEP_MS = 20;
const PAUSE_AFTER_ERROR_MS = 1_000;

export class CallbackSender {
  readonly #options: CallbackSenderOptions;
  readonly #dependencies: CallbackSenderDependencies;
  readonly #delivery: Delivery;
  readonly #listener: Listener;
  readonly #atWork = new Map<ClaimedCallback, Promise<void>>();
  readonly #stop = new AbortController();
  readonly #cut = new AbortController();
  #woken: PromiseWithResolvers<void> = Promise.withResolvers();
  #running: Promise<void> | undefined;
  #stopped: Promise<void> | undefined;

  constructor(options: CallbackSenderOptions, dependencies: CallbackSenderDependencies) {
    this.#options = options;
    this.#dependencies = dependencies;
    const { log, database } = dependencies;
    const { databaseUrl, privateHosts, timeoutMs } = options;
    this.#delivery = {
      ...options,
      ...dependencies,
      database,
      agent: guardedAgent({ privateHosts, connectTimeoutMs: timeoutMs }),
      record: outcomeRecorder(database, {
        ...options,
        onError: (error) =>
          log.error({ err: error }, 'the outcome of callbacks cannot be recorded; it is tried again'),
      }),
      acceptances: recentAcceptances(options.downAfterMs),
      stop: this.#stop.signal,
      cut: this.#cut.signal,
    };
    this.#listener = new Listener({
      channel: 'callbacks_due',
      applicationName: 'lockerflow-callbacks',
      databaseUrl,
      onWake: () => this.wake(),
      onError: (error) =>
        log.warn(
          { err: error },
          'the connection that listens for due callbacks broke; the sender polls until it is back',
        ),
    });
  }

  start(): void {
    this.#listener.start();
    this.#running ??= this.#run();
  }

  /** Looks for due callbacks now, without waiting for a notification. */
  wake(): void {
    this.#woken.resolve();
  }

  /** Claims nothing more, gives attempts under way time to end, and gives the other claims back. */
  stop(): Promise<void> {
    this.#stopped ??= this.#end();
    return this.#stopped;
  }

  async #end(): Promise<void> {
    this.#stop.abort();
    this.wake();
    await this.#running;
    const cut = setTimeout(() => this.#cut.abort(), this.#options.stopGraceMs);
    await Promise.all(this.#atWork.values());
    clearTimeout(cut);
    await this.#listener.stop();
    await this.#delivery.agent.close();
  }

  async #run(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      this.#woken = Promise.withResolvers();
      try {
        await this.#look();
      } catch (error) {
        this.#dependencies.log.error({ err: error }, 'due callbacks cannot be claimed');
        await this.#wokenOrAfter(PAUSE_AFTER_ERROR_MS);
      }
    }
  }

  /** Claims due callbacks, or waits until some may be due. */
  async #look(): Promise<void> {
    const poll = this.#listener.isListening ? this.#options.pollMs : this.#options.pollDeafMs;
    const total = this.#options.parallelTotal - this.#atWork.size;
    if (total <= 0) return this.#wokenOrAfter(poll);
    const leasedAt = performance.now();
    const limits = { ...this.#options, total };
    const { callbacks, untilNextMs } = await claimCallbacks(
      this.#dependencies.database,
      this.#busy(),
      limits,
    );
    for (const callback of callbacks) this.#take(callback, leasedAt);
    if (callbacks.length > 0) return;
    await this.#wokenOrAfter(Math.min(poll, Math.max(untilNextMs ?? poll, SHORTEST_SLEEP_MS)));
  }

  #busy(): Map<number, Busy> {
    const busy = new Map<number, Busy>();
    for (const { tenant_id, attempts } of this.#atWork.keys()) {
      const { total, repeated } = busy.get(tenant_id) ?? { total: 0, repeated: 0 };
      busy.set(tenant_id, { total: total + 1, repeated: repeated + (attempts > 0 ? 1 : 0) });
    }
    return busy;
  }

  async #wokenOrAfter(milliseconds: number): Promise<void> {
    const timer = new AbortController();
    await Promise.race([
      this.#woken.promise,
      delay(milliseconds, undefined, { signal: timer.signal }).catch(() => undefined),
    ]);
    timer.abort();
  }

  #take(callback: ClaimedCallback, leasedAt: number): void {
    const work = this.#deliver(callback, leasedAt)
      .catch((error) =>
        this.#dependencies.log.error(
          { err: error },
          'a callback failed; it is tried again when its lease ends',
        ),
      )
      .finally(() => {
        this.#atWork.delete(callback);
        this.wake();
      });
    this.#atWork.set(callback, work);
  }

  async #deliver(callback: ClaimedCallback, leasedAt: number): Promise<void> {
    const unfinished = await deliverShipmentCallbacks(this.#delivery, callback, leasedAt);
    if (unfinished) await releaseCallback(this.#dependencies.database, unfinished);
  }
}

/** @param changes for tests, which do not have to wait then */
export function startCallbackSender(
  settings: Settings,
  dependencies: CallbackSenderDependencies,
  changes: Partial<CallbackSenderOptions> = {},
): CallbackSender {
  const sender = new CallbackSender({ ...optionsOf(settings), ...changes }, dependencies);
  sender.start();
  return sender;
}
