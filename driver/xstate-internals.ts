// Everything that the driver uses of xstate beyond its documented interface, and nothing else: actors that are never started,
// the scope in which a machine takes a step, what a snapshot and an action hold. An
// update of xstate that breaks one of these assumptions fails in test/driver: most of them in features.test.ts.
import {
  type Actor,
  type AnyActorLogic,
  type AnyActorScope,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  type AnyStateNode,
  type AnyTransitionDefinition,
  createActor,
  type EventObject,
  type ExecutableActionObject,
  spawnChild,
  stopChild,
} from 'xstate';

export type AnyActor = Actor<AnyActorLogic>;
export type Action = ExecutableActionObject;

interface Internals {
  logic: AnyActorLogic;
  readonly src: unknown;
  _snapshot: AnyMachineSnapshot;
  readonly _syncSnapshot: boolean | undefined;
  readonly _parent: AnyActor | undefined;
  readonly options: { readonly input?: unknown };
  readonly system: {
    _bookId: () => string;
    _relay: (source: AnyActor | undefined, target: AnyActor, event: EventObject) => void;
    _unregister: (actor: AnyActor) => void;
  };
}

const internalsOf = (actor: AnyActor): Internals => actor as unknown as Internals;

export const logicOf = (actor: AnyActor): AnyActorLogic => internalsOf(actor).logic;

/** The name by which its machine knows its logic; the logic itself if it has none. */
export const srcOf = (actor: AnyActor): unknown => internalsOf(actor).src;

/** The input of an actor that `spawn` has made in an assign, or of one that is restored with its first snapshot. */
export const inputOf = (actor: AnyActor): unknown =>
  internalsOf(actor).options.input ??
  (actor.getSnapshot() as { readonly input?: unknown } | undefined)?.input;

/** Undefined for a process's own machine. */
export const parentOf = (actor: unknown): AnyActor | undefined => internalsOf(actor as AnyActor)._parent;

/** Whether its parent takes `onSnapshot`. */
export const sendsSnapshots = (actor: AnyActor): boolean => internalsOf(actor)._syncSnapshot === true;

export function setSnapshot(actor: AnyActor, snapshot: AnyMachineSnapshot): void {
  internalsOf(actor)._snapshot = snapshot;
}

const unstarted = {
  transition: (snapshot: object) => snapshot,
  getInitialSnapshot: () => ({ status: 'active', output: undefined, error: undefined }),
  getPersistedSnapshot: (snapshot: object) => snapshot,
} as unknown as AnyActorLogic;

/** An actor that is never started: the `self` of actions, and the parent of child actors. */
export function inertActor(logic: AnyActorLogic): AnyActor {
  const actor = createActor(unstarted);
  // With its own logic, xstate would compute a first snapshot, without input, for nothing.
  internalsOf(actor).logic = logic;
  return actor;
}

/** Gets the transitions that the machine itself takes, one after the other. */
export type Watch = (taken: readonly AnyTransitionDefinition[]) => void;

interface OwnSystem {
  /** xstate counts the actors of all processes of a worker: a replay would start from another number. */
  nextNumber(): number;
  /** Where an action calls `send` of an actor. */
  send(target: AnyActor, event: EventObject): void;
  readonly watch: Watch | undefined;
}

/** The actor of a process's machine, with a system of actors of its own. */
export function rootActor(machine: AnyStateMachine, { nextNumber, send, watch }: OwnSystem): AnyActor {
  const root = inertActor(machine);
  // xstate has numbered it too.
  Object.assign(root, { id: 'x:0', sessionId: 'x:0' });
  const { system } = internalsOf(root);
  system._bookId = () => `x:${nextNumber()}`;
  system._relay = (_, target, event) => send(target, event);
  if (watch)
    root.system.inspect((seen) => {
      if (seen.type === '@xstate.microstep' && seen.actorRef === root) watch(seen._transitions);
    });
  return root;
}

export interface Step {
  readonly snapshot: AnyMachineSnapshot;
  readonly actions: readonly Action[];
  /** The states that it has entered, in order; one that it has left again is among them. */
  readonly entered: readonly AnyStateNode[];
}

/**
 * The scope in which an actor's logic takes its steps: it only collects the actions of the step. xstate's own `transition`
 * makes an actor and a system of actors for every step; here there is one for each process.
 */
export class Scope {
  readonly self: AnyActor;
  #actions: Action[] = [];
  /** For `entriesMarked`. */
  entered: AnyStateNode[] = [];
  /** Whether `spawn` was called in an assign: no action shows it. */
  hasSpawned = false;
  /** A property, not a method: xstate replaces it for each microstep. */
  actionExecutor: (action: Action) => void;

