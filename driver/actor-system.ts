// The actors that run within a process: its machine, and the machines and transition functions that it has as children.
// It steps them in the order of xstate's own actors, and asks the process for everything outside them.
import {
  type AnyMachineSnapshot,
  type AnyStateMachine,
  type AnyStateNode,
  type EventObject,
  StateMachine,
} from 'xstate';
import { CANCEL_CALL, type ExternalLogic, externalLogic, kindOf } from './actor-kinds.ts';
import { pathOf, type StatePath } from './chart/chart-view.ts';
import { ChartError } from './chart/check.ts';
import type { EnteredStates } from './definition.ts';
import {
  type Action,
  type AnyActor,
  activeNodes,
  childrenOf,
  doneEvent,
  entriesMarked,
  errorEvent,
  inputOf,
  isOwnAction,
  logicOf,
  type OwnAction,
  ownActions,
  rootActor,
  Scope,
  type Step,
  type Swap,
  sendsSnapshots,
  setSnapshot,
  srcOf,
  unregister,
  type Watch,
} from './xstate-internals.ts';

/** An actor that runs within the process. */
export interface LocalActor {
  readonly ref: AnyActor;
  readonly scope: Scope;
  readonly parent: LocalActor | null;
  /** The ids from the machine's child down to this one; empty for the machine itself. */
  readonly path: readonly string[];
  readonly waiting: EventObject[];
  /** When each active state was entered, in milliseconds since 1970. */
  readonly entered: Map<StatePath, number>;
  isBusy: boolean;
  hasEnded: boolean;
}

export interface DelayedEvent {
  /** Undefined if no action can cancel it. */
  readonly id: string | undefined;
  readonly event: EventObject;
  /** Milliseconds, finite. */
  readonly delay: number;
  readonly to: AnyActor;
}

/** What the actors ask of their process. */
export interface Effects {
  /** Milliseconds since 1970. */
  now(): number;
  readonly timers: {
    arm(from: LocalActor, delayed: DelayedEvent): void;
    cancel(from: LocalActor, id: string): void;
    cancelAllOf(actor: LocalActor): void;
  };
  /** Calls answer with xstate's own events. */
  readonly calls: {
    start(owner: LocalActor, actor: AnyActor, logic: ExternalLogic, input: unknown): void;
    stop(actor: AnyActor): void;
    stopAllOf(owner: LocalActor): void;
    send(actor: AnyActor, event: EventObject): void;
  };
  emitted(event: EventObject): void;
  log(value: unknown, label: string | undefined): void;
  /** An action that is the machine's own. */
  perform(action: Action): void;
  /** A failure that no state of the machine takes has ended it. */
  failed(error: unknown): void;
}

/** Where a system of actors begins: with the machine's input, or with what a former run kept. */
export type Beginning =
  | { readonly input: unknown }
  | {
      readonly snapshot: unknown;
      readonly sessions: number;
      readonly entered: readonly EnteredStates[];
    };

export class ActorSystem {
  readonly root: LocalActor;
  readonly #effects: Effects;
  readonly #local = new Map<AnyActor, LocalActor>();
  readonly #known = new WeakSet<AnyActor>();
  /** Events for actors of the same step that begin after its entry actions: as xstate's own, they get them once they have begun. */
  readonly #early = new WeakMap<AnyActor, readonly EventObject[]>();
  #sessions: number;
  /** The first step, or the one that replaces the machine, until `carryOutFirst`. */
  #first: Step | undefined;

