// The life of one process: takes what is in the inbox in order, steps the chart, carries out what it asks for.
// Everything runs in a scope that cancellation does not reach; the chart hears of a cancellation as an event.
import {
  allHandlersFinished,
  CancellationScope,
  CancelledFailure,
  condition,
  continueAsNew,
  workflowInfo,
} from '@temporalio/workflow';
import type { AnyMachineSnapshot, EventObject } from 'xstate';
import { carryOut, type Means } from './actions.ts';
import { type Continued, persisted } from './continued.ts';
import {
  CANCEL_REQUESTED,
  type Definition,
  type Ending,
  type MessageEvent,
  type ProcessStart,
} from './definition.ts';
import { HandOver } from './hand-over.ts';
import { type Entry, Inbox } from './inbox.ts';
import { Invokes } from './invokes.ts';
import { listen } from './listen.ts';
import { OperatorView } from './operator-view.ts';
import { refusal, step } from './step.ts';
import { Timers } from './timers.ts';
import { traceStep } from './trace.ts';
import { NOT_POSSIBLE_NOW, Updates } from './updates.ts';

export class Process {
  readonly #inbox = new Inbox();
  readonly #means: Means;
  readonly #view: OperatorView;
  readonly #start: ProcessStart;
  /** Messages of its own that came after the end. */
  readonly #late: unknown[] = [];
  #snapshot: AnyMachineSnapshot;
  #cancellation: Error | null = null;

  /** Computes the first snapshot before the handlers are set: their validators ask it as soon as they are. */
  constructor(definition: Definition, start: ProcessStart, first: AnyMachineSnapshot) {
    this.#start = start;
    this.#snapshot = first;
    this.#view = new OperatorView(definition, start.flow, start.version);
    const updates = new Updates();
    this.#means = {
      definition,
      timers: new Timers(this.#inbox),
      invokes: new Invokes(this.#inbox),
      updates,
      handOver: new HandOver(definition.handOver),
    };
    listen({
      definition,
      inbox: this.#inbox,
      updates,
      snapshot: () => this.#snapshot,
      progress: () => definition.progress(this.#snapshot, this.#late),
    });
    CancellationScope.current().cancelRequested.catch((failure: Error) =>
      this.#inbox.push({ kind: 'cancel', failure }),
    );
  }

  /** To its end, or to its continuation. `begin` does what the first step or the former run left to do. */
  run(begin: (means: Means) => void): Promise<unknown> {
    return CancellationScope.nonCancellable(async () => {
      begin(this.#means);
      this.#show();
      while (this.#snapshot.status === 'active') {
        await condition(() => !this.#inbox.isEmpty);
        this.#drain();
        if (this.#mayContinueAsNew()) await this.#continue();
      }
      for (this.#keepLate(); !this.#isAtRest(); this.#keepLate()) {
        await this.#means.handOver.finished();
        await condition(allHandlersFinished);
      }
      return this.#end();
    });
  }

  #show(): void {
    this.#view.show(this.#snapshot);
    this.#means.handOver.start();
  }

  /**
   * What an entry asks for does not depend on what comes with it: a question that arrives together with an event lets
   * the process take that event in a step of its own, and by its history both were one step.
   */
  #drain(): void {
    while (this.#snapshot.status === 'active') {
      const entry = this.#inbox.take();
      if (!entry) return;
      const event = this.#eventOf(entry);
      if (event) this.#feed(event);
      this.#show();
    }
  }

  /** Null when the entry is void: a stale timer or answer, or an update that has become impossible meanwhile. */
  #eventOf(entry: Entry): EventObject | null {
    const { timers, invokes } = this.#means;
    switch (entry.kind) {
      case 'message':
        return this.#isPossible(entry.event) ? entry.event : null;
      case 'timer':
        return timers.take(entry.timer) ? entry.timer.event : null;
      case 'invoke':
        return invokes.take(entry.invoke) ? entry.event : null;
      case 'cancel':
        this.#cancellation = entry.failure;
        invokes.requestCancellation();
        return { type: CANCEL_REQUESTED };
    }
  }

  #isPossible(event: MessageEvent): boolean {
    if (event.updateId === undefined || this.#snapshot.can(event)) return true;
    const { definition, updates } = this.#means;
    updates.refuse(event.updateId, NOT_POSSIBLE_NOW, definition.refusal(this.#snapshot, event));
    return false;
  }

  #feed(event: EventObject): void {
    const { snapshot, actions } = step(this.#means.definition.machine, this.#snapshot, event);
    this.#snapshot = snapshot;
    traceStep(event.type, snapshot);
    carryOut(this.#means, actions, snapshot);
  }

  async #continue(): Promise<void> {
    // A handler that has pushed its message still has its last step to go.
    await condition(allHandlersFinished);
    if (this.#mayContinueAsNew()) await continueAsNew(this.#start.input, this.#continued());
  }

  /** An activity does not survive it, and a requested cancellation would be forgotten. */
  #mayContinueAsNew(): boolean {
    const { invokes, updates, handOver } = this.#means;
    return (
      workflowInfo().continueAsNewSuggested &&
      this.#snapshot.status === 'active' &&
      !invokes.areOpen &&
      !updates.areOpen &&
      handOver.isIdle &&
      this.#inbox.isEmpty &&
      this.#cancellation === null
    );
  }

  #continued(): Continued {
    const { definition, timers } = this.#means;
    return {
      version: this.#start.version,
      snapshot: persisted(definition.machine, this.#snapshot),
      timers: timers.open,
    };
  }

  /** What was accepted is not lost, although nobody steps any more. */
  #keepLate(): void {
    for (let entry = this.#inbox.take(); entry; entry = this.#inbox.take())
      if (entry.kind === 'message' && entry.event.updateId === undefined) this.#keep(entry.event);
    this.#means.updates.refuseAll(`${this.#start.flow} ${this.#start.workflowId} has ended`);
  }

  #isAtRest(): boolean {
    return this.#inbox.isEmpty && this.#means.handOver.isIdle && allHandlersFinished();
  }

  #keep(message: MessageEvent): void {
    const { definition, handOver } = this.#means;
    if (definition.isOurs(this.#snapshot, message)) this.#late.push(message.payload);
    else handOver.add(message.payload);
  }

  #end(): unknown {
    const ending: Ending = this.#snapshot.output;
    switch (ending.kind) {
      case 'result':
        return ending.result;
      case 'cancelled':
        throw this.#cancellation ?? new CancelledFailure(`${this.#start.flow} was cancelled`);
      case 'failed':
        throw refusal(ending);
    }
  }
}