  constructor(self: AnyActor) {
    this.self = self;
    this.actionExecutor = (action) => {
      if (action.type === 'xstate.stopChild') unregister(action.params as unknown as AnyActor | undefined);
      this.#actions.push(action);
    };
  }

  get id(): string {
    return this.self.id;
  }
  get sessionId(): string {
    return this.self.sessionId;
  }
  get system(): Actor<AnyActorLogic>['system'] {
    return this.self.system;
  }
  defer = (): void => {
    this.hasSpawned = true;
  };
  logger = (): void => undefined;
  stopChild = (): void => undefined;
  emit = (): void => undefined;

  /** Does not throw an error of the first step: it is in the snapshot. */
  first(input: unknown): Step {
    return this.#step((within) => logicOf(this.self).getInitialSnapshot(within, input));
  }

  /** Throws the errors of guards, delays and assigns. A failure that no state takes is in the snapshot. */
  next(from: AnyMachineSnapshot, event: EventObject): Step {
    return this.#step((within) => logicOf(this.self).transition(from, event, within));
  }

  restored(machine: AnyStateMachine, snapshot: unknown): AnyMachineSnapshot {
    return this.#step((within) => machine.restoreSnapshot(snapshot as never, within as never)).snapshot;
  }

  /** One step from a snapshot of another machine; the actor goes on with this one. Throws as `next` does. */
  swapped(from: AnyMachineSnapshot, to: AnyStateMachine, swap: Swap): Step {
    internalsOf(this.self).logic = to;
    const resolveDeferred = (children: AnyMachineSnapshot['children']) => {
      for (const { type, params } of this.#actions as { type: string; params?: unknown }[]) {
        const sent = params as { to?: unknown } | undefined;
        if (type === 'xstate.sendTo' && typeof sent?.to === 'string') sent.to = children[sent.to];
      }
    };
    const before = { ...from, machine: bridgeOf(from.machine, to, swap, resolveDeferred) };
    const event = { type: MIGRATION };
    const step = (within: AnyActorScope) => to.transition(before as never, event, within as never);
    const { enclosure } = from.machine as Enclosed;
    return this.#step((within) =>
      enclosure ? enclosure.next(from, () => step(within), event) : step(within),
    );
  }

  #step(run: (scope: AnyActorScope) => unknown): Step {
    this.#actions = [];
    this.entered = [];
    this.hasSpawned = false;
    const snapshot = run(this as unknown as AnyActorScope) as AnyMachineSnapshot;
    return { snapshot, actions: this.#actions, entered: this.entered };
  }
}

/** At once, because the same step may make an actor with the same systemId. */
export function unregister(actor: AnyActor | undefined): void {
  if (!actor) return;
  for (const child of childrenOf(actor)) unregister(child);
  internalsOf(actor).system._unregister(actor);
}

export function childrenOf(actor: AnyActor): AnyActor[] {
  const { children = {} }: { children?: Record<string, AnyActor | undefined> } = actor.getSnapshot() ?? {};
  return Object.values(children).filter((child) => child !== undefined);
}

/** The states that are active, each before those within it. */
export const activeNodes = ({ _nodes }: AnyMachineSnapshot): readonly AnyStateNode[] => _nodes;

/** Whether some active state takes the event, as it is written there; guards are not asked. */
export const takes = (snapshot: AnyMachineSnapshot, type: string): boolean =>
  activeNodes(snapshot).some(({ ownEvents }) => ownEvents.includes(type));

/** Whether xstate has put the action there for an `after`, or `entriesMarked` has. */
export function isAdded(action: unknown): boolean {
  const { event, sendId, type } = action as { event?: { type?: unknown }; sendId?: unknown; type?: unknown };
  return type === ENTERED || String(event?.type ?? sendId ?? '').startsWith('xstate.after.');
}

const ENTERED = 'lockerflow.entered';

/**
 * Changes the machine, once: each of its states tells the scope of the step that it is entered. A comparison of two snapshots
 * would not show a state that one step has left and entered again. Outside of a `Scope` nothing is told.
 */
export function entriesMarked(machine: AnyStateMachine): void {
  if ((machine.root.entry[0] as { type?: unknown } | undefined)?.type === ENTERED) return;
  const mark = (node: AnyStateNode): void => {
    const resolve = (scope: Partial<Scope>, snapshot: AnyMachineSnapshot) => {
      scope.entered?.push(node);
      return [snapshot, undefined, undefined];
    };
    // Before the `after` of the state, and without an `execute`: no step shows it.
    (node.entry as unknown[]).unshift(Object.assign(() => undefined, { type: ENTERED, resolve }));
    for (const inner of Object.values(node.states)) mark(inner);
  };
  mark(machine.root);
}

