// The actors that run within a process: its machine, and the machines and transition functions that it has as children.
// It steps them in the order of xstate's own actors. For everything outside them it calls the given World.
import type { AnyMachineSnapshot, AnyStateMachine, AnyTransitionDefinition, EventObject } from 'xstate';
import { carryOut, isOfXstate, type World } from './actions.ts';
import { kindOf } from './actors/logic.ts';
import { ChartError } from './chart/chart-error.ts';
import type { Continued } from './continued.ts';
import {
  type Action,
  type AnyActor,
  childrenOf,
  inertActor,
  internalsOf,
  type LocalActor,
  Scope,
  unregister,
} from './scope.ts';
import { firstStep, refused, type Step, stepWithin } from './step.ts';

/** Gets the transitions that the machine itself takes, one after the other. */
export type Watch = (taken: readonly AnyTransitionDefinition[]) => void;

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
    const self = inertActor(machine);
    // xstate has numbered it too.
    Object.assign(self, { id: 'x:0', sessionId: 'x:0' });
    const { system } = internalsOf(self);
    // xstate counts the actors of all processes of a worker: a replay would start from another number.
    system._bookId = () => `x:${++this.#sessions}`;
    // Where an action calls `send` of an actor.
    system._relay = (_, target, event) => this.send(target, event);
    if (watch)
      self.system.inspect((seen) => {
        if (seen.type === '@xstate.microstep' && seen.actorRef === self) watch(seen._transitions);
      });
    this.root = this.#actor(self, null);
  }

  /** At its first step; `carryOutFirst` carries out its actions. */
  static begun(machine: AnyStateMachine, world: World, input: unknown, watch?: Watch): ActorSystem {
    const system = new ActorSystem(machine, world, 0, watch);
    const { snapshot, actions } = firstStep(machine, input, system.root.scope);
    system.#set(system.root, snapshot);
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
    const { scope } = system.root;
    const from = scope.step((within) => machine.restoreSnapshot(snapshot as never, within as never));
    system.#set(system.root, from.snapshot);
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
        const taken = isOpen && stepWithin(actor.scope, actor.logic, actor.ref.getSnapshot(), next);
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
    const { logic } = internalsOf(ref);
    const actor: LocalActor = {
      ...{ ref, logic, parent, scope: new Scope(ref), waiting: [] },
      path: parent ? [...parent.path, ref.id] : [],
      ...{ isBusy: false, hasEnded: false },
    };
    this.#local.set(ref, actor);
    return actor;
  }

  #set(actor: LocalActor, snapshot: AnyMachineSnapshot): void {
    internalsOf(actor.ref)._snapshot = snapshot;
  }

  /** In the order of xstate: the machine's own actions within the step, then those of xstate. */
  #settle(actor: LocalActor, { snapshot, actions }: Step): void {
    if (snapshot.status === 'error' && !actor.parent) throw refused(snapshot.error);
    for (const action of actions) if (!isOfXstate(action)) this.#world.perform(action);
    this.#set(actor, snapshot);
    if (actor.scope.hasSpawned) this.#startSpawned(actor);
    for (const action of actions)
      if (isOfXstate(action)) carryOut({ system: this, world: this.#world, actor, snapshot }, action);
    if (actor.parent) this.#tellParent(actor, actor.parent, snapshot);
  }

  start(owner: LocalActor, ref: AnyActor, input: unknown): void {
    this.#known.add(ref);
    const { logic, src } = internalsOf(ref);
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
    for (const ref of childrenOf(owner.ref))
      if (!this.#known.has(ref)) this.start(owner, ref, internalsOf(ref).options.input);
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
      if (internalsOf(ref)._syncSnapshot)
        this.deliver(parent, { type: `xstate.snapshot.${ref.id}`, snapshot } as EventObject);
      return;
    }
    this.#end(actor);
    const outcome = status === 'done' ? { output } : { error };
    const type = `xstate.${status}.actor.${ref.id}`;
    const answer = { type, ...outcome, actorId: ref.id };
    this.deliver(parent, answer);
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
      if (kindOf(internalsOf(ref).logic) === 'local' && ref.getSnapshot().status === 'active')
        this.#adopt(this.#actor(ref, owner));
    }
  }
}
