// A process that takes steps: it takes what has come into its inbox in one order, steps its machine with each entry, and says what
// leaves. A step that throws halts it until a person decides. A cancellation is an event of the chart, if the chart knows it.

import type { AnyMachineSnapshot, EventObject } from 'xstate';
import { isOfSomebody } from './acted.ts';
import { eventOfAnswer, type OpenCall } from './calls.ts';
import { CANCEL_REQUESTED } from './chart/messages.ts';
import { notPossible } from './commands.ts';
import type { Closing } from './definition/closing.ts';
import type { MessageEvent } from './definition/message-rules.ts';
import type { PendingWork } from './definition/views.ts';
import { dispatch, handOver, notify } from './effects.ts';
import type { Entry } from './inbox.ts';
import { type ProcessOptions, ProcessState } from './process-state.ts';
import { pendingWorkOf } from './process-view.ts';
import { MIGRATION_EVENT } from './stepper.ts';
import { iso } from './timers.ts';

type EntryOf<Kind extends Entry['kind']> = Extract<Entry, { readonly kind: Kind }>;

/** The update that moves a deadline: of an inline actor that accepts it, or else a timer of the chart. */
export const EXTEND_DEADLINE = 'extendDeadline';

export abstract class SteppingProcess extends ProcessState {
  /** Parent and outside know what was so far. */
  #notified: AnyMachineSnapshot | null;
  /** It may settle more than once after its end: time that is moved passes within one entry. */
  #hasToldEnd = false;
  /** How many entries it has taken; a note changes nothing. */
  taken = 0;

  constructor(options: ProcessOptions) {
    super(options);
    this.#notified = options.continued ? this.snapshot : null;
  }

  /** Computed only on request. */
  get pending(): PendingWork {
    return pendingWorkOf(this);
  }

  /** Whether there is something that it can take now: a halted process takes only a decision, a cancellation, and time. */
  get hasWork(): boolean {
    return this.halt
      ? this.inbox.hasForHalted((entry) => this.actorMessages.isForIndependent(entry))
      : !this.inbox.isEmpty;
  }

  /** How it has ended. */
  abstract get closing(): Closing;

  /** The answer to the query `progress`, and to many updates. */
  abstract progress(query?: unknown): unknown;

  /** @returns how long it is to rest before its next turn, in milliseconds */
  turn(run = () => this.drain()): number {
    const { pace } = this.definition;
    const paced = () => {
      run();
      return this.isOpen ? this.#restMs : 0;
    };
    return pace ? pace.turn(paced) : paced();
  }

