// Takes the entries of the inbox in order, and steps the chart with each. A step that throws holds the process until a
// person decides. A cancellation is an event of the chart, if the chart knows it.
import type { ActorSystem } from './actor-system.ts';
import { CANCEL_REQUESTED } from './chart/messages.ts';
import type { Complete, Ending, Held, MessageEvent } from './definition.ts';
import type { Decision, Entry, Inbox } from './inbox.ts';
import type { SeenMessages } from './seen-messages.ts';
import type { Standing, Taken } from './standing.ts';
import type { Trace } from './trace.ts';
import { NOT_POSSIBLE_NOW } from './updates.ts';
import type { TemporalWorld } from './world.ts';

type MessageEntry = Extract<Entry, { kind: 'message' }>;

interface Parts {
  readonly definition: Complete;
  readonly actors: ActorSystem;
  readonly world: TemporalWorld;
  readonly inbox: Inbox;
  readonly seen: SeenMessages;
  readonly standing: Standing;
  readonly trace: Trace;
  /** Called after each entry. */
  readonly show: () => void;
}

export class Stepping implements Taken {
  readonly #parts: Parts;
  #cancellation: Error | null = null;
  /** It is cancelled, and its machine does not handle that. */
  #isCalledOff = false;
  #held: Held | undefined;
  #isGivenUp = false;
  #taken = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  get isOpen(): boolean {
    return this.#parts.standing.snapshot.status === 'active' && !this.#isCalledOff;
  }

  get isCalledOff(): boolean {
    return this.#isCalledOff;
  }

  /** What Temporal said when it was cancelled. */
  get cancellation(): Error | null {
    return this.#cancellation;
  }

  get held(): Held | undefined {
    return this.#held;
  }

  get taken(): number {
    return this.#taken;
  }

  /** How it ends, once it is not open any more. */
  get ending(): Ending {
    if (this.#isGivenUp && this.#held)
      return { kind: 'failed', ...this.#held, details: [this.#held.details ?? null] };
    if (this.#isCalledOff) return { kind: 'cancelled' };
    const { ending } = this.#parts.definition;
    const { snapshot } = this.#parts.standing;
    return ending ? ending(snapshot, this.#cancellation !== null) : snapshot.output;
  }

  /**
   * The actions of an entry do not depend on the entries that come with it: if a query arrives together with an event,
   * the process takes that event in a separate step, although in its history both are one.
   */
  drain(): void {
    const { inbox, show } = this.#parts;
    while (this.isOpen) {
      const entry = this.#held ? inbox.takeDecision() : inbox.take();
      if (!entry) return;
      this.#taken += 1;
      this.#orHold(() => this.#take(entry));
      show();
    }
  }

  /** The event of a step that throws stays the next one of the actors. */
  #orHold(step: () => void): void {
    try {
      step();
    } catch (error) {
      const failure = this.#parts.definition.held?.(error);
      if (!failure) throw error;
      const event = this.#parts.actors.root.waiting[0]?.type ?? '';
      this.#held = { ...failure, event };
      this.#parts.trace.stands(event);
    }
  }

  #decide(decision: Decision, updateId: string): void {
    const { actors, standing, trace, world } = this.#parts;
    if (this.#held && decision === 'giveUp') {
      world.invokes.requestCancellation();
      this.#isGivenUp = true;
      this.#isCalledOff = true;
    } else if (this.#held) {
      this.#held = undefined;
      this.#orHold(() => actors.dropFailed());
      trace.stands(decision);
    }
    world.updates.answer(updateId, standing.progress());
  }

  /** A stale timer or answer does not count, and neither does an update that has become impossible meanwhile. */
  #take(entry: Entry): void {
    const { actors, standing, trace, world } = this.#parts;
    switch (entry.kind) {
      case 'message':
        this.#takeMessage(entry);
        return;
      case 'timer':
        if (world.timers.take(entry.timer)) {
          actors.send(entry.timer.target, entry.timer.event);
          trace.step(entry.timer.event.type, standing.snapshot);
        }
        return;
      case 'invoke':
        if (world.invokes.take(entry.invoke)) {
          actors.deliver(entry.invoke.owner, entry.event);
          trace.step(entry.event.type, standing.snapshot);
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
    const { movableClock, updates } = this.#parts.world;
    if (!movableClock) return;
    for (const _ of movableClock.passing(aheadMs)) this.drain();
    if (updateId !== undefined) updates.answer(updateId, this.#parts.standing.clock(movableClock));
  }

  #takeMessage({ event, message, update }: MessageEntry): void {
    const { actors, definition, seen, standing, trace, world } = this.#parts;
    const { updateId } = message;
    if (seen.isRepeated(definition.keyOf?.(message))) return;
    if (updateId !== undefined && !standing.snapshot.can(event)) {
      const reason = definition.refusal(standing.snapshot, event as MessageEvent);
      world.updates.refuse(updateId, NOT_POSSIBLE_NOW, reason);
      return;
    }
    actors.deliver(actors.root, event);
    trace.step(event.type, standing.snapshot);
    if (update && updateId !== undefined) world.updates.answer(updateId, standing.progress());
  }

  #cancel(failure: Error): void {
    const { actors, definition, standing, trace, world } = this.#parts;
    const event = { type: CANCEL_REQUESTED };
    this.#cancellation = failure;
    world.invokes.requestCancellation();
    // Not by a wildcard, which is for events that the author does not know.
    this.#isCalledOff =
      this.#held !== undefined ||
      !definition.machine.events.includes(CANCEL_REQUESTED) ||
      !standing.snapshot.can(event);
    if (this.#isCalledOff) return;
    actors.deliver(actors.root, event);
    trace.step(event.type, standing.snapshot);
  }
}
