// The actors that run within a process: its machine, and the machines and transition functions that it has as children.
// It steps them in the order of xstate's own actors. For everything outside them it calls the given World.
import type { AnyMachineSnapshot, AnyStateMachine, EventObject } from 'xstate';
import { carryOut, isOfXstate, type LocalActor, type World } from './actions.ts';
import { kindOf } from './actors/logic.ts';
import { ChartError } from './chart/chart-error.ts';
import type { Continued } from './continued.ts';
import { firstStep, refused, type Step, stepWithin } from './step.ts';
import {
  type Action,
  type AnyActor,
  childrenOf,
  doneEvent,
  errorEvent,
  inputOf,
  logicOf,
  rootActor,
  Scope,
  sendsSnapshots,
  setSnapshot,
  srcOf,
  unregister,
  type Watch,
} from './xstate-internals.ts';

export class ActorSystem {
  readonly root: LocalActor;
  readonly #world: World;
  readonly #local = new Map<AnyActor, LocalActor>();
  readonly #known = new WeakSet<AnyActor>();
  #sessions: number;
  #first: readonly Action[] = [];

  private constructor(machine: AnyStateMachine, world: World, sessions: number, watch?: Watch) {
    this.#world = world;
    this.#sessions = sessions;
    const nextNumber = () => ++this.#sessions;
    const send = (target: AnyActor, event: EventObject) => this.send(target, event);
    this.root = this.#actor(rootActor(machine, { nextNumber, send, watch }), null);
  }

  /** At its first step; `carryOutFirst` carries out its actions. */
  static begun(machine: AnyStateMachine, world: World, input: unknown, watch?: Watch): ActorSystem {
    const system = new ActorSystem(machine, world, 0, watch);
    const { snapshot, actions } = firstStep(machine, input, system.root.scope);
    setSnapshot(system.root.ref, snapshot);
    system.#first = actions;
    return system;
  }

  static restored(
    machine: AnyStateMachine,
    world: World,
    { snapshot, sessions = 0 }: Pick<Continued, 'snapshot' | 'sessions'>,
    watch?: Watch,
  ): ActorSystem {
    const system = new ActorSystem(machine, world, sessions, watch);
    setSnapshot(system.root.ref, system.root.scope.restored(machine, snapshot));
    system.#adopt(system.root);
    return system;
  }

  get snapshot(): AnyMachineSnapshot {
    return this.root.ref.getSnapshot();
  }

  /** How many actors it has had, for actors that are named by their number. */
  get sessions(): number {
    return this.#sessions;
  }

  carryOutFirst(): void {
    this.#work(this.root, { snapshot: this.snapshot, actions: this.#first });
    this.#first = [];
  }

  /** The actor at a path, undefined when it has ended. */
  at(path: readonly string[]): LocalActor | undefined {
    if (path.length === 0) return this.root;
    return [...this.#local.values()].find((actor) => actor.path.join() === path.join());
  }

  send(target: AnyActor, event: EventObject): void {
    const actor = this.#local.get(target);
    if (actor) this.deliver(actor, event);
    else this.#world.tell(target, event);
  }

  /** Events that come during a step wait, as in the mailbox of xstate's actors. */
  deliver(actor: LocalActor, event: EventObject): void {
    actor.waiting.push(event);
    if (!actor.isBusy) this.#work(actor);
  }

  #work(actor: LocalActor, first?: Step): void {
    actor.isBusy = true;
    try {
      if (first) this.#settle(actor, first);
      for (let next = actor.waiting[0]; next; next = actor.waiting[0]) {
        const isOpen = !actor.hasEnded && actor.ref.getSnapshot().status === 'active';
        // If it throws, the event stays the next one.
        const taken = isOpen && stepWithin(actor.scope, actor.ref.getSnapshot(), next);
        actor.waiting.shift();
        if (taken) this.#settle(actor, taken);
      }
    } finally {
      actor.isBusy = false;
    }
  }

  /** Drops the event that could not be taken, and continues with the events behind it. */
  dropFailed(): EventObject | undefined {
    const dropped = this.root.waiting.shift();
    this.#work(this.root);
    return dropped;
  }

  #actor(ref: AnyActor, parent: LocalActor | null): LocalActor {
    const logic = logicOf(ref);
    const actor: LocalActor = {
      ...{ ref, logic, parent, scope: new Scope(ref), waiting: [] },
      path: parent ? [...parent.path, ref.id] : [],
      ...{ isBusy: false, hasEnded: false },
    };
    this.#local.set(ref, actor);
    return actor;
  }

  /** In the order of xstate: the machine's own actions within the step, then those of xstate. */
  #settle(actor: LocalActor, { snapshot, actions }: Step): void {
    if (snapshot.status === 'error' && !actor.parent) throw refused(snapshot.error);
    for (const action of actions) if (!isOfXstate(action)) this.#world.perform(action);
    setSnapshot(actor.ref, snapshot);
    if (actor.scope.hasSpawned) this.#startSpawned(actor);
    for (const action of actions)
      if (isOfXstate(action)) carryOut({ system: this, world: this.#world, actor, snapshot }, action);
    if (actor.parent) this.#tellParent(actor, actor.parent, snapshot);
  }

  start(owner: LocalActor, ref: AnyActor, input: unknown): void {
    this.#known.add(ref);
    const [logic, src] = [logicOf(ref), srcOf(ref)];
    if (typeof src !== 'string')
      throw new ChartError([{ code: 'ActorNotNamed', place: 'assign', what: `the actor "${ref.id}"` }]);
    const kind = kindOf(logic);
    if (kind === 'live')
      throw new TypeError(`the driver cannot run the actor ${ref.id}: make it an activity`);
    if (kind !== 'local') {
      this.#world.call(owner, ref, input);
      return;
    }
    const { status, children } = owner.ref.getSnapshot();
    // Its state was left in the same step.
    if (status !== 'active' || children?.[ref.id] !== ref) return;
    const actor = this.#actor(ref, owner);
    // xstate took the first step when it made the actor, and lost its actions: so the step is taken again.
    for (const child of childrenOf(ref)) unregister(child);
    this.#work(actor, firstStep(logic, input, actor.scope));
  }

  stop(owner: LocalActor, ref: AnyActor): void {
    const actor = this.#local.get(ref);
    if (actor) this.#end(actor);
    else this.#world.stopCall(owner, ref.id);
  }

  #startSpawned(owner: LocalActor): void {
    for (const ref of childrenOf(owner.ref)) if (!this.#known.has(ref)) this.start(owner, ref, inputOf(ref));
  }

  #tellParent(actor: LocalActor, parent: LocalActor, snapshot: AnyMachineSnapshot): void {
    // It was stopped during its step: the timers of the step do not count.
    if (actor.hasEnded) {
      this.#world.forget(actor);
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
    this.#world.forget(actor);
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
