// The running chart of a process: its state, its queue of events, and its inline actors. Its effects are carried out by the timers
// and calls of the process.
import type {
  AnyActorLogic,
  AnyActorRef,
  AnyMachineSnapshot,
  AnyStateMachine,
  EventObject,
  Snapshot,
} from 'xstate';
import { type ExternalLogic, externalLogic } from './actor-kinds.ts';
import type { Calls, OpenCall } from './calls.ts';
import { pathOf } from './chart/chart-view.ts';
import { actorOf } from './chart/messages.ts';
import type { CarriedActors } from './continued.ts';
import type { Definition, ProcessStart } from './definition/definition.ts';
import type { MessageEvent } from './definition/message-rules.ts';
import type { Emitted } from './definition/outgoing-rules.ts';
import { dispatch, type NotifyingProcess } from './effects.ts';
import { inlineActorOf } from './inline-actor.ts';
import { InlineActors } from './inline-actors.ts';
import { activeNodes, type Effect, firstStep, nextStep, restored, type Step } from './stepper.ts';
import type { Timers } from './timers.ts';

/** What a process runs on. */
export interface Program {
  readonly definition: Definition;
  readonly start: ProcessStart;
  readonly chart: RunningChart;
}

/** The process, as its chart, its halting and its migrations see it. */
export interface RunningProcess extends NotifyingProcess {
  program: Program;
  readonly chart: RunningChart;
  readonly timers: Timers;
  readonly calls: Calls;
  readonly isOpen: boolean;
  /** What the host said when it was cancelled; undefined: it was not. */
  readonly cancellation: unknown;
  /** Its chart takes no more steps. */
  isCalledOff: boolean;
  /** The procedure whose answer a failed step could not take. */
  readonly unhandledProcedure: OpenCall | undefined;
  readonly halting: { haltIfThrows(step: () => void): void };
  /** The chart has ended by a failure that no state takes. */
  unhandled: { readonly error: unknown } | undefined;
  pushMessage(message: MessageEvent): void;
}

interface SavedChart {
  readonly snapshot: Snapshot<unknown>;
  readonly actors?: CarriedActors;
  readonly entered: Readonly<Record<string, number>>;
}

/** A chart that replaces another one in a migration: its first step is already computed. */
interface MigratedChart extends Omit<SavedChart, 'snapshot'> {
  readonly step: Step;
}

type PersistedSnapshot = Snapshot<unknown> & {
  readonly children: Readonly<Record<string, { readonly snapshot: { readonly input?: unknown } }>>;
};

interface CallOrigin {
  readonly id: string;
  /** The inline actor that makes it. */
  readonly of: string | undefined;
  readonly input: unknown;
}

export class RunningChart {
  readonly machine: AnyStateMachine;
  readonly waiting: EventObject[] = [];
  readonly entered: Map<string, number>;
  readonly actors: InlineActors;
  #snapshot: AnyMachineSnapshot;
  readonly #process: RunningProcess;
  #first: Step | undefined;
  #isBusy = false;

  constructor(
    machine: AnyStateMachine,
    process: RunningProcess,
    from: { input: unknown } | SavedChart | MigratedChart,
  ) {
    this.machine = machine;
    this.#process = process;
    this.actors = new InlineActors(this);
    if ('input' in from) {
      this.#first = begun(machine, from.input);
      this.#snapshot = this.#first.snapshot;
      this.entered = new Map();
    } else {
      if ('step' in from) this.#first = from.step;
      this.#snapshot = 'step' in from ? from.step.snapshot : restored(machine, from.snapshot);
      this.entered = new Map(Object.entries(from.entered));
      const { actors } = machine.implementations as { readonly actors: Readonly<Record<string, unknown>> };
      this.actors.restore(from.actors ?? {}, (id, name) =>
        name === undefined ? this.logicOf(id) : actors[name],
      );
    }
  }

  get snapshot(): AnyMachineSnapshot {
    return this.#snapshot;
  }

  get process(): RunningProcess {
    return this.#process;
  }

  get context(): unknown {
    return this.#snapshot.context;
  }

  get isActive(): boolean {
    return this.#snapshot.status === 'active';
  }

  get carried(): SavedChart {
    const actors = this.actors.carried;
    return {
      snapshot: this.#persisted,
      entered: Object.fromEntries(this.entered),
      ...(Object.keys(actors).length > 0 && { actors }),
    };
  }

  /** Leaves out the input of each inline actor: its own saved state has it, and history would carry it twice. */
  get #persisted(): Snapshot<unknown> {
    const snapshot = this.machine.getPersistedSnapshot(this.#snapshot) as PersistedSnapshot;
    if (this.actors.active.size === 0) return snapshot;
    const children = Object.entries(snapshot.children).map(([id, child]) => {
      if (!this.actors.active.has(id)) return [id, child];
      const { input: _, ...without } = child.snapshot;
      return [id, { ...child, snapshot: without }];
    });
    return Object.assign({ ...snapshot }, { children: Object.fromEntries(children) });
  }