  constructor(machine: AnyStateMachine, effects: Effects, beginning: Beginning, watch?: Watch) {
    this.#effects = effects;
    this.#sessions = 'sessions' in beginning ? beginning.sessions : 0;
    const nextNumber = () => ++this.#sessions;
    const send = (target: AnyActor, event: EventObject) => this.send(target, event);
    this.root = this.#actor(rootActor(machine, { nextNumber, send, watch }), null);
    const { ref, scope } = this.root;
    if ('input' in beginning) {
      this.#first = firstStep(machine, scope, beginning.input);
      setSnapshot(ref, this.#first.snapshot);
    } else {
      setSnapshot(ref, scope.restored(machine, beginning.snapshot));
      this.#adopt(this.root);
      for (const { of = [], at } of beginning.entered)
        for (const [state, moment] of Object.entries(at)) this.at(of)?.entered.set(state, moment);
    }
  }

  get snapshot(): AnyMachineSnapshot {
    return this.root.ref.getSnapshot();
  }

  /** How many actors it has had, for actors that are named by their number. */
  get sessions(): number {
    return this.#sessions;
  }

  /** When the active states were entered, for each actor that is a machine. */
  get entered(): EnteredStates[] {
    return [...this.#local.values()].flatMap(({ path, entered }) =>
      entered.size === 0 ? [] : [{ ...(path.length > 0 && { of: path }), at: Object.fromEntries(entered) }],
    );
  }

  /** Another one that is where this one is, as a continued run would be: what happens in it does not touch this one. */
  copy(effects: Effects, watch?: Watch): ActorSystem {
    const { machine } = this.snapshot;
    const snapshot = machine.getPersistedSnapshot(this.snapshot);
    const { sessions, entered } = this;
    return new ActorSystem(machine, effects, { snapshot, sessions, entered }, watch);
  }

  /** All actors that are not the machine itself. */
  get local(): readonly LocalActor[] {
    return [...this.#local.values()];
  }

  /**
   * Replaces the machine in one step; `carryOutFirst` carries it out. It throws what the step throws.
   * @param entered the new path of each state that is carried, by its old one
   */
  replaceMachine(to: AnyStateMachine, swap: Swap, entered: ReadonlyMap<StatePath, StatePath>): Step {
    entriesMarked(to);
    const { scope, entered: moments } = this.root;
    const step = scope.swapped(this.snapshot, to, swap);
    const known = [...moments];
    moments.clear();
    for (const [path, at] of known) {
      const now = entered.get(path);
      if (now !== undefined) moments.set(now, at);
    }
    this.#first = step;
    return step;
  }

  carryOutFirst(): void {
    if (this.#first) this.#work(this.root, this.#first);
    this.#first = undefined;
  }

  /** The actor at a path, undefined when it has ended. */
  at(path: readonly string[]): LocalActor | undefined {
    if (path.length === 0) return this.root;
    return [...this.#local.values()].find((actor) => actor.path.join() === path.join());
  }

  send(target: AnyActor, event: EventObject): void {
    const actor = this.#local.get(target);
    if (actor) this.deliver(actor, event);
    else if (this.#known.has(target)) this.#effects.calls.send(target, event);
    else this.#early.set(target, [...(this.#early.get(target) ?? []), event]);
  }

  /** Events that come during a step wait, as in the mailbox of xstate's actors. */
  deliver(actor: LocalActor, event: EventObject): void {
    actor.waiting.push(event);
    if (!actor.isBusy) this.#work(actor);
  }

  /** Tells the machines within that the process was cancelled, as far as they take that. */
  requestCancellation(): void {
    for (const { ref, parent } of this.local) {
      if (!parent) continue;
      const { machine } = ref.getSnapshot() as Partial<AnyMachineSnapshot>;
      if (machine?.events.includes(CANCEL_CALL)) this.send(ref, { type: CANCEL_CALL });
    }
  }

  /** Drops the event that could not be taken, and continues with the events behind it. */
  dropFailed(): void {
    this.root.waiting.shift();
    this.#work(this.root);
  }

  /** Takes another event in place of the one that could not be taken. */
  replaceFailed(event: EventObject): void {
    this.root.waiting[0] = event;
    this.#work(this.root);
  }

  /** Takes the events again that another system could not take. */
  takeAgain(events: readonly EventObject[]): void {
    this.root.waiting.push(...events);
    this.#work(this.root);
  }

  #work(actor: LocalActor, first?: Step): void {
    actor.isBusy = true;
    try {
      if (first) this.#settle(actor, first);
      for (let next = actor.waiting[0]; next; next = actor.waiting[0]) {
        const isOpen = !actor.hasEnded && actor.ref.getSnapshot().status === 'active';
        // If it throws, the event stays the next one.
        const taken = isOpen && actor.scope.next(actor.ref.getSnapshot(), next);
        actor.waiting.shift();
        if (taken) this.#settle(actor, taken);
      }
    } finally {
      actor.isBusy = false;
    }
  }

  #actor(ref: AnyActor, parent: LocalActor | null): LocalActor {
    const logic: unknown = logicOf(ref);
    if (logic instanceof StateMachine) entriesMarked(logic);
    const actor: LocalActor = {
      ...{ ref, parent, scope: new Scope(ref), waiting: [], entered: new Map() },
      // A migration may give an actor another id.
      get path() {
        return parent ? [...parent.path, ref.id] : [];
      },
      ...{ isBusy: false, hasEnded: false },
    };
    this.#local.set(ref, actor);
    return actor;
  }

  /** In the order of xstate: the machine's own actions within the step, then those of xstate. */
  #settle(actor: LocalActor, { snapshot, actions, entered }: Step): void {
    if (snapshot.status === 'error' && !actor.parent) {
      actor.hasEnded = true;
      this.#effects.failed(snapshot.error);
      return;
    }
    for (const action of actions) if (!isOwnAction(action)) this.#effects.perform(action);
    setSnapshot(actor.ref, snapshot);
    if (entered.length > 0) this.#remember(actor, snapshot, entered);
    if (actor.scope.hasSpawned) this.#startSpawned(actor);
    for (const action of actions) if (isOwnAction(action)) this.#carryOut(actor, snapshot, action);
    if (actor.parent) this.#tellParent(actor, actor.parent, snapshot);
  }

  #remember({ entered }: LocalActor, snapshot: AnyMachineSnapshot, nodes: readonly AnyStateNode[]): void {
    const now = this.#effects.now();
    const active = new Set(activeNodes(snapshot));
    for (const node of nodes) if (active.has(node)) entered.set(pathOf(node), now);
    const paths = new Set([...active].map(pathOf));
    for (const path of entered.keys()) if (!paths.has(path)) entered.delete(path);
  }

  #carryOut(actor: LocalActor, { status }: AnyMachineSnapshot, action: OwnAction): void {
    switch (action.type) {
      case 'xstate.spawnChild': {
        const { actorRef, src, input } = action.params;
        if (!actorRef) throw new TypeError(`the chart invokes ${String(src)}, which has no implementation`);
        this.#start(actor, actorRef, input);
        return;
      }
      case 'xstate.stopChild':
        if (action.params) this.#stop(action.params);
        return;
      case 'xstate.raise': {
        const { id, event, delay } = action.params;
        if (delay !== undefined) this.#arm(actor, { id, event, delay, to: actor.ref });
        return;
      }
      case 'xstate.sendTo': {
        const { to, id, event, delay } = action.params;
        if (!to) throw new TypeError(`the chart sends ${event.type} to an actor that it has not`);
        if (delay === undefined) this.send(to, event);
        else this.#arm(actor, { id, event, delay, to });
        return;
      }
      case 'xstate.cancel':
        // At the end, each cancel would cost an event, although the timers end with the process.
        if (status === 'active') this.#effects.timers.cancel(actor, action.params.sendId);
        return;
      case 'xstate.emit':
        this.#effects.emitted(action.params.event);
        return;
      case 'xstate.log':
        this.#effects.log(action.params.value, action.params.label);
        return;
      default:
        throw new TypeError(
          `the chart asks for ${(action satisfies never as Action).type}, expected one of ${ownActions.join(', ')}`,
        );
    }
  }

