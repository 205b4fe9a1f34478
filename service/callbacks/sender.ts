// Delivers callbacks: takes shipments whose callbacks are due, delivers each one's in order, and notes what became of it.
// Any number of senders share the work over one database; which of them has a shipment is the database's word alone.
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type { Kysely } from 'kysely';
import type { Agent } from 'undici';
import type { SwitchBoard } from '../sandbox/switches.ts';
import type { Database } from '../storage/database.ts';
import { type AttemptResult, attemptCallback } from './attempt-callback.ts';
import { backoffMs, type Patience } from './backoff.ts';
import { callbackBody, type FrozenEvent } from './callback-body.ts';
import type { HmacSettings } from './callback-settings.ts';
import {
  type Busy,
  type ClaimedCallback,
  claimCallbacks,
  releaseCallbacks,
  untilNextDue,
} from './claimed-callback.ts';
import { guardedAgent } from './guarded-agent.ts';
import { type Outcome, Settlements } from './settlements.ts';
import { signatureHeaders } from './sign-callback.ts';
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

// Two looks are at least this far apart when neither found anything: clocks and other senders may differ by as much.
const SHORTEST_SLEEP_MS = 20;
const PAUSE_AFTER_ERROR_MS = 1_000;
// The longest pause that a receiver can ask for: decisions §7 has attempts at most 10 min apart.
const LONGEST_PAUSE_MS = 600_000;

type Due = ClaimedCallback & { readonly event_id: number };

export class CallbackSender {
  readonly #options: SenderOptions;
  readonly #dependencies: SenderDependencies;
  readonly #agent: Agent;
  readonly #settlements: Settlements;
  readonly #wakeUp: WakeUp;
  readonly #atWork = new Map<ClaimedCallback, Promise<void>>();
  readonly #acceptedAt = new Map<number, number>();
  readonly #stop = new AbortController();
  readonly #cut = new AbortController();
  #woken: PromiseWithResolvers<void> = Promise.withResolvers();
  #running: Promise<void> | undefined;