/** xstate's own actions, as a step gives them. */
export type OwnAction =
  | {
      readonly type: 'xstate.spawnChild';
      readonly params: {
        readonly actorRef: AnyActor | undefined;
        readonly src: unknown;
        readonly input: unknown;
      };
    }
  | { readonly type: 'xstate.stopChild'; readonly params: AnyActor | undefined }
  /** Without a delay xstate has taken the event within the step already. */
  | { readonly type: 'xstate.raise'; readonly params: Raised }
  | { readonly type: 'xstate.sendTo'; readonly params: Raised & { readonly to: AnyActor | undefined } }
  | { readonly type: 'xstate.cancel'; readonly params: { readonly sendId: string } }
  | { readonly type: 'xstate.emit'; readonly params: { readonly event: EventObject } }
  | { readonly type: 'xstate.log'; readonly params: { readonly value: unknown; readonly label?: string } };

interface Raised {
  readonly id?: string;
  readonly event: EventObject;
  readonly delay?: number;
}

const isOf: { readonly [Type in OwnAction['type']]: true } = {
  'xstate.spawnChild': true,
  'xstate.stopChild': true,
  'xstate.raise': true,
  'xstate.sendTo': true,
  'xstate.cancel': true,
  'xstate.emit': true,
  'xstate.log': true,
};

export const ownActions: readonly string[] = Object.keys(isOf);

/** Also of one that is not in OwnAction: nobody but xstate names actions so. */
export const isOwnAction = (action: { readonly type: string }): action is OwnAction =>
  action.type.startsWith('xstate.');

/** The fields that the functions have which xstate's makers of actions and guards return. */
export interface BuiltIn {
  readonly type?: string;
  /** Only actions have it. */
  readonly resolve?: unknown;
  readonly assignment?: unknown;
  readonly delay?: unknown;
  readonly to?: unknown;
  readonly src?: unknown;
  readonly id?: unknown;
  /** Of `and`, `or` and `not`. */
  readonly guards?: readonly unknown[];
}

/** What encloses the machine's own steps. */
export interface Enclosure {
  first(step: () => AnyMachineSnapshot): AnyMachineSnapshot;
  next(from: AnyMachineSnapshot, step: () => AnyMachineSnapshot, event: EventObject): AnyMachineSnapshot;
  /** `can` asks the guards outside of a step. */
  ask<Result>(guards: () => Result): Result;
}

interface Enclosed {
  enclosure?: Enclosure;
}

/** Changes the machine: all its steps are taken within. */
export function enclosed(machine: AnyStateMachine, { first, next, ask }: Enclosure): AnyStateMachine {
  const { transition, getInitialSnapshot, getTransitionData } = machine;
  (machine as Enclosed).enclosure = { first, next, ask };
  machine.transition = (from, event, scope) =>
    next(from, () => transition.call(machine, from, event, scope), event);
  machine.getInitialSnapshot = (scope, input) =>
    first(() => getInitialSnapshot.call(machine, scope, input as never));
  machine.getTransitionData = (...given) => ask(() => getTransitionData.apply(machine, given));
  return machine;
}

/** A machine with this bound, unless it has one. A machine without one would block the worker in an endless loop. */
export function bounded(machine: AnyStateMachine, maxIterations: number): AnyStateMachine {
  if (Number.isFinite(machine.options?.maxIterations ?? Number.POSITIVE_INFINITY)) return machine;
  const copy = machine.provide({});
  copy.options = { ...copy.options, maxIterations };
  return copy;
}

/** The event with which an actor's parent hears that it is done, or has failed. */
export const doneEvent = (id: string, output: unknown): EventObject & { readonly output: unknown } => ({
  ...{ type: `xstate.done.actor.${id}`, output, actorId: id },
});
export const errorEvent = (id: string, error: unknown): EventObject & { readonly error: unknown } => ({
  ...{ type: `xstate.error.actor.${id}`, error, actorId: id },
});

/** The event of the step that replaces a machine. */
export const MIGRATION = 'lockerflow.migration';

export type InvokeDefinition = AnyStateNode['invoke'][number];

