// The life of one process: it begins, takes what comes into its inbox, continues as a new run, and ends. A cancellation does
// not reach its activities and timers; the chart gets it as an event.
import {
  allHandlersFinished,
  CancellationScope,
  CancelledFailure,
  condition,
  continueAsNew,
  workflowInfo,
} from '@temporalio/workflow';
import { ActorSystem } from './actor-system.ts';
import type { MovableClock } from './clock.ts';
import type { Continued } from './continued.ts';
import type { Complete, MessageEvent, ProcessStart } from './definition.ts';
import { Inbox } from './inbox.ts';
import { listen } from './listen.ts';
import { OperatorView } from './operator-view.ts';
import { SeenMessages } from './seen-messages.ts';
import { Standing } from './standing.ts';
import { refusal } from './step.ts';
import { Stepping } from './stepping.ts';
import { Parent } from './telling/parent.ts';
import { Tellings } from './telling/tellings.ts';
import { Trace } from './trace.ts';
import { TemporalWorld } from './world.ts';

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
  readonly #parent = new Parent();
  readonly #tellings: Tellings;
  readonly #seen: SeenMessages;
  readonly #standing: Standing;
  readonly #steps: Stepping;
  readonly #trace = new Trace({
    progress: () => this.#standing.progress(),
    position: () => this.#standing.position(),
    awaited: () => this.#standing.awaited,
  });

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
    const parts = {
      definition,
      actors: this.#actors,
      world: this.#world,
      inbox: this.#inbox,
      parent: this.#parent,
      seen: this.#seen,
      trace: this.#trace,
      late: this.#late,
    };
    const standing = new Standing({ ...parts, taken: () => this.#steps });
    this.#standing = standing;
    this.#steps = new Stepping({ ...parts, standing, show: () => this.#show() });
    const told = continued ? standing.snapshot : null;
    const to = { parent: this.#parent, outbox: this.#world.outbox };
    this.#tellings = new Tellings(definition, to, () => this.#world.shield, told);
    this.#trace.begins(continued ? 'continued' : 'start', standing.snapshot);
    listen({
      definition,
      inbox: this.#inbox,
      updates: this.#world.updates,
      snapshot: () => standing.snapshot,
      position: () => standing.position(),
      held: () => this.#steps.held,
      progress: (asked) => standing.progress(asked),
      ...(movableClock && { clock: () => standing.clock(movableClock) }),
    });
    movableClock?.whenDue(() => this.#inbox.push({ kind: 'clock', aheadMs: movableClock.aheadMs }));
    CancellationScope.current().cancelRequested.catch((failure: Error) =>
      this.#inbox.push({ kind: 'cancel', failure }),
    );
  }

  /** To its end, or to its continuation. */
  async run(): Promise<unknown> {
    this.#begin();
    this.#show();
    while (this.#steps.isOpen) {
      await (this.#steps.held ? this.#decided() : this.#inbox.filled());
      this.#steps.drain();
      if (this.#mayContinueAsNew()) await this.#continue();
    }
    // Child workflows that it has cancelled undo their work before they end.
    if (this.#steps.isCalledOff) await this.#childrenEnded();
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
    this.#view.show(this.#standing.snapshot, this.#standing.awaited);
    this.#tellings.tell(this.#standing.snapshot, this.#standing.awaited);
    this.#world.handOver.start();
    this.#world.outbox.start();
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
      this.#steps.isOpen &&
      !this.#steps.held &&
      !invokes.areOpen &&
      !updates.areOpen &&
      !asides.areOpen &&
      handOver.isIdle &&
      !outbox.isFull &&
      this.#inbox.isEmpty &&
      this.#steps.cancellation === null
    );
  }

  #carried(): Continued {
    const carries = this.#definition.carries?.();
    const outbox = this.#world.outbox.carried;
    const seen = this.#seen.carried;
    return {
      version: this.#start.version,
      snapshot: this.#definition.machine.getPersistedSnapshot(this.#standing.snapshot),
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
    if (this.#definition.isOurs(this.#standing.snapshot, message)) this.#late.push(message.payload);
    else this.#world.handOver.add(message.payload);
  }

  #end(): unknown {
    const ending = this.#steps.ending;
    switch (ending.kind) {
      case 'result':
        return ending.result;
      case 'cancelled':
        throw this.#steps.cancellation ?? new CancelledFailure(`${this.#start.flow} was cancelled`);
      case 'failed':
        throw refusal(ending);
    }
  }
}