  constructor(options: SenderOptions, dependencies: SenderDependencies) {
    this.#options = options;
    this.#dependencies = dependencies;
    this.#agent = guardedAgent({
      privateTargets: options.privateTargets,
      connectTimeoutMs: options.timeoutMs,
    });
    const { log, database } = dependencies;
    this.#settlements = new Settlements(database, {
      ...options,
      onError: (error) => log.error({ err: error }, 'callbacks cannot be noted as sent'),
    });
    this.#wakeUp = new WakeUp({
      databaseUrl: options.databaseUrl,
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
  async stop(): Promise<void> {
    this.#stop.abort();
    this.wake();
    await this.#running;
    const cut = setTimeout(() => this.#cut.abort(), this.#options.stopGraceMs);
    await Promise.all(this.#atWork.values());
    clearTimeout(cut);
    await this.#wakeUp.stop();
    await this.#agent.close();
  }

  async #run(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      this.#woken = Promise.withResolvers();
      try {
        const claimed = await this.#claim();
        for (const callback of claimed) this.#take(callback);
        if (claimed.length === 0) await this.#sleep();
      } catch (error) {
        this.#dependencies.log.error({ err: error }, 'callbacks cannot be looked for');
        await this.#wokenOrAfter(PAUSE_AFTER_ERROR_MS);
      }
    }
  }

  async #claim(): Promise<ClaimedCallback[]> {
    const total = this.#options.parallelTotal - this.#atWork.size;
    if (total <= 0) return [];
    return claimCallbacks(this.#dependencies.database, this.#busy(), { ...this.#options, total });
  }

  #busy(): Map<number, Busy> {
    const busy = new Map<number, Busy>();
    for (const { tenant_id, attempts } of this.#atWork.keys()) {
      const { total, repeated } = busy.get(tenant_id) ?? { total: 0, repeated: 0 };
      busy.set(tenant_id, { total: total + 1, repeated: repeated + (attempts > 0 ? 1 : 0) });
    }
    return busy;
  }

  async #sleep(): Promise<void> {
    const poll = this.#wakeUp.isListening ? this.#options.pollMs : this.#options.pollDeafMs;
    const next = await untilNextDue(this.#dependencies.database);
    await this.#wokenOrAfter(Math.min(poll, Math.max(next ?? poll, SHORTEST_SLEEP_MS)));
  }

  async #wokenOrAfter(milliseconds: number): Promise<void> {
    const timer = new AbortController();
    await Promise.race([
      this.#woken.promise,
      delay(milliseconds, undefined, { signal: timer.signal }).catch(() => undefined),
    ]);
    timer.abort();
  }

  #take(callback: ClaimedCallback): void {
    const work = this.#deliverAll(callback, performance.now())
      .catch((error) => this.#dependencies.log.error({ err: error }, 'a callback was left to its lease'))
      .finally(() => {
        this.#atWork.delete(callback);
        this.wake();
      });
    this.#atWork.set(callback, work);
  }

  /** This callback and those of the same shipment after it, as long as each is accepted. */
  async #deliverAll(first: ClaimedCallback, leasedAt: number): Promise<void> {
    let callback: ClaimedCallback | undefined = first;
    let since = leasedAt;
    while (callback) {
      if (this.#stop.signal.aborted) return releaseCallbacks(this.#dependencies.database, [callback]);
      const outcome = await this.#attempt(callback);
      if (!outcome) return releaseCallbacks(this.#dependencies.database, [callback]);
      const settledFrom = performance.now();
      callback = await this.#settlements.settle(outcome, since);
      since = settledFrom;
    }
  }

  /** Undefined when the sender was stopped in between: what became of the attempt is not known. */
  async #attempt(callback: ClaimedCallback): Promise<Outcome | undefined> {
    if (callback.event_id === null) return nothingLeft(callback);
    const start = performance.now();
    const result = await this.#post(callback);
    if (this.#cut.signal.aborted && !result.accepted) return undefined;
    if (result.accepted) this.#acceptedAt.set(callback.tenant_id, performance.now());
    const attempt = callback.attempts + 1;
    this.#logAttempt(callback, attempt, result);
    return { ...base(callback), attempt, ...this.#judged(callback, result, start) };
  }

  async #post(callback: Due & FrozenEvent): Promise<AttemptResult> {
    const { url, auth_type: authType, auth_key: authKey, former_auth_key: formerAuthKey } = callback;
    const switches = await this.#dependencies.switchBoard.of(callback.tenant_id);
    const body = JSON.stringify(callbackBody(callback, switches));
    // Of the shipment's uid too: event ids begin anew with a new database, and a receiver may remember ids for long.
    const id = `msg_${callback.shipment_uid}_${callback.event_id}`;
    const headers = signatureHeaders(
      { id, shipmentUid: callback.shipment_uid, body },
      { authType, authKey, formerAuthKey },
      this.#options.hmac,
      Math.floor(Date.now() / 1_000),
    );
    const signal = AbortSignal.any([AbortSignal.timeout(this.#options.timeoutMs), this.#cut.signal]);
    return attemptCallback(this.#agent, { url, headers, body }, signal);
  }

  #judged({ attempts, is_probe, tenant_id }: ClaimedCallback, result: AttemptResult, start: number) {
    const { milliseconds } = result;
    if (result.accepted)
      return {
        accepted: true,
        answer_status: result.status,
        error: null,
        milliseconds,
        delay_ms: null,
        receiver: 'up' as const,
        pause_ms: null,
      };
    const acceptedAt = this.#acceptedAt.get(tenant_id) ?? Number.NEGATIVE_INFINITY;
    const acceptedLately = acceptedAt > Math.min(start, performance.now() - this.#options.downAfterMs);
    const pause = result.retryAfterMs === undefined ? null : Math.min(result.retryAfterMs, LONGEST_PAUSE_MS);
    const isDown = result.ofReceiver ? is_probe || pause !== null || !acceptedLately : false;
    const isUp = !result.ofReceiver && result.status !== null;
    const backoff = backoffMs(attempts + 1, this.#options.patience);
    return {
      accepted: false,
      answer_status: result.status,
      error: result.error,
      milliseconds,
      delay_ms: Math.max(backoff, pause ?? 0),
      receiver: receiverOf(isUp, isDown || (is_probe && !isUp)),
      pause_ms: pause,
    };
  }

  #logAttempt({ shipment_uid, event_id }: Due & FrozenEvent, attempt: number, result: AttemptResult): void {
    const { log } = this.#dependencies;
    const line = { shipmentUid: shipment_uid, eventId: event_id, attempt, milliseconds: result.milliseconds };
    if (result.accepted) log.debug({ ...line, status: result.status }, 'callback accepted');
    else log.debug({ ...line, failure: result.error }, 'callback not accepted');
  }
}

function receiverOf(isUp: boolean, isDown: boolean): 'up' | 'down' | null {
  if (isDown) return 'down';
  return isUp ? 'up' : null;
}

const base = ({ shipment_id, tenant_id, lease_id, event_id, is_probe }: ClaimedCallback) => ({
  shipment_id,
  tenant_id,
  lease_id,
  event_id,
  is_probe,
});

const nothingLeft = (callback: ClaimedCallback): Outcome => ({
  ...base(callback),
  attempt: 0,
  accepted: null,
  answer_status: null,
  error: null,
  milliseconds: null,
  delay_ms: null,
  receiver: null,
  pause_ms: null,
});
