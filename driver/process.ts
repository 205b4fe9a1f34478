// The life of one process: takes entries from the inbox in order, steps the chart, carries out its actions. A
// cancellation does not reach its activities and timers; the chart gets it as an event.
import {
  allHandlersFinished,
  CancellationScope,
  CancelledFailure,
  condition,
  continueAsNew,
  workflowInfo,
} from '@temporalio/workflow';
import type { AnyMachineSnapshot } from 'xstate';
import { ActorSystem } from './actor-system.ts';
import { type Position, positionOf } from './chart/chart-view.ts';
import { CANCEL_REQUESTED } from './chart/messages.ts';
import type { MovableClock } from './clock.ts';
import type { Continued } from './continued.ts';
import type { Awaited, Complete, Ending, Held, MessageEvent, ProcessStart } from './definition.ts';
import { type Decision, type Entry, Inbox } from './inbox.ts';
import { type ClockStanding, listen } from './listen.ts';
import { OperatorView } from './operator-view.ts';
import { SeenMessages } from './seen-messages.ts';
import { refusal } from './step.ts';
import { Parent } from './telling/parent.ts';
import { Tellings } from './telling/tellings.ts';
import { Trace } from './trace.ts';
import { NOT_POSSIBLE_NOW } from './updates.ts';
import { TemporalWorld } from './world.ts';

type MessageEntry = Extract<Entry, { kind: 'message' }>;

