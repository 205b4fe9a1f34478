// Everything that leaves a process as a message, in order for each receiver: events for its parent workflow, messages for other
// processes, and events for the outside. The process goes on meanwhile, and ends after them.
import {
  type ActivityInterfaceFor,
  CancellationScope,
  condition,
  proxyActivities,
  proxyLocalActivities,
} from '@temporalio/workflow';
import type { EventObject } from 'xstate';
import type { ActivityCall } from '../actor-kinds.ts';
import type { CarriedDeliveries, Continued } from '../continued.ts';
import type { Definition } from '../definition/definition.ts';
import type { Delivery, OutboxCall } from '../definition/outgoing-rules.ts';
import type { Outgoing } from '../host.ts';
import { type ChildEnd, type FromChild, Parent, type ToChild } from './family.ts';
import { relayed } from './relay.ts';

type AnyActivities = ActivityInterfaceFor<Record<string, (input: unknown) => Promise<unknown>>>;

/** Schedules an activity by its call; rejects with ActivityFailure. */
export function callActivity<Input>(call: ActivityCall<Input>, input: Input): Promise<unknown> {
  const summary = call.summary(input);
  const options = { ...call.options(input), ...(summary !== undefined && { summary }) };
  const activities: AnyActivities = call.isLocal ? proxyLocalActivities(options) : proxyActivities(options);
  const run = activities[call.activity];
  if (!run) throw new TypeError(`${call.activity} is not an activity type`);
  return run(call.argument ? call.argument(input) : input);
}

type Shield = () => CancellationScope;

export class Outbox {
  /** Nobody, or one that wants no events: then it costs nothing. */
  readonly parent: Parent;
  readonly #parent: SerialQueue<FromChild>;
  readonly #others: SerialQueue<unknown>;
  readonly #outside: Deliveries;
  readonly #shield: Shield;

  constructor(
    definition: () => Definition,
    shield: Shield,
    { outbox: undelivered, parent }: Pick<Partial<Continued>, 'outbox' | 'parent'> = {},
  ) {
    this.#shield = shield;
    this.parent = new Parent(parent);
    this.#parent = new SerialQueue(shield, (waiting) => this.parent.notify(waiting.shift() as FromChild));
    // All that waits and goes the same way goes with one activity.
    this.#others = new SerialQueue(shield, async (waiting) => {
      const handOver = definition().outgoing?.handOver;
      const call = handOver?.(waiting[0]);
      if (!call) return;
      const other = waiting.findIndex((message) => handOver?.(message) !== call);
      await callActivity(call, waiting.splice(0, other < 0 ? waiting.length : other));
    });
    this.#outside = new Deliveries(() => definition().outgoing?.outbox, shield, undelivered);
  }

  /** Whether events for the outside are under way. */
  get isDelivering(): boolean {
    return !this.#outside.isIdle;
  }

  get isIdle(): boolean {
    return this.#parent.isIdle && this.#outside.isIdle && this.mayContinueAsNew;
  }

  /** Only so many events for the outside go along into a new run; other messages leave before. */
  get mayContinueAsNew(): boolean {
    return this.#others.isIdle && !this.#outside.isFull;
  }

  get carried(): CarriedDeliveries | undefined {
    return this.#outside.carried;
  }

  /** Messages wait for `start`. */
  send(message: Outgoing): void {
    switch (message.to) {
      case 'parent':
        this.#toParent(this.parent.messageOf(message.event, message.version));
        return;
      case 'others':
        this.#others.add(message.message);
        return;
      case 'outside':
        this.#outside.add(message.event, message.version);
        return;
    }
  }

  /** The parent's wish; it is answered. */
  subscribe(request: ToChild): void {
    this.#toParent(this.parent.subscribe(request ?? {}));
    this.#parent.start();
  }

  /** The last message to the parent, if it wants to know the end. */
  notifyEnd(end: () => ChildEnd): void {
    if (this.parent.isOwedTheEnd) this.#toParent(this.parent.endOf(end()));
  }

  #toParent(message: FromChild | undefined): void {
    if (message) this.#parent.add(message);
  }

  start(): void {
    this.#parent.start();
    this.#others.start();
    this.#outside.start();
  }

  get isParentNotified(): boolean {
    return this.#parent.isIdle;
  }

  parentFinished(): Promise<void> {
    return this.#parent.finished();
  }

  /** Everything has left but events for the outside. */
  async finished(): Promise<void> {
    await this.#parent.finished();
    await this.#others.finished();
  }

  /** Events for the outside have left too, or `isInterrupted`: the outside may be down for days. */
  async delivered(isInterrupted: () => boolean): Promise<void> {
    this.#outside.finish();
    const isOver = () => this.#outside.isIdle || isInterrupted();
    if (!this.#outside.isIdle) await this.#shield().run(() => condition(isOver));
  }

  /** Takes back the delivery that is under way, unless it is taken meanwhile: a continued run begins with it. */
  pause(): Promise<void> {
    return this.#outside.pause();
  }

  resume(): void {
    this.#outside.resume();
  }
}

/** One delivery at a time; what comes meanwhile waits. */
class SerialQueue<Message> {
  readonly #shield: Shield;
  readonly #deliver: (waiting: Message[]) => Promise<unknown>;
  readonly #waiting: Message[] = [];
  #running: Promise<void> | null = null;

  /** `deliver` takes what it delivers out of what waits. */
  constructor(shield: Shield, deliver: (waiting: Message[]) => Promise<unknown>) {
    this.#shield = shield;
    this.#deliver = deliver;
  }

  get isIdle(): boolean {
    return this.#running === null && this.#waiting.length === 0;
  }

  add(message: Message): void {
    this.#waiting.push(message);
  }

  start(): void {
    if (!this.#running && this.#waiting.length > 0) this.#running = this.#shield().run(() => this.#run());
  }

  async finished(): Promise<void> {
    while (!this.isIdle) {
      this.start();
      await this.#running;
    }
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) await this.#deliver(this.#waiting);
    this.#running = null;
  }
}

// What waits goes with a continued run and with a relay: both are one payload, of which Temporal takes 2 MB.
const MAX_EVENTS = 100;
const MAX_CHARACTERS = 256 * 1024;

/**
 * Events for the outside, each repeated until it is taken. Events that the other side does not take soon are handed to a
 * workflow of their own (relay): so neither the end of the process nor the size of what it carries depends on the other side.
 */
class Deliveries {
  readonly #outboxCall: () => OutboxCall | undefined;
  readonly #shield: Shield;
  readonly #waiting: Delivery[];
  #count: number;
  /** The last relay, until it has ended: later events go to a relay after it, or wait for its end. */
  #relay: string | null;
  /** A former run began it: its end is not seen here. */
  #isRelayUnseen: boolean;
  #scope: CancellationScope | null = null;
  #isPaused = false;
  #isEnding = false;

  constructor(outbox: () => OutboxCall | undefined, shield: Shield, carried?: CarriedDeliveries) {
    this.#outboxCall = outbox;
    this.#shield = shield;
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

  async pause(): Promise<void> {
    if (this.isIdle) return;
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