  get #restMs(): number {
    return this.definition.pace?.restMs ?? 0;
  }

  /**
   * Takes all that it can, until it must rest. The actions of an entry do not depend on the entries that come with it: if a query
   * arrives together with an event, the process takes that event in a separate step, although in its history both are one.
   */
  drain(mayRest = true): void {
    while (this.isOpen && !(mayRest && this.#restMs > 0)) {
      if (this.postponed.areToBeAsked && !this.halt) {
        this.#askPostponed();
        continue;
      }
      const entry = this.halt
        ? this.inbox.takeForHalted((each) => this.actorMessages.isForIndependent(each))
        : this.inbox.take();
      if (!entry) return;
      if (entry.kind !== 'note') {
        this.taken += 1;
        this.halting.countRound(entry);
        if (entry.kind !== 'migration') this.migrations.forgetFormer();
      }
      this.#do(() => this.#take(entry));
    }
  }

  #do(step: () => void): void {
    this.halting.attempt(step);
    this.postponed.askAgain();
    if (this.unhandled) this.#sendMessages();
    else this.settle();
  }

  #askPostponed(): void {
    const event = this.postponed.next(this.host.now(), (each) => this.messages.isTakenNow(each));
    if (event) this.#do(() => this.#step(this.named(event)));
  }

  protected settle(): void {
    notify(this.#notified, this);
    this.#sendMessages();
    this.#notified = this.snapshot;
    this.host.settle?.();
  }

  #sendMessages(): void {
    const { definition, snapshot, isOpen, start, host } = this;
    if (!isOpen && !this.#hasToldEnd) {
      this.#hasToldEnd = true;
      for (const event of definition.outgoing?.atEnd?.(this.closing, start.input) ?? [])
        host.send({ to: 'outside', event, version: start.version });
    }
    if (host.isCopy) return;
    for (const message of definition.outgoing?.toOthers?.(snapshot, isOpen) ?? []) handOver(message, this);
  }

  /** A stale timer or answer does not count, and neither does an update that has become impossible meanwhile. */
  #take(entry: Entry): void {
    // In the order of the entries, as all that a process asks of Temporal.
    if (isOfSomebody(entry)) this.host.acted?.();
    switch (entry.kind) {
      case 'message':
        this.#takeMessage(entry);
        return;
      case 'timer':
        if (this.timers.take(entry.timer) && !this.halting.haltsAround(entry.timer)) {
          const { of, event } = entry.timer;
          this.#step(event, () => this.chart.deliverTo(of, event));
        }
        return;
      case 'answer': {
        const { call, answer } = entry;
        const event = eventOfAnswer(call, answer);
        if (!this.calls.take(call)) return;
        this.halting.expectAnswerOf(call);
        this.#step(event, () => this.chart.deliverTo(call.of, event));
        return;
      }
      case 'childEvent': {
        const { call } = entry;
        if (!this.calls.has(call)) return;
        const event = this.#eventOfChild(call, {
          ...entry.event,
          type: `${call.id}.${entry.event.type}`,
        });
        if (event) this.#step(event, () => this.chart.deliverTo(call.of, event));
        return;
      }
      case 'decision':
        this.#takeDecision(entry);
        return;
      case 'extension':
        this.#takeExtension(entry);
        return;
      case 'migration':
        this.#takeMigration(entry);
        return;
      case 'time':
        for (const _ of entry.ring()) this.drain(false);
        if (entry.updateId !== undefined) this.replies.answer(entry.updateId, entry.answer?.());
        return;
      case 'note':
        return;
      case 'cancellation':
        this.#takeCancellation(entry.failure);
    }
  }

  #eventOfChild(call: OpenCall, event: EventObject): EventObject | null {
    const named = this.named(event);
    const { messages } = this.definition;
    if (call.kind !== 'childWorkflow' || !messages.ofChild) return named;
    const taken = messages.ofChild(named, call);
    if (!('putAside' in taken)) return taken;
    dispatch({ type: 'putAside', event: taken.putAside as EventObject }, this);
    return null;
  }

  #step(event: EventObject, take = () => this.chart.deliver(event)): void {
    take();
    this.host.trace?.(event, true);
  }

  #takeMessage({ event: given, message }: EntryOf<'message'>): void {
    if (this.actorMessages.areOf(message)) {
      this.#takeForActors(message);
      return;
    }
    const { updateId } = message;
    const event = this.named(given);
    if (this.messages.isRepeated(message)) {
      if (updateId !== undefined) this.replies.answer(updateId, this.progress());
      return;
    }
    const refusal = updateId === undefined ? undefined : this.messages.refusalOf(event);
    if (refusal && updateId !== undefined) {
      this.replies.refuse(updateId, refusal);
      return;
    }
    this.messages.remember(message);
    const keptFor = updateId === undefined ? this.definition.messages.keepsFor?.(message) : undefined;
    if (keptFor !== undefined && !this.messages.isTakenNow(given)) {
      this.postponed.add(given, this.host.now() + keptFor);
      return;
    }
    this.#step(event);
  }

  #takeForActors(message: MessageEvent): void {
    this.actorMessages.take(message, (take) => this.#step(message, take));
  }

  #takeExtension({ payload, updateId }: EntryOf<'extension'>): void {
    const message = { type: EXTEND_DEADLINE, payload, updateId };
    if (this.actorMessages.isForAny(message)) {
      this.#takeForActors(message);
      return;
    }
    const extension = this.messages.extension(payload);
    if ('code' in extension) {
      this.replies.refuse(updateId, extension);
      return;
    }
    const from = this.timers.move(extension);
    this.replies.answer(updateId, { from: iso(from), until: iso(extension.dueAt), isAhead: false });
    const event = this.definition.extension?.event?.(extension);
    // Not by a wildcard, as a cancellation.
    if (event && this.definition.machine.events.includes(event.type)) this.#step(event);
  }

  #takeDecision({ decision, updateId, halt }: EntryOf<'decision'>): void {
    // An earlier decision may have led to another halt, of which nobody knew.
    const refusal =
      halt && halt !== this.halt
        ? notPossible(
            'the process is no longer halted at that event: somebody has decided about it meanwhile',
          )
        : this.halting.decisionRefusal(decision);
    if (refusal) {
      this.replies.refuse(updateId, refusal);
      return;
    }
    if (decision === 'giveUp') this.halting.giveUp();
    else {
      this.halting.release();
      this.halting.attempt(() => this.chart.dropFailed());
      this.host.trace?.({ type: decision }, false);
    }
    this.replies.answer(updateId, this.progress());
  }

  #takeCancellation(failure: unknown): void {
    const event = { type: CANCEL_REQUESTED };
    this.cancellation = failure;
    this.definition.stepping?.({ isCancelled: true });
    // Not by a wildcard, which is for events that the author does not know.
    this.isCalledOff ||=
      !this.definition.machine.events.includes(CANCEL_REQUESTED) || !this.messages.isTakenNow(event);
    const isHalted = this.halt !== undefined && !this.isCalledOff;
    if (isHalted) this.halting.release();
    this.calls.requestCancellation();
    if (!this.isCalledOff || this.chart.actors.haveToCleanUp) this.chart.actors.requestCancellation();
    if (this.isCalledOff) return;
    // A halted process takes it in place of the event that it cannot take, and before those that wait behind that one.
    this.#step(event, isHalted ? () => this.chart.replaceFailed(event) : undefined);
  }

  /** Computed anew: something may have happened since the update was accepted. */
  #takeMigration({ request, updateId }: EntryOf<'migration'>): void {
    const migrated = this.migrations.take(request, updateId);
    if ('code' in migrated) {
      this.replies.refuse(updateId, migrated);
      return;
    }
    const { again, isBack, record } = migrated;
    if (again) {
      this.halting.lift();
      this.host.migrated?.();
      this.host.trace?.({ type: MIGRATION_EVENT }, true);
    }
    this.replies.answer(updateId, record);
    // After the answer: if the step fails again, the process is halted again, but in its new definition.
    if (again && again.length > 0) this.halting.attempt(() => this.chart.takeAgain(again));
    if (again && !isBack) this.halting.attempt(() => this.migrations.tellActors());
  }
}
