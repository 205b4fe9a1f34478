// Events for the outside, delivered in order by one activity at a time, each repeated until it is taken. The process goes on
// meanwhile; it ends after the last one, and a continued run gets those that are left.
import { CancellationScope, condition, isCancellation, log, sleep } from '@temporalio/workflow';
import type { EventObject } from 'xstate';
import type { ActivityCall } from './actors/activity-call.ts';
import type { CarriedDeliveries } from './continued.ts';
import type { Delivery, OutboxCall } from './definition.ts';
import { callActivity } from './invokes.ts';

export class Outbox {
  readonly #outbox: OutboxCall | undefined;
  readonly #shield: () => CancellationScope;
  readonly #waiting: Delivery[];
  #count: number;
  #scope: CancellationScope | null = null;
  #isPaused = false;

  constructor(outbox: OutboxCall | undefined, shield: () => CancellationScope, carried?: CarriedDeliveries) {
    this.#outbox = outbox;
    this.#shield = shield;
    this.#waiting = [...(carried?.waiting ?? [])];
    this.#count = carried?.count ?? 0;
  }

  get isIdle(): boolean {
    return this.#scope === null && this.#waiting.length === 0;
  }

  get carried(): CarriedDeliveries | undefined {
    return this.#count === 0 ? undefined : { waiting: this.#waiting, count: this.#count };
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
    if (!this.#outbox || this.#scope || this.#isPaused || this.#waiting.length === 0) return;
    const { call } = this.#outbox;
    const scope = new CancellationScope({ cancellable: true, parent: this.#shield() });
    this.#scope = scope;
    void scope
      .run(() => this.#deliverAll(call))
      .then(() => {
        this.#scope = null;
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

  async #deliverAll(call: ActivityCall<Delivery>): Promise<void> {
    for (let next = this.#waiting[0]; next && !this.#isPaused; next = this.#waiting[0])
      if (await this.#isDelivered(call, next)) this.#waiting.shift();
  }

  async #isDelivered(call: ActivityCall<Delivery>, delivery: Delivery): Promise<boolean> {
    try {
      await callActivity(call, delivery);
      return true;
    } catch (error) {
      if (this.#isPaused || isCancellation(error)) return false;
      // Against its promise; an event is not lost for that.
      log.error(`the activity ${call.activity} failed`, { error: String(error), number: delivery.number });
      await sleep('1 minute').catch(() => undefined);
      return false;
    }
  }
}