export class Process {
  readonly #inbox = new Inbox();
  readonly #definition: Complete;
  readonly #world: TemporalWorld;
  readonly #view: OperatorView;
  readonly #start: ProcessStart;
  readonly #continued: Continued | undefined;
  readonly #actors: ActorSystem;
  /** Messages of its own that came after the end. */
  readonly #late: unknown[] = [];
  #cancellation: Error | null = null;
  /** It is cancelled, and its machine does not handle that. */
  #isCalledOff = false;
  /** The step that failed. */
  #held: Held | undefined;
  #isGivenUp = false;
  readonly #parent = new Parent();
  readonly #tellings: Tellings;
  readonly #seen: SeenMessages;
  readonly #trace = new Trace({
    progress: () => this.#progress(),
    position: () => this.#position(),
    awaited: () => this.#awaited,
  });
  #taken = 0;

  /** Computes the first snapshot before the handlers are set: their validators need it at once. */
  constructor(
    definition: Complete,
    start: ProcessStart,
    continued?: Continued,
    movableClock: MovableClock | null = null,
  ) {
    this.#start = start;
    this.#continued = continued;
    this.#definition = definition;
    this.#view = new OperatorView(definition, start.flow, start.version);
    this.#world = new TemporalWorld(definition, this.#inbox, continued?.outbox, movableClock);
    this.#seen = new SeenMessages(continued?.seen);
    const { machine } = definition;
    const { watch } = this.#trace;
    this.#actors = continued
      ? ActorSystem.restored(machine, this.#world, continued, watch)
      : ActorSystem.begun(machine, this.#world, definition.input ? definition.input(start) : start, watch);
    const told = continued ? this.#snapshot : null;
    const to = { parent: this.#parent, outbox: this.#world.outbox };
    this.#tellings = new Tellings(definition, to, () => this.#world.shield, told);
    this.#trace.begins(continued ? 'continued' : 'start', this.#snapshot);
    listen({
      definition,
      inbox: this.#inbox,
      updates: this.#world.updates,
      snapshot: () => this.#snapshot,
      position: () => this.#position(),
      held: () => this.#held,
      progress: (asked) => this.#progress(asked),
      ...(movableClock && { clock: () => this.#clockStanding(movableClock) }),
    });
    movableClock?.whenDue(() => this.#inbox.push({ kind: 'clock', aheadMs: movableClock.aheadMs }));
    CancellationScope.current().cancelRequested.catch((failure: Error) =>
      this.#inbox.push({ kind: 'cancel', failure }),
    );
  }

  get #snapshot(): AnyMachineSnapshot {
    return this.#actors.snapshot;
  }

  #progress(asked: unknown = {}): unknown {
    const isObject = typeof asked === 'object' && asked !== null;
    return this.#definition.progress(this.#snapshot, this.#late, this.#awaited, isObject ? asked : {});
  }

  #position(): Position {
    const own = this.#world.timers.open.filter(({ from, to }) => from === undefined && to === undefined);
    return positionOf(this.#snapshot, own);
  }

  get #awaited(): Awaited {
    return this.#held
      ? Object.assign(Object.create(this.#world.awaited), { held: this.#held })
      : this.#world.awaited;
  }

  #clockStanding(clock: MovableClock): ClockStanding {
    const { invokes, outbox } = this.#world;
    const calls = [...invokes.calls, ...(outbox.isIdle ? [] : ['outbox'])];
    return {
      aheadMs: clock.aheadMs,
      now: new Date().toISOString(),
      next: clock.next && {
        timer: clock.next.timer,
        at: new Date(clock.next.dueAt).toISOString(),
        inMs: Math.max(0, clock.next.dueAt - Date.now()),
      },
      isOpen: this.#isOpen,
      taken: this.#taken,
      isAtRest: this.#isOpen && calls.length === 0 && this.#isQuiet && invokes.areChildrenBegun,
      calls,
      children: invokes.childIds,
    };
  }

  get #isQuiet(): boolean {
    const { updates, handOver, asides } = this.#world;
    return (
      this.#inbox.isEmpty && this.#parent.isIdle && handOver.isIdle && !asides.areOpen && !updates.areOpen
    );
  }

  get #isOpen(): boolean {
    return this.#snapshot.status === 'active' && !this.#isCalledOff;
  }

  /** To its end, or to its continuation. */
  async run(): Promise<unknown> {
    this.#begin();
    this.#show();
    while (this.#isOpen) {
      await (this.#held ? this.#decided() : this.#inbox.filled());
      this.#drain();
      if (this.#mayContinueAsNew()) await this.#continue();
    }
    // Child workflows that it has cancelled undo their work before they end.
    if (this.#isCalledOff) await this.#childrenEnded();
    for (this.#keepLate(); !this.#isAtRest(); this.#keepLate()) {
      await this.#parent.finished();
      await this.#world.handOver.finished();
      await this.#world.asides.finished();
      await this.#handlersFinished();
      await this.#delivered();
    }
    return this.#end();
  }

  /** While it is held. */
  #decided(): Promise<void> {
    return this.#world.shield.run(() => condition(() => this.#inbox.hasDecision));
  }

  async #childrenEnded(): Promise<void> {
    const { invokes, shield } = this.#world;
    if (invokes.areChildrenOpen) await shield.run(() => condition(() => !invokes.areChildrenOpen));
  }

  /** Or something has come that must be answered meanwhile: the outside may be down for days. */
  async #delivered(): Promise<void> {
    const { outbox, shield } = this.#world;
    outbox.finish();
    if (!outbox.isIdle) await shield.run(() => condition(() => outbox.isIdle || !this.#inbox.isEmpty));
  }

  #handlersFinished(): Promise<void> {
    return this.#world.shield.run(() => condition(allHandlersFinished));
  }

  /** Carries out the actions that the first step or the former run left. */
  #begin(): void {
    if (!this.#continued) this.#actors.carryOutFirst();
    for (const timer of this.#continued?.timers ?? []) {
      const target = this.#actors.at(timer.to ?? timer.from ?? []);
      if (target) this.#world.timers.arm(timer, target.ref);
    }
    this.#trace.begun(this.#continued ? 'continued' : 'start', this.#definition.machine);
  }

  #show(): void {
    this.#view.show(this.#snapshot, this.#awaited);
    this.#tellings.tell(this.#snapshot, this.#awaited);
    this.#world.handOver.start();
    this.#world.outbox.start();
  }

  /**
   * The actions of an entry do not depend on the entries that come with it: if a query arrives together with an event,
   * the process takes that event in a separate step, although in its history both are one.
   */
  #drain(): void {
    while (this.#isOpen) {
      const entry = this.#held ? this.#inbox.takeDecision() : this.#inbox.take();
      if (!entry) return;
      this.#taken += 1;
      this.#orHold(() => this.#take(entry));
      this.#show();
    }
  }

  /** The event of a step that throws stays the next one of the actors. */
  #orHold(step: () => void): void {
    try {
      step();
    } catch (error) {
      const failure = this.#definition.held?.(error);
      if (!failure) throw error;
      const event = this.#actors.root.waiting[0]?.type ?? '';
      this.#held = { ...failure, event };
      this.#trace.stands(event);
    }
  }

  #decide(decision: Decision, updateId: string): void {
    if (this.#held && decision === 'giveUp') {
      this.#world.invokes.requestCancellation();
      this.#isGivenUp = true;
      this.#isCalledOff = true;
    } else if (this.#held) {
      this.#held = undefined;
      this.#orHold(() => this.#actors.dropFailed());
      this.#trace.stands(decision);
    }
    this.#world.updates.answer(updateId, this.#progress());
  }

  /** A stale timer or answer does not count, and neither does an update that has become impossible meanwhile. */
  #take(entry: Entry): void {
    const { timers, invokes } = this.#world;
    switch (entry.kind) {
      case 'message':
        this.#takeMessage(entry);
        return;
      case 'timer':
        if (timers.take(entry.timer)) {
          this.#actors.send(entry.timer.target, entry.timer.event);
          this.#trace.step(entry.timer.event.type, this.#snapshot);
        }
        return;
      case 'invoke':
        if (invokes.take(entry.invoke)) {
          this.#actors.deliver(entry.invoke.owner, entry.event);
          this.#trace.step(entry.event.type, this.#snapshot);
        }
        return;
      case 'decision':
        this.#decide(entry.decision, entry.updateId);
        return;
      case 'clock':
        this.#letPass(entry.aheadMs, entry.updateId);
        return;
      case 'cancel':
        this.#cancel(entry.failure);
    }
  }

  /** Takes each step at its own time, before it goes on to the next. */
  #letPass(aheadMs: number, updateId: string | undefined): void {
    const { movableClock, updates } = this.#world;
    if (!movableClock) return;
    for (const _ of movableClock.passing(aheadMs)) this.#drain();
    if (updateId !== undefined) updates.answer(updateId, this.#clockStanding(movableClock));
  }

  #takeMessage({ event, message, update }: MessageEntry): void {
    const { updateId } = message;
    if (this.#seen.isRepeated(this.#definition.keyOf?.(message))) return;
    if (updateId !== undefined && !this.#snapshot.can(event)) {
      const reason = this.#definition.refusal(this.#snapshot, event as MessageEvent);
      this.#world.updates.refuse(updateId, NOT_POSSIBLE_NOW, reason);
      return;
    }
    this.#actors.deliver(this.#actors.root, event);
    this.#trace.step(event.type, this.#snapshot);
    if (update && updateId !== undefined) this.#world.updates.answer(updateId, this.#progress());
  }

  #cancel(failure: Error): void {
    const event = { type: CANCEL_REQUESTED };
    this.#cancellation = failure;
    this.#world.invokes.requestCancellation();
    // Not by a wildcard, which is for events that the author does not know.
    this.#isCalledOff =
      this.#held !== undefined ||
      !this.#definition.machine.events.includes(CANCEL_REQUESTED) ||
      !this.#snapshot.can(event);
    if (this.#isCalledOff) return;
    this.#actors.deliver(this.#actors.root, event);
    this.#trace.step(event.type, this.#snapshot);
  }

  async #continue(): Promise<void> {
    // A handler that has pushed its message still has its last step to do.
    await this.#handlersFinished();
    // A child that tells its parent of every step is never idle at once.
    await this.#parent.finished();
    if (!this.#mayContinueAsNew()) return;
    const { outbox } = this.#world;
    if (!outbox.isIdle) await outbox.pause();
    if (this.#mayContinueAsNew()) await continueAsNew(this.#start.input, this.#carried());
    outbox.resume();
  }

  /** An activity does not survive it, and a requested cancellation would be lost. */
  #mayContinueAsNew(): boolean {
    const { invokes, updates, handOver, asides, outbox } = this.#world;
    return (
      workflowInfo().continueAsNewSuggested &&
      this.#isOpen &&
      !this.#held &&
      !invokes.areOpen &&
      !updates.areOpen &&
      !asides.areOpen &&
      handOver.isIdle &&
      !outbox.isFull &&
      this.#inbox.isEmpty &&
      this.#cancellation === null
    );
  }

  #carried(): Continued {
    const carries = this.#definition.carries?.();
    const outbox = this.#world.outbox.carried;
    const seen = this.#seen.carried;
    return {
      version: this.#start.version,
      snapshot: this.#definition.machine.getPersistedSnapshot(this.#snapshot),
      timers: this.#world.timers.open,
      sessions: this.#actors.sessions,
      ...(this.#world.movableClock && { aheadMs: this.#world.movableClock.aheadMs }),
      ...(carries !== undefined && { carries }),
      ...(outbox !== undefined && { outbox }),
      ...(seen !== undefined && { seen }),
    };
  }

  /** Accepted messages are not lost, although the machine takes no more steps. */
  #keepLate(): void {
    for (let entry = this.#inbox.take(); entry; entry = this.#inbox.take())
      if (entry.kind === 'message' && entry.message.updateId === undefined) this.#keep(entry.message);
    this.#world.updates.refuseAll(`${this.#start.flow} ${this.#start.workflowId} has ended`);
  }

  #isAtRest(): boolean {
    const { handOver, asides, outbox } = this.#world;
    return (
      this.#inbox.isEmpty &&
      this.#parent.isIdle &&
      handOver.isIdle &&
      !asides.areOpen &&
      outbox.isIdle &&
      allHandlersFinished()
    );
  }

  #keep(message: MessageEvent): void {
    if (this.#definition.isOurs(this.#snapshot, message)) this.#late.push(message.payload);
    else this.#world.handOver.add(message.payload);
  }

  #end(): unknown {
    const ending = this.#ending();
    switch (ending.kind) {
      case 'result':
        return ending.result;
      case 'cancelled':
        throw this.#cancellation ?? new CancelledFailure(`${this.#start.flow} was cancelled`);
      case 'failed':
        throw refusal(ending);
    }
  }

  #ending(): Ending {
    if (this.#isGivenUp && this.#held)
      return { kind: 'failed', ...this.#held, details: [this.#held.details ?? null] };
    if (this.#isCalledOff) return { kind: 'cancelled' };
    const { ending } = this.#definition;
    return ending ? ending(this.#snapshot, this.#cancellation !== null) : this.#snapshot.output;
  }
}
