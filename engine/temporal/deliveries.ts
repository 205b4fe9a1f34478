// Events for the outside, in order, each repeated until it is taken.
import { condition } from '@temporalio/workflow';
import type { EventObject } from 'xstate';
import type { ActivityCall } from '../actor-kinds.ts';
import type { CarriedDeliveries } from '../continued.ts';
import type { Delivery, OutboxCall } from '../definition/outgoing-rules.ts';
import { callActivity } from './call-activity.ts';
import { relayed } from './relay.ts';
import { Scope, shielded } from './scope.ts';

// What waits goes with a continued run and with a relay: both are one payload, of which Temporal takes 2 MB.
const MAX_EVENTS = 100;
const MAX_CHARACTERS = 256 * 1024;

/**
 * Events that the other side does not take soon are handed to a workflow of their own (relay): so neither the end of the process nor
 * the size of what it carries depends on the other side.
 */
export class Deliveries {
  readonly #outboxCall: () => OutboxCall | undefined;
  readonly #waiting: Delivery[];
  #count: number;
  /** The last relay, until it has ended: later events go to a relay after it, or wait for its end. */
  #relay: string | null;
  /** A former run began it: its end is not seen here. */
  #isRelayUnseen: boolean;
  #scope: Scope | null = null;
  #isPaused = false;
  #isEnding = false;

  constructor(outbox: () => OutboxCall | undefined, carried?: CarriedDeliveries) {
    this.#outboxCall = outbox;
    this.#waiting = [...(carried?.waiting ?? [])];
    this.#count = carried?.count ?? 0;
    this.#relay = carried?.relay ?? null;
    this.#isRelayUnseen = this.#relay !== null;
  }

  get #outbox(): OutboxCall | undefined {
    return this.#outboxCall();
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
    if (length < 2) return false;
    return length >= MAX_EVENTS || JSON.stringify(this.#waiting).length >= MAX_CHARACTERS;
  }

  add(event: EventObject, version: number): void {
    this.#count += 1;
    this.#waiting.push({ event, number: this.#count, at: new Date(Date.now()).toISOString(), version });
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
    const scope = new Scope();
    this.#scope = scope;
    void scope
      .run(() => this.#deliverAll(outbox))
      .then(() => {
        this.#scope = null;
        // The relay may have ended in the same step.
        if (this.#relay === null) this.start();
      });
  }

  async pause(): Promise<void> {
    if (this.isIdle) return;
    this.#isPaused = true;
    this.#scope?.cancel();
    if (this.#scope) await shielded(() => condition(() => this.#scope === null));
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
      if (this.#relay !== null) {
        if (!this.#isRelayUnseen && !this.#isEnding && !this.isFull) return;
        await this.#handOver(call, relay);
      } else if (await this.#isDelivered({ call, relay }, next)) this.#waiting.shift();
      else if (!this.#isPaused) await this.#handOver(call, relay);
    }
  }

  async #isDelivered({ call, relay }: Omit<OutboxCall, 'type'>, delivery: Delivery): Promise<boolean> {
    const options = () => ({ ...call.options(delivery), ...relay.patience });
    try {
      await callActivity({ ...call, options }, delivery);
      return true;
    } catch {
      return false;
    }
  }

  async #handOver(call: ActivityCall<Delivery>, relay: OutboxCall['relay']): Promise<void> {
    const deliveries = this.#waiting.slice(0, MAX_EVENTS);
    const calls = deliveries.map((delivery) => (call.argument ? call.argument(delivery) : delivery));
    const first = deliveries[0]?.number ?? 0;
    const { id, ended } = await shielded(() => relayed(relay.workflow, first, { calls, after: this.#relay }));
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