  /** Infinity is "no delay at all": nothing is armed, and it costs no event. */
  #arm(actor: LocalActor, delayed: DelayedEvent): void {
    const { delay, event } = delayed;
    if (Number.isNaN(delay))
      throw new TypeError(`the delay of ${event.type} is not a number of milliseconds`);
    if (delay !== Number.POSITIVE_INFINITY) this.#effects.timers.arm(actor, delayed);
  }

  #start(owner: LocalActor, ref: AnyActor, input: unknown): void {
    this.#known.add(ref);
    this.#begin(owner, ref, input);
    for (const event of this.#early.get(ref) ?? []) this.send(ref, event);
    this.#early.delete(ref);
  }

  #begin(owner: LocalActor, ref: AnyActor, input: unknown): void {
    const logic = logicOf(ref);
    if (typeof srcOf(ref) !== 'string')
      throw new ChartError([{ code: 'ActorNotNamed', place: 'assign', what: `the actor "${ref.id}"` }]);
    const external = externalLogic(logic);
    if (external) {
      this.#effects.calls.start(owner, ref, external, input);
      return;
    }
    if (kindOf(logic) === 'live')
      throw new TypeError(`the driver cannot run the actor ${ref.id}: make it an activity`);
    const { status, children } = owner.ref.getSnapshot();
    // Its state was left in the same step.
    if (status !== 'active' || children?.[ref.id] !== ref) return;
    const actor = this.#actor(ref, owner);
    // xstate took the first step when it made the actor, and lost its actions: so the step is taken again.
    for (const child of childrenOf(ref)) unregister(child);
    this.#work(actor, actor.scope.first(input));
  }

  #stop(ref: AnyActor): void {
    const actor = this.#local.get(ref);
    if (actor) this.#end(actor);
    else this.#effects.calls.stop(ref);
  }

  #startSpawned(owner: LocalActor): void {
    for (const ref of childrenOf(owner.ref)) if (!this.#known.has(ref)) this.#start(owner, ref, inputOf(ref));
  }

  #tellParent(actor: LocalActor, parent: LocalActor, snapshot: AnyMachineSnapshot): void {
    // It was stopped during its step: the timers of the step do not count.
    if (actor.hasEnded) {
      this.#forget(actor);
      return;
    }
    const { ref } = actor;
    const { status, output, error } = snapshot;
    if (status === 'active') {
      if (sendsSnapshots(ref))
        this.deliver(parent, { type: `xstate.snapshot.${ref.id}`, snapshot } as EventObject);
      return;
    }
    this.#end(actor);
    this.deliver(parent, status === 'done' ? doneEvent(ref.id, output) : errorEvent(ref.id, error));
  }

  #end(actor: LocalActor): void {
    actor.hasEnded = true;
    for (const child of childrenOf(actor.ref)) {
      const local = this.#local.get(child);
      if (local) this.#end(local);
    }
    this.#local.delete(actor.ref);
    unregister(actor.ref);
    this.#forget(actor);
  }

  /** Its timers and calls are no longer awaited. */
  #forget(actor: LocalActor): void {
    this.#effects.timers.cancelAllOf(actor);
    this.#effects.calls.stopAllOf(actor);
  }

  /** For a restored process: its children take part again, in their former states. */
  #adopt(owner: LocalActor): void {
    for (const ref of childrenOf(owner.ref)) {
      this.#known.add(ref);
      if (kindOf(logicOf(ref)) === 'local' && ref.getSnapshot().status === 'active')
        this.#adopt(this.#actor(ref, owner));
    }
  }
}

/** xstate does not throw errors of the first step: they are in the snapshot. All of them are defects. */
function firstStep(logic: object, scope: Scope, input: unknown): Step {
  const first = scope.first(input);
  if (first.snapshot.status !== 'error') return first;
  const { id = '' } = logic as Partial<AnyStateMachine>;
  const cause = first.snapshot.error;
  throw new Error(`the machine ${id} cannot be started: ${String(cause)}`, { cause });
}