/** What a step does that replaces a machine. The nodes of what is left are of the old one, all others of the new one. */
export interface Swap {
  /** All that are active afterwards. */
  readonly nodes: ReadonlySet<AnyStateNode>;
  readonly left: readonly AnyStateNode[];
  readonly entered: readonly AnyStateNode[];
  /** Those among the nodes that begin at their initial state. */
  readonly byDefault: ReadonlySet<AnyStateNode>;
  /** States that are complete by the replacement alone: nobody enters their final state. */
  readonly completed: readonly AnyStateNode[];
  /** Ids of children that end, although no state is left that invoked them. */
  readonly stopped: readonly string[];
  /** Actors that states invoke in which the process has been. */
  readonly started: readonly InvokeDefinition[];
  /** New ids of children, by their old ones. No state starts or stops such a child. */
  readonly carried: ReadonlyMap<string, string>;
  readonly history: Readonly<Record<string, readonly AnyStateNode[]>>;
  context(before: unknown): unknown;
  /** Called with what a delay of the new machine is computed from. */
  measure(given: DelayArguments): void;
}

export interface DelayArguments {
  readonly context: unknown;
  readonly event: EventObject;
}

interface Extra {
  readonly internalQueue: EventObject[];
  deferredActorIds: readonly string[] | undefined;
}

type Change = (
  snapshot: AnyMachineSnapshot,
  extra: Extra,
) => readonly [snapshot: AnyMachineSnapshot, further?: readonly unknown[]];

/** An action as xstate's own ones are: it changes the snapshot, and is followed by others. No step shows it. */
const change = (make: Change): unknown =>
  Object.assign(() => undefined, {
    resolve: (
      _: unknown,
      snapshot: AnyMachineSnapshot,
      __: unknown,
      ___: unknown,
      ____: unknown,
      extra: Extra,
    ) => {
      const [next, further] = make(snapshot, extra);
      return [next, undefined, further];
    },
  });

/** The old machine, but that it answers the migration: with what leaves it, then with what enters the new one. */
function bridgeOf(
  from: AnyStateMachine,
  to: AnyStateMachine,
  swap: Swap,
  resolveDeferred: (children: AnyMachineSnapshot['children']) => void,
): AnyStateMachine {
  const isCarried = (id: string) => swap.carried.has(id);
  const leaves = [...swap.left]
    .sort((one, other) => other.order - one.order)
    .flatMap((node) => [
      // Their timers have the names of the old machine, and some of the new one may be called the same.
      ...node.exit.filter((action) => !isAdded(action)),
      ...node.invoke.filter(({ id }) => !isCarried(id)).map(({ id }) => stopChild(id)),
    ]);
  const starts = new Set(swap.carried.values());
  const spawns = (invokes: readonly InvokeDefinition[]) =>
    invokes
      .filter(({ id }) => !starts.has(id))
      .map((each) =>
        spawnChild(each.src as never, { ...each, syncSnapshot: each.onSnapshot !== undefined } as never),
      );
  const enters = (node: AnyStateNode): unknown[] => [
    change((snapshot, extra) => {
      extra.deferredActorIds = node.invoke.map(({ id }) => id);
      return [snapshot];
    }),
    ...node.entry,
    ...spawns(node.invoke),
    ...(swap.byDefault.has(node) ? (node.initial?.actions ?? []) : []),
    change((snapshot, extra) => {
      extra.deferredActorIds = undefined;
      resolveDeferred(snapshot.children);
      return [snapshot];
    }),
  ];
  // Within the list of actions: what is before it is found on the old machine, what follows from it on the new one.
  const replace = change((snapshot) => {
    const next = inNodes(to, swap, snapshot);
    swap.measure({ context: next.context, event: { type: MIGRATION } });
    return [
      next,
      [
        ...spawns(swap.started),
        ...[...swap.entered].sort((one, other) => one.order - other.order).flatMap(enters),
        // Those that a state already active begins with.
        ...[...swap.byDefault]
          .filter((node) => !swap.entered.includes(node))
          .flatMap(({ initial }) => initial?.actions ?? []),
        change((at, { internalQueue }) => {
          for (const node of swap.completed) internalQueue.push(completion(node, at));
          return [at];
        }),
      ],
    ];
  });
  const stops = swap.stopped.map((id) => stopChild(id));
  const transition = { source: from.root, target: undefined, reenter: false, eventType: MIGRATION };
  return Object.create(from, {
    getTransitionData: {
      value: (snapshot: AnyMachineSnapshot, event: EventObject) =>
        event.type === MIGRATION
          ? [{ ...transition, actions: [...leaves, ...stops, replace] }]
          : from.getTransitionData(snapshot as never, event),
    },
  });
}

