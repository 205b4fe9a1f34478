// The running chart of a process: its state, its queue of events, and its parts (actors that the engine runs inside the chart).
// Its effects are carried out by the timers and calls of the process.
import type {
  AnyActorLogic,
  AnyActorRef,
  AnyMachineSnapshot,
  AnyStateMachine,
  EventObject,
  Snapshot,
} from 'xstate';
import {
  CANCEL_CALL,
  type ExternalLogic,
  externalLogic,
  type Part,
  partOf,
  type Turn,
} from './actor-kinds.ts';
import { pathOf } from './chart/chart-view.ts';
import type { Definition, Emitted, ProcessStart } from './definition.ts';
import { emitted, type NotifyingProcess } from './effects.ts';
import type { Calls, OpenCall, Timers } from './pending.ts';
import {
  activeNodes,
  doneEvent,
  type Effect,
  errorEvent,
  firstStep,
  nextStep,
  restored,
  type Step,
} from './stepper.ts';

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
  /** The procedure whose answer a failed step could not take. */
  readonly unhandledProcedure: OpenCall | undefined;
  /** The chart has ended by a failure that no state takes. */
  unhandled: { readonly error: unknown } | undefined;
}

interface SavedChart {
  readonly snapshot: Snapshot<unknown>;
  readonly entered: Readonly<Record<string, number>>;
  readonly parts?: Readonly<Record<string, unknown>>;
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
  /** The part that makes it. */
  readonly of: string | undefined;
  readonly input: unknown;
}

interface RunningPart {
  readonly part: Part;
  state: unknown;
}

export class RunningChart {
  readonly machine: AnyStateMachine;
  readonly waiting: EventObject[] = [];
  readonly entered: Map<string, number>;
  readonly parts = new Map<string, RunningPart>();
  #snapshot: AnyMachineSnapshot;
  readonly #process: RunningProcess;
  #first: Step | undefined;
  #isBusy = false;
  #hasFailed = false;

  constructor(
    machine: AnyStateMachine,
    process: RunningProcess,
    from: { input: unknown } | SavedChart | MigratedChart,
  ) {
    this.machine = machine;
    this.#process = process;
    if ('input' in from) {
      this.#first = begun(machine, from.input);
      this.#snapshot = this.#first.snapshot;
      this.entered = new Map();
    } else {
      if ('step' in from) this.#first = from.step;
      this.#snapshot = 'step' in from ? from.step.snapshot : restored(machine, from.snapshot);
      this.entered = new Map(Object.entries(from.entered));
      for (const [id, state] of Object.entries(from.parts ?? {})) {
        const part = partOf(this.logicOf(id));
        if (part) this.parts.set(id, { part, state });
      }
    }
  }

  get snapshot(): AnyMachineSnapshot {
    return this.#snapshot;
  }

  get kept(): SavedChart {
    return {
      snapshot: this.#persisted,
      entered: Object.fromEntries(this.entered),
      ...(this.parts.size > 0 && {
        parts: Object.fromEntries([...this.parts].map(([id, { state }]) => [id, state])),
      }),
    };
  }

  /** Leaves out the input of each part: the part's own saved state has it, and history would carry it twice. */
  get #persisted(): Snapshot<unknown> {
    const snapshot = this.machine.getPersistedSnapshot(this.#snapshot) as PersistedSnapshot;
    if (this.parts.size === 0) return snapshot;
    const children = Object.entries(snapshot.children).map(([id, child]) => {
      if (!this.parts.has(id)) return [id, child];
      const { input: _, ...without } = child.snapshot;
      return [id, { ...child, snapshot: without }];
    });
    return Object.assign({ ...snapshot }, { children: Object.fromEntries(children) });
  }

