// Events for the outside, delivered in order, each repeated until it is taken. The process goes on meanwhile. Events that
// the other side does not take soon are handed to a workflow of their own (relay): so neither the end of the process nor
// the size of what it carries depends on the other side.
import { CancellationScope, condition, isCancellation, log, sleep } from '@temporalio/workflow';
import type { EventObject } from 'xstate';
import type { ActivityCall } from '../actors/activity-call.ts';
import type { CarriedDeliveries } from '../continued.ts';
import type { Delivery, OutboxCall } from '../definition.ts';
import { callActivity } from '../invokes.ts';
import { relayed } from './relay.ts';

// What waits goes with a continued run and with a relay: both are one payload, of which Temporal takes 2 MB.
const MOST_EVENTS = 100;
const MOST_CHARACTERS = 256 * 1024;

export class Outbox {
  readonly #outbox: OutboxCall | undefined;
  readonly #shield: () => CancellationScope;
  readonly #waiting: Delivery[];
  #count: number;
  /** The last relay, until it has ended: later events go to a relay after it, or wait for its end. */
  #relay: string | null;
  /** A former run began it: its end is not seen here. */
  #isRelayUnseen: boolean;
  #scope: CancellationScope | null = null;
  #isPaused = false;
  #isEnding = false;

  constructor(outbox: OutboxCall | undefined, shield: () => CancellationScope, carried?: CarriedDeliveries) {
    this.#outbox = outbox;
    this.#shield = shield;
    this.#waiting = [...(carried?.waiting ?? [])];
    this.#count = carried?.count ?? 0;
    this.#relay = carried?.relay ?? null;
    this.#isRelayUnseen = this.#relay !== null;
  }

  get isIdle(): boolean {
    return this.#scope === null && this.#waiting.length === 0;
  }

  get carried(): CarriedDeliveries | undefined {
    if (this.#count === 0) return undefined;
    const relay = this.#relay === null ? {} : { relay: this.#relay };
    return { waiting: this.#waiting, count: this.#count, ...relay };
  }

  /** More than a continued run may be given: it is handed over first. */
  get isFull(): boolean {
    const { length } = this.#waiting;
    if (!this.#outbox?.relay || length < 2) return false;
    return length >= MOST_EVENTS || JSON.stringify(this.#waiting).length >= MOST_CHARACTERS;
  }

  takes({ type }: EventObject): boolean {
    return this.#outbox?.type === type;
  }

  add(event: EventObject): void {
    this.#count += 1;
    this.#waiting.push({ event, number: this.#count, at: new Date(Date.now()).toISOString() });
  }

  /** Delivers what waits, unless it does so already. */
  start(): void {
    if (!this.#outbox || this.#isPaused || this.#waiting.length === 0) return;
    if (this.#scope) {
      // Takes back the delivery under way: its event is the first that is handed over.
      if (this.isFull) this.#scope.cancel();
      return;
    }
    const outbox = this.#outbox;
    const scope = new CancellationScope({ cancellable: true, parent: this.#shield() });
    this.#scope = scope;
    void scope
      .run(() => this.#deliverAll(outbox))
      .then(() => {
        this.#scope = null;
        // The relay may have ended in the same step.
        if (this.#relay === null) this.start();
      });
  }

  /** Takes back the delivery that is under way, unless it is taken meanwhile: a continued run begins with it. */
  async pause(): Promise<void> {
    this.#isPaused = true;
    this.#scope?.cancel();
    if (this.#scope) await this.#shield().run(() => condition(() => this.#scope === null));
  }

  resume(): void {
    this.#isPaused = false;
    this.start();
  }

  /** The process ends: what is not taken soon is handed over. */
  finish(): void {
    this.#isEnding = true;
    this.start();
  }

  async #deliverAll({ call, relay }: OutboxCall): Promise<void> {
    for (let next = this.#waiting[0]; next && !this.#isPaused; next = this.#waiting[0]) {
      if (relay && this.#relay !== null) {
        if (!this.#isRelayUnseen && !this.#isEnding && !this.isFull) return;
        await this.#handOver(call, relay);
      } else if (await this.#isDelivered(call, next, relay)) this.#waiting.shift();
      else if (relay && !this.#isPaused) await this.#handOver(call, relay);
    }
  }

  async #isDelivered(
    call: ActivityCall<Delivery>,
    delivery: Delivery,
    relay: OutboxCall['relay'],
  ): Promise<boolean> {
    const options = () => ({ ...call.options(delivery), ...relay?.patience });
    try {
      await callActivity({ ...call, options }, delivery);
      return true;
    } catch (error) {
      if (relay || this.#isPaused || isCancellation(error)) return false;
      // Against its promise; an event is not lost for that.
      log.error(`the activity ${call.activity} failed`, { error: String(error), number: delivery.number });
      await sleep('1 minute').catch(() => undefined);
      return false;
    }
  }

  async #handOver(call: ActivityCall<Delivery>, relay: NonNullable<OutboxCall['relay']>): Promise<void> {
    const deliveries = this.#waiting.slice(0, MOST_EVENTS);
    const calls = deliveries.map((delivery) => (call.argument ? call.argument(delivery) : delivery));
    const first = deliveries[0]?.number ?? 0;
    const { id, ended } = await this.#shield().run(() =>
      relayed(relay.workflow, first, { calls, after: this.#relay }),
    );
    this.#waiting.splice(0, deliveries.length);
    this.#relay = id;
    this.#isRelayUnseen = false;
    void ended.then(() => {
      if (this.#relay !== id) return;
      this.#relay = null;
      this.start();
    });
  }
}
