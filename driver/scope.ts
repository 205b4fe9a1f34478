// The actor scope in which xstate's logic takes a step: it only collects the actions of the step. xstate's own
// `transition` makes an actor and a system of actors for every step; here there is one for each process.
import {
  type Actor,
  type AnyActorLogic,
  type AnyActorScope,
  type AnyMachineSnapshot,
  createActor,
  type EventObject,
  type ExecutableActionObject,
} from 'xstate';

export type AnyActor = Actor<AnyActorLogic>;
export type Action = ExecutableActionObject;

/**
 * The parts of xstate's actors and their system that the driver uses beyond the declared types: so xstate's
 * version is pinned exactly.
 */
interface Internals {
  logic: AnyActorLogic;
  readonly src: unknown;
  _snapshot: AnyMachineSnapshot;
  readonly _parent: AnyActor | undefined;
  readonly _syncSnapshot: boolean | undefined;
  readonly options: { readonly input?: unknown };
  readonly system: {
    _bookId: () => string;
    _relay: (source: AnyActor | undefined, target: AnyActor, event: EventObject) => void;
    _unregister: (actor: AnyActor) => void;
  };
}

export const internalsOf = (actor: AnyActor): Internals => actor as unknown as Internals;

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

export class Scope {
  readonly self: AnyActor;
  /** The actions of the present step so far. */
  #actions: Action[] = [];
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

  /** The result of the step in `run`. */
  step(run: (scope: AnyActorScope) => unknown): { snapshot: AnyMachineSnapshot; actions: Action[] } {
    this.#actions = [];
    this.hasSpawned = false;
    const snapshot = run(this as unknown as AnyActorScope) as AnyMachineSnapshot;
    return { snapshot, actions: this.#actions };
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

/** An actor that runs within the process. */
export interface LocalActor {
  readonly ref: AnyActor;
  readonly logic: AnyActorLogic;
  readonly scope: Scope;
  readonly parent: LocalActor | null;
  /** The ids from the machine's child down to this one; empty for the machine itself. */
  readonly path: readonly string[];
  readonly waiting: EventObject[];
  isBusy: boolean;
  hasEnded: boolean;
}