  /** The logic of an actor that the chart has. */
  logicOf(id: string): AnyActorLogic | undefined {
    return (this.#child(id) as { readonly logic?: AnyActorLogic } | undefined)?.logic;
  }

  /** The logic of a call that the chart makes, or an inline actor of it. */
  logicOfCall({ id, of, input }: CallOrigin): ExternalLogic | undefined {
    const logic = of === undefined ? this.logicOf(id) : this.actors.of(of)?.logicOf(input);
    return (logic && externalLogic(logic)) ?? undefined;
  }

  inputOf(id: string): unknown {
    return (this.#child(id)?.getSnapshot() as { readonly input?: unknown } | undefined)?.input;
  }

  #child(id: string): AnyActorRef | undefined {
    return (this.#snapshot.children as Readonly<Record<string, AnyActorRef | undefined>>)[id];
  }

  carryOutFirst(): void {
    const first = this.#first;
    this.#first = undefined;
    if (first) this.#work(first);
  }

  /** Events that come during a step wait, as in the mailbox of xstate's actors. */
  deliver(event: EventObject): void {
    this.waiting.push(event);
    if (!this.#isBusy && !this.#process.halt) this.#work();
  }

  /** By an inline actor, in the middle of a step of its own. */
  tell(event: EventObject): void {
    this.#process.halting.haltIfThrows(() => this.deliver(event));
  }

  /** An event for an inline actor, else for the chart itself. */
  deliverTo(actor: string | undefined, event: EventObject): void {
    if (actor === undefined) this.deliver(event);
    else this.actors.take(actor, event);
  }

  dropFailed(): void {
    this.waiting.shift();
    this.#work();
  }

  replaceFailed(event: EventObject): void {
    this.waiting[0] = event;
    this.#work();
  }

  /** Takes the events again that another chart could not take. */
  takeAgain(events: readonly EventObject[]): void {
    this.waiting.push(...events);
    this.#work();
  }

  #work(first?: Step): void {
    this.#isBusy = true;
    try {
      if (first) this.#settle(first);
      for (let next = this.waiting[0]; next; next = this.waiting[0]) {
        const isOpen = !this.#process.unhandled && this.isActive && !this.#process.isCalledOff;
        // If the step throws, the event stays the next one.
        const taken = isOpen && nextStep(this.machine, this.#snapshot, next);
        this.waiting.shift();
        if (taken) this.#settle(taken);
      }
    } finally {
      this.#isBusy = false;
    }
  }

  #settle({ snapshot, effects, entered }: Step): void {
    if (snapshot.status === 'error') {
      this.#process.unhandled = { error: snapshot.error };
      return;
    }
    this.#snapshot = snapshot;
    if (entered.length > 0) this.#remember(entered);
    for (const effect of effects) this.#carryOut(effect);
  }

  #remember(paths: readonly string[]): void {
    const now = this.#process.host.now();
    const active = new Set(activeNodes(this.#snapshot).map(pathOf));
    for (const path of paths) if (active.has(path)) this.entered.set(path, now);
    for (const path of this.entered.keys()) if (!active.has(path)) this.entered.delete(path);
  }

  #carryOut(effect: Effect): void {
    const { timers, calls, host } = this.#process;
    switch (effect.do) {
      case 'begin':
        this.#forgetEndOf(effect.id);
        this.#begin(effect.id, effect.logic, effect.input);
        return;
      case 'stop':
        this.#forgetEndOf(effect.id);
        if (!this.actors.stop(effect.id)) calls.stop(undefined, effect.id);
        return;
      case 'send':
        if (this.actors.active.has(effect.to)) this.actors.take(effect.to, effect.event);
        else calls.send(undefined, effect.to, effect.event);
        return;
      case 'deliver':
        this.deliver(effect.event);
        return;
      case 'arm':
        timers.arm(effect.id, effect.event, effect.delay);
        return;
      case 'disarm':
        // At the end, each cancel would cost an event, although the timers end with the process.
        if (this.isActive) timers.cancel(effect.id);
        return;
      case 'emit':
        dispatch(effect.event as Emitted, this.#process);
        return;
      case 'log':
        host.log?.(effect.label ?? 'log', { value: effect.value });
    }
  }

  /** It has ended while the process was halted, and the state that waits for its end is left before that is taken. */
  #forgetEndOf(id: string): void {
    const others = this.waiting.filter(({ type }) => actorOf(type) !== id);
    this.waiting.splice(0, this.waiting.length, ...others);
  }

  #begin(id: string, logic: AnyActorLogic, input: unknown): void {
    const external = externalLogic(logic);
    if (external) this.#process.calls.start(undefined, { id, logic: external, input });
    else {
      const actor = inlineActorOf(logic);
      if (!actor) throw new TypeError(`the engine cannot run the actor ${id}: make it an activity`);
      // The same step has left the state that invoked this actor, so it must not begin.
      if (this.isActive && this.#child(id)) this.actors.begin(id, actor, input);
    }
  }
}

/** xstate does not throw errors of the first step: they are in the snapshot. All of them are defects. */
function begun(machine: AnyStateMachine, input: unknown): Step {
  const first = firstStep(machine, input);
  if (first.snapshot.status !== 'error') return first;
  const cause = first.snapshot.error;
  throw new Error(`the machine ${machine.id} cannot be started: ${String(cause)}`, { cause });
}
