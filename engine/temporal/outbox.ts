// Everything that leaves a process as a message, in order for each receiver: events for its parent workflow, messages for other
// processes, and events for the outside. The process goes on meanwhile, and ends after them.
import { condition } from '@temporalio/workflow';
import type { CarriedDeliveries, Continued } from '../continued.ts';
import type { Definition } from '../definition/definition.ts';
import type { Outgoing } from '../host.ts';
import { callActivity } from './call-activity.ts';
import { Deliveries } from './deliveries.ts';
import { type ChildEnd, type FromChild, Parent, type ToChild } from './family.ts';
import { shielded } from './scope.ts';

export class Outbox {
  /** Nobody, or one that wants no events: then it costs nothing. */
  readonly parent: Parent;
  readonly #parent: SerialQueue<FromChild>;
  readonly #others: SerialQueue<unknown>;
  readonly #outside: Deliveries;

  constructor(
    definition: () => Definition,
    { outbox: undelivered, parent }: Pick<Partial<Continued>, 'outbox' | 'parent'> = {},
  ) {
    this.parent = new Parent(parent);
    this.#parent = new SerialQueue((waiting) => this.parent.notify(waiting.shift() as FromChild));
    // All that waits and goes the same way goes with one activity.
    this.#others = new SerialQueue(async (waiting) => {
      const handOver = definition().outgoing?.handOver;
      const call = handOver?.(waiting[0]);
      if (!call) return;
      const other = waiting.findIndex((message) => handOver?.(message) !== call);
      await callActivity(call, waiting.splice(0, other < 0 ? waiting.length : other));
    });
    this.#outside = new Deliveries(() => definition().outgoing?.outbox, undelivered);
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
    if (!this.#outside.isIdle) await shielded(() => condition(isOver));
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
  readonly #deliver: (waiting: Message[]) => Promise<unknown>;
  readonly #waiting: Message[] = [];
  #running: Promise<void> | null = null;

  /** `deliver` takes what it delivers out of what waits. */
  constructor(deliver: (waiting: Message[]) => Promise<unknown>) {
    this.#deliver = deliver;
  }

  get isIdle(): boolean {
    return this.#running === null && this.#waiting.length === 0;
  }

  add(message: Message): void {
    this.#waiting.push(message);
  }

  start(): void {
    if (!this.#running && this.#waiting.length > 0) this.#running = shielded(() => this.#run());
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