function inNodes(to: AnyStateMachine, swap: Swap, before: AnyMachineSnapshot): AnyMachineSnapshot {
  const children: Record<string, AnyActor> = {};
  for (const [id, child] of Object.entries(before.children) as [string, AnyActor][]) {
    const now = swap.carried.get(id) ?? id;
    Object.assign(child, { id: now });
    children[now] = child;
  }
  const resolved = to.resolveState({
    value: valueIn(swap.nodes, to.root),
    context: swap.context(before.context),
  } as never);
  return {
    ...resolved,
    status: 'active',
    children,
    historyValue: swap.history,
  } as unknown as AnyMachineSnapshot;
}

/** The value of a snapshot in which these nodes are active. */
export function valueIn(nodes: ReadonlySet<AnyStateNode>, node: AnyStateNode): Record<string, object> {
  const within = Object.values(node.states).filter((inner) => nodes.has(inner));
  return Object.fromEntries(within.map((inner) => [inner.key, valueIn(nodes, inner)]));
}

/** All nodes that are active where these are: the initial ones of states within which none is, and every region. */
export const completeNodes = (
  machine: AnyStateMachine,
  nodes: ReadonlySet<AnyStateNode>,
): Set<AnyStateNode> =>
  new Set(activeNodes(machine.resolveState({ value: valueIn(nodes, machine.root) } as never)));

export function isComplete(nodes: ReadonlySet<AnyStateNode>, node: AnyStateNode): boolean {
  const within = Object.values(node.states).filter(({ type }) => type !== 'history');
  if (node.type === 'compound') return within.some((inner) => inner.type === 'final' && nodes.has(inner));
  if (node.type === 'parallel') return within.every((inner) => isComplete(nodes, inner));
  return node.type === 'final';
}

function completion(node: AnyStateNode, { _nodes, context }: AnyMachineSnapshot): EventObject {
  const { output } = _nodes.find(({ parent, type }) => parent === node && type === 'final') ?? {};
  const value =
    typeof output === 'function'
      ? (output as (given: unknown) => unknown)({ context, event: { type: MIGRATION } })
      : output;
  return {
    type: `xstate.done.state.${node.id}`,
    ...(value !== undefined && { output: value }),
  } as EventObject;
}

/** The states that each history state remembers, by its id. */
export const historyOf = (snapshot: AnyMachineSnapshot): Readonly<Record<string, readonly AnyStateNode[]>> =>
  snapshot.historyValue as never;

export const nodeById = (machine: AnyStateMachine, id: string): AnyStateNode | undefined =>
  (machine as unknown as { readonly idMap: ReadonlyMap<string, AnyStateNode> }).idMap.get(id);

/** Milliseconds; undefined if the machine has no such delay. */
export function delayOf(machine: AnyStateMachine, delay: unknown, given: DelayArguments): number | undefined {
  if (typeof delay === 'number') return delay;
  const named = (machine.implementations.delays as Record<string, unknown>)[String(delay)];
  return (typeof named === 'function' ? named(given, undefined) : named) as number | undefined;
}

export const declaredActor = (machine: AnyStateMachine, src: unknown): unknown =>
  typeof src === 'string' ? logicNamed(machine, src) : src;

function logicNamed(machine: AnyStateMachine, src: string): unknown {
  return (machine.implementations.actors as Record<string, unknown>)[src];
}

/** For an actor of a copied system: the logic by which its machine knows it now. */
export function setLogic(actor: AnyActor, logic: AnyActorLogic): void {
  internalsOf(actor).logic = logic;
}

/** A machine within another one that goes on in any other machine of the same kind: the two have the same states. */
export interface Continuing {
  readonly continues?: string;
}

export const continues = (one: unknown, other: unknown): boolean => {
  const { continues: kind } = (one ?? {}) as Continuing;
  return kind !== undefined && kind === ((other ?? {}) as Continuing).continues;
};

/** The actor's machine is another one of its kind, and so is the logic of its own children. */
export function replaceInner(actor: AnyActor, machine: AnyStateMachine): void {
  entriesMarked(machine);
  const { value, context, children, status } = actor.getSnapshot() as AnyMachineSnapshot;
  for (const child of Object.values(children) as AnyActor[]) {
    const logic = logicNamed(machine, String(srcOf(child)));
    if (logic) setLogic(child, logic as AnyActorLogic);
  }
  setLogic(actor, machine);
  const resolved = machine.resolveState({ value, context } as never);
  setSnapshot(actor, { ...resolved, children, status } as unknown as AnyMachineSnapshot);
}

/** What an actor is continued with. */
export function setInput(actor: AnyActor, input: unknown): void {
  const snapshot = actor.getSnapshot() as object | undefined;
  Object.assign(internalsOf(actor), { _snapshot: { ...snapshot, input } });
}