  /** The logic of an actor that the chart has. */
  logicOf(id: string): AnyActorLogic | undefined {
    return (this.#child(id) as { readonly logic?: AnyActorLogic } | undefined)?.logic;
  }

  /** The logic of a call that the chart makes, or a part of it. */
  logicOfCall({ id, of, input }: CallOrigin): ExternalLogic | undefined {
    const logic = of === undefined ? this.logicOf(id) : this.parts.get(of)?.part.logicOf(input);
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
    if (!this.#isBusy) this.#work();
  }

  /** An event for a part, else for the chart itself. */
  deliverTo(part: string | undefined, event: EventObject): void {
    if (part === undefined) this.deliver(event);
    else this.#take(part, event);
  }

  requestCancellation(): void {
    for (const id of [...this.parts.keys()]) this.#take(id, { type: CANCEL_CALL });
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
        const isOpen = !this.#hasFailed && this.#snapshot.status === 'active';
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
      this.#hasFailed = true;
      this.#process.unhandled = { error: snapshot.error };
      return;
    }
    this.#snapshot = snapshot;
    if (entered.length > 0) this.#remember(entered);
    for (const effect of effects) this.#carryOut(effect);
  }

  #remember(paths: readonly string[]): void {
    const now = this.#process.world.now();
    const active = new Set(activeNodes(this.#snapshot).map(pathOf));
    for (const path of paths) if (active.has(path)) this.entered.set(path, now);
    for (const path of this.entered.keys()) if (!active.has(path)) this.entered.delete(path);
  }

  #carryOut(effect: Effect): void {
    const { timers, calls, world } = this.#process;
    switch (effect.do) {
      case 'begin':
        this.#begin(effect.id, effect.logic, effect.input);
        return;
      case 'stop':
        this.#stop(effect.id);
        return;
      case 'send':
        if (this.parts.has(effect.to)) this.#take(effect.to, effect.event);
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
        if (this.#snapshot.status === 'active') timers.cancel(effect.id);
        return;
      case 'emit':
        emitted(effect.event as Emitted, this.#process);
        return;
      case 'log':
        world.log?.(effect.label ?? 'log', { value: effect.value });
    }
  }

  #begin(id: string, logic: AnyActorLogic, input: unknown): void {
    const external = externalLogic(logic);
    if (external) this.#process.calls.start(undefined, { id, logic: external, input });
    else {
      const part = partOf(logic);
      if (!part) throw new TypeError(`the engine cannot run the actor ${id}: make it an activity`);
      // The same step has left the state that invoked this part, so it must not begin.
      if (this.#snapshot.status !== 'active' || !this.#child(id)) return;
      const running: RunningPart = { part, state: undefined };
      this.parts.set(id, running);
      this.#turn(id, running, part.begin(input, this.#around(id)));
    }
  }

  #stop(id: string): void {
    if (this.parts.delete(id)) this.#process.calls.stopAllOf(id);
    else this.#process.calls.stop(undefined, id);
  }

  #around(id: string) {
    return { id, context: this.#snapshot.context as unknown };
  }

  #take(id: string, event: EventObject): void {
    const running = this.parts.get(id);
    if (running) this.#turn(id, running, running.part.take(running.state as never, event, this.#around(id)));
  }

  #turn(id: string, running: RunningPart, turn: Turn): void {
    const { state, calls = [], cancelled = [], events = [], end } = turn;
    running.state = state;
    for (const call of calls) {
      const logic = externalLogic(running.part.logicOf(call.input));
      if (!logic) throw new TypeError(`${id} calls what the engine cannot run`);
      this.#process.calls.start(id, { id: call.id, logic, input: call.input });
    }
    for (const each of cancelled) this.#process.calls.send(id, each, { type: CANCEL_CALL });
    for (const event of events) this.deliver(event);
    // The events just delivered may have left the state that invoked this part: its result is then dropped.
    if (!end || this.parts.get(id) !== running) return;
    this.parts.delete(id);
    this.#process.calls.stopAllOf(id);
    this.deliver('error' in end ? errorEvent(id, end.error) : doneEvent(id, end.output));
  }
}

/** xstate does not throw errors of the first step: they are in the snapshot. All of them are defects. */
function begun(machine: AnyStateMachine, input: unknown): Step {
  const first = firstStep(machine, input);
  if (first.snapshot.status !== 'error') return first;
  const cause = first.snapshot.error;
  throw new Error(`the machine ${machine.id} cannot be started: ${String(cause)}`, { cause });
}
