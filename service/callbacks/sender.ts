// Delivers callbacks: takes shipments whose callbacks are due, as many at a time as may run in parallel. Any number of
// senders share the work over one database; which of them has a shipment is the database's word alone.
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type { Kysely } from 'kysely';
import type { Database } from '../storage/database.ts';
import type { SwitchBoard } from '../switches/switch-board.ts';
import type { Patience } from './backoff.ts';
import type { HmacSettings } from './callback-settings.ts';
import { type Busy, type ClaimedCallback, claimCallbacks, releaseCallback } from './claimed-callback.ts';
import { type Delivery, deliverShipment } from './deliver-shipment.ts';
import { guardedAgent } from './guarded-agent.ts';
import { RecentAcceptances } from './recent-acceptances.ts';
import { Settlements } from './settlements.ts';
import { WakeUp } from './wake-up.ts';

export interface SenderOptions {
  readonly databaseUrl: string;
  readonly hmac: HmacSettings;
  readonly privateTargets: boolean;
  readonly timeoutMs: number;
  /** How long a sender has a shipment; longer than the time-out, since another may take it after that. */
  readonly leaseMs: number;
  /** At one time to one tenant, and those of them that are no first tries. */
  readonly parallel: number;
  readonly parallelRepeated: number;
  /** At one time to all of them: what this process has sockets and memory for. */
  readonly parallelTotal: number;
  readonly patience: Patience;
  readonly probePatience: Patience;
  /** Having accepted something that recently, a receiver is not down. */
  readonly downAfterMs: number;
  /** Between two looks when nothing wakes the sender: with the database's notifications, and without. */
  readonly pollMs: number;
  readonly pollDeafMs: number;
  readonly stopGraceMs: number;
}

export interface SenderDependencies {
  readonly database: Kysely<Database>;
  readonly switchBoard: SwitchBoard;
  readonly log: FastifyBaseLogger;
}

// Two looks are at least this far apart when the first found nothing: clocks may differ by as much.
const SHORTEST_SLEEP_MS = 20;
const PAUSE_AFTER_ERROR_MS = 1_000;

export class CallbackSender {
  readonly #options: SenderOptions;
  readonly #dependencies: SenderDependencies;
  readonly #delivery: Delivery;
  readonly #wakeUp: WakeUp;
  readonly #atWork = new Map<ClaimedCallback, Promise<void>>();
  readonly #stop = new AbortController();
  readonly #cut = new AbortController();
  #woken: PromiseWithResolvers<void> = Promise.withResolvers();
  #running: Promise<void> | undefined;
  #stopped: Promise<void> | undefined;

  constructor(options: SenderOptions, dependencies: SenderDependencies) {
    this.#options = options;
    this.#dependencies = dependencies;
    const { log, database } = dependencies;
    const { databaseUrl, privateTargets, timeoutMs } = options;
    this.#delivery = {
      ...options,
      ...dependencies,
      agent: guardedAgent({ privateTargets, connectTimeoutMs: timeoutMs }),
      settlements: new Settlements(database, {
        ...options,
        onError: (error) => log.error({ err: error }, 'callbacks cannot be noted as sent'),
      }),
      acceptances: new RecentAcceptances(options.downAfterMs),
      stop: this.#stop.signal,
      cut: this.#cut.signal,
    };
    this.#wakeUp = new WakeUp({
      databaseUrl,
      onWake: () => this.wake(),
      onError: (error) => log.warn({ err: error }, 'the wake-up for callbacks is lost; polling instead'),
    });
  }

  start(): void {
    this.#wakeUp.start();
    this.#running ??= this.#run();
  }

  /** Looks for what is due now, without waiting for a notification. */
  wake(): void {
    this.#woken.resolve();
  }

  /** Takes nothing new, lets attempts under way end within the grace, and gives back what is not done then. */
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
    await this.#wakeUp.stop();
    await this.#delivery.agent.close();
  }

  async #run(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      this.#woken = Promise.withResolvers();
      try {
        await this.#look();
      } catch (error) {
        this.#dependencies.log.error({ err: error }, 'callbacks cannot be looked for');
        await this.#wokenOrAfter(PAUSE_AFTER_ERROR_MS);
      }
    }
  }

  /** Takes what is due, or waits until something may be. */
  async #look(): Promise<void> {
    const poll = this.#wakeUp.isListening ? this.#options.pollMs : this.#options.pollDeafMs;
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
      .catch((error) => this.#dependencies.log.error({ err: error }, 'a callback was left to its lease'))
      .finally(() => {
        this.#atWork.delete(callback);
        this.wake();
      });
    this.#atWork.set(callback, work);
  }

  async #deliver(callback: ClaimedCallback, leasedAt: number): Promise<void> {
    const unfinished = await deliverShipment(this.#delivery, callback, leasedAt);
    if (unfinished) await releaseCallback(this.#dependencies.database, unfinished);
  }
}
