// Carries out the requests of a process's actors with Temporal.
import { CancellationScope, log } from '@temporalio/workflow';
import type { AnyMachineSnapshot, EventObject } from 'xstate';
import type { DelayedEvent, LocalActor, World } from './actions.ts';
import { activityOfAction } from './actors/activity-call.ts';
import { Asides } from './asides.ts';
import { type Clock, type MovableClock, RealClock } from './clock.ts';
import type { CarriedDeliveries } from './continued.ts';
import type { Awaited, Complete, Emitted, MessageEvent } from './definition.ts';
import { HandOver } from './hand-over.ts';
import type { Inbox } from './inbox.ts';
import { Invokes } from './invokes.ts';
import { Outbox } from './telling/outbox.ts';
import { Timers } from './timers.ts';
import { Updates } from './updates.ts';
import type { Action, AnyActor } from './xstate-internals.ts';

export class TemporalWorld implements World {
  readonly timers: Timers;
  readonly invokes: Invokes;
  readonly updates = new Updates();
  readonly handOver: HandOver;
  readonly asides: Asides;
  readonly outbox: Outbox;
  /** Null: the real time. */
  readonly movableClock: MovableClock | null;
  /** Computed only on request. */
  readonly awaited: Awaited;
  readonly #definition: Complete;
  readonly #inbox: Inbox;
  #shield: CancellationScope | null = null;

  constructor(
    definition: Complete,
    inbox: Inbox,
    undelivered?: CarriedDeliveries,
    movableClock: MovableClock | null = null,
  ) {
    this.#definition = definition;
    this.#inbox = inbox;
    const shield = () => this.shield;
    const clock: Clock = movableClock ?? new RealClock(shield);
    this.movableClock = movableClock;
    const timers = new Timers(inbox, clock);
    const invokes = new Invokes(inbox, shield, clock);
    this.timers = timers;
    this.invokes = invokes;
    this.awaited = {
      get timers() {
        return awaitedTimers(timers);
      },
      get calls() {
        return invokes.open.map(({ type }) => type);
      },
    };
    this.handOver = new HandOver(definition.handOver, shield);
    this.asides = new Asides(shield);
    this.outbox = new Outbox(definition.outbox, shield, undelivered);
  }

  /**
   * The scope that a cancellation of the workflow does not reach. To run all of the process in it would cost three promises
   * more, and Temporal a stack for each.
   */
  get shield(): CancellationScope {
    this.#shield ??= new CancellationScope({ cancellable: false });
    return this.#shield;
  }

  arm(from: LocalActor, { id, event, delay, to }: DelayedEvent): void {
    const { machine } = from.ref.getSnapshot() as Partial<AnyMachineSnapshot>;
    const name = (machine && this.#definition.delayNames(machine).get(event.type)) ?? event.type;
    const open = {
      id: id ?? this.timers.freeId(from, event.type),
      event,
      dueAt: Date.now() + delay,
      summary: this.#definition.timerSummary(name, from.ref.getSnapshot()),
    };
    const by = from.path.length > 0 ? { from: from.path } : {};
    this.timers.arm({ ...open, ...by, ...(to !== from.ref && { to: pathTo(from, to) }) }, to);
  }

  disarm(from: LocalActor, id: string): void {
    this.timers.cancel(from, id);
  }

  call(owner: LocalActor, actor: AnyActor, input: unknown): void {
    this.invokes.start(owner, actor, input);
  }

  stopCall(owner: LocalActor, id: string): void {
    this.invokes.stop(owner, id);
  }

  tell(actor: AnyActor, event: EventObject): void {
    this.invokes.tell(actor, event);
  }

  emitted(event: EventObject): void {
    const emitted = event as Emitted;
    if (emitted.type === 'answer') this.updates.answer(emitted.updateId, emitted.value);
    else if (emitted.type === 'refusal') this.updates.refuse(emitted.updateId, emitted.code, emitted.message);
    else if (emitted.type === 'notOurs') this.handOver.add(emitted.payload);
    else if (emitted.type === 'again') this.#putBack(emitted.message);
    else if (this.outbox.takes(event)) this.outbox.add(event);
  }

  #putBack(message: MessageEvent): void {
    this.#inbox.push({ kind: 'message', message, event: this.#definition.event?.(message) ?? message });
  }

  log(value: unknown, label: string | undefined): void {
    log.info(label ?? 'log', { value });
  }

  perform({ type, exec, info, params }: Action): void {
    const call = activityOfAction(exec);
    if (call) this.asides.start(call, params ?? info.event);
    else if (exec) exec(info, params);
    else throw new TypeError(`the action ${type} has no implementation`);
  }

  forget(actor: LocalActor): void {
    this.timers.cancelAllOf(actor);
    this.invokes.stopAllOf(actor);
  }
}

function awaitedTimers(timers: Timers): Awaited['timers'] {
  return timers.open
    .map(({ summary, dueAt }) => ({ timer: summary, until: new Date(dueAt).toISOString() }))
    .sort((one, other) => one.until.localeCompare(other.until));
}

/** Beside itself, an actor sends to its parent or to its children. */
function pathTo(from: LocalActor, to: AnyActor): readonly string[] {
  return to === from.parent?.ref ? from.parent.path : [...from.path, to.id];
}
