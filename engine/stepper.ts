// One step of a chart, by xstate's public functions alone: from a snapshot and an event to the next snapshot and what it asks for,
// as data. It keeps nothing.
import {
  type AnyActorLogic,
  type AnyActorRef,
  type AnyActorScope,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  type AnyStateNode,
  createActor,
  createEmptyActor,
  type EventObject,
  type ExecutableActionObject,
  getNextTransitions,
  getStateNodes,
} from 'xstate';

/** What a step asks for, in order. */
export type Effect =
  | { readonly do: 'begin'; readonly id: string; readonly logic: AnyActorLogic; readonly input: unknown }
  | { readonly do: 'stop'; readonly id: string }
  | { readonly do: 'send'; readonly to: string; readonly event: EventObject }
  | {
      readonly do: 'arm';
      readonly id: string | undefined;
      readonly event: EventObject;
      readonly delay: number;
    }
  | { readonly do: 'disarm'; readonly id: string }
  /** To the chart itself, in a step of its own. */
  | { readonly do: 'deliver'; readonly event: EventObject }
  | { readonly do: 'emit'; readonly event: EventObject }
  | { readonly do: 'log'; readonly value: unknown; readonly label: string | undefined };

export interface Step {
  readonly snapshot: AnyMachineSnapshot;
  readonly effects: readonly Effect[];
  /** The paths of the states that it has entered, in order. */
  readonly entered: readonly string[];
  /** What it has raised for itself. */
  readonly raised: readonly EventObject[];
}

/** What encloses the steps of a chart: the budget of its expressions. */
export interface Enclosure {
  first(step: () => AnyMachineSnapshot): AnyMachineSnapshot;
  next(from: AnyMachineSnapshot, step: () => AnyMachineSnapshot, event: EventObject): AnyMachineSnapshot;
  ask<Result>(guards: () => Result): Result;
}

interface Enclosed {
  enclosure?: Enclosure;
}

const plain: Enclosure = { first: (step) => step(), next: (_, step) => step(), ask: (guards) => guards() };

export const enclosureOf = (machine: AnyStateMachine): Enclosure => (machine as Enclosed).enclosure ?? plain;

export const enclosed = (machine: AnyStateMachine, enclosure: Enclosure): AnyStateMachine =>
  Object.assign(machine, { enclosure });

/**
 * The same machine, as one process runs it: with actors and an enclosure of its own. Its states are those of the given one. Methods
 * that are bound to that one are taken from its class again, so that snapshots are of the new one.
 */
export function machineWith(
  machine: AnyStateMachine,
  actors: Readonly<Record<string, AnyActorLogic>>,
  enclosure: Enclosure,
): AnyStateMachine {
  const own = Object.create(machine);
  const methods = Object.getPrototypeOf(machine);
  for (const [name, value] of Object.entries(machine))
    if (typeof value === 'function' && name in methods) own[name] = methods[name];
  own.implementations = { ...machine.implementations, actors };
  return enclosed(own, enclosure);
}

/** The entry action by which a step says which states it has entered. */
const ENTERED = 'lockerflow.entered';

type Config = Readonly<Record<string, unknown>> & { readonly states?: Readonly<Record<string, Config>> };

/** A chart's configuration that says which states a step enters, also one that it leaves and enters again. */
export const marked = <Given extends object>(config: Given): Given => withMarks(config as never) as never;

const withMarks = (config: Config, path: readonly string[] = []): Config => ({
  ...config,
  ...(config.type !== 'history' &&
    !('history' in config) && {
      entry: [{ type: ENTERED, params: path.join('.') }, ...[config.entry ?? []].flat()],
    }),
  ...(config.states && {
    states: Object.fromEntries(
      Object.entries(config.states).map(([key, state]) => [key, withMarks(state, [...path, key])]),
    ),
  }),
});

/** The parent of all actors that a step makes. None is ever started, so it knows none of them: one serves all processes. */
const self = createEmptyActor();

/** In place of a running actor: it collects what a step asks for, and carries nothing out. */
function scopeOf(actions: ExecutableActionObject[]): AnyActorScope {
  return {
    self,
    id: '',
    sessionId: '',
    logger: nothing,
    defer: nothing,
    emit: nothing,
    stopChild: nothing,
    system: self.system,
    actionExecutor: (action: ExecutableActionObject) => void actions.push(action),
  } as unknown as AnyActorScope;
}

const nothing = (): void => undefined;

/** Does not throw an error of the first step: it is in the snapshot. */
export function firstStep(machine: AnyStateMachine, input: unknown): Step {
  const actions: ExecutableActionObject[] = [];
  const scope = scopeOf(actions);
  const first = () => machine.getInitialSnapshot(scope as never, input as never) as AnyMachineSnapshot;
  return stepOf(enclosureOf(machine).first(first), actions);
}

export function nextStep(machine: AnyStateMachine, from: AnyMachineSnapshot, event: EventObject): Step {
  const actions: ExecutableActionObject[] = [];
  const scope = scopeOf(actions);
  const step = () => machine.transition(from as never, event, scope as never) as AnyMachineSnapshot;
  return stepOf(enclosureOf(machine).next(from, step, event), actions);
}

/** Throws what a guard throws. */
export const can = (snapshot: AnyMachineSnapshot, event: EventObject): boolean =>
  enclosureOf(snapshot.machine).ask(() => snapshot.can(event as never));

export const restored = (machine: AnyStateMachine, snapshot: unknown): AnyMachineSnapshot =>
  createActor(machine, { snapshot: snapshot as never, input: undefined as never }).getSnapshot();

function stepOf(snapshot: AnyMachineSnapshot, actions: readonly ExecutableActionObject[]): Step {
  const effects: Effect[] = [];
  const entered: string[] = [];
  const raised: EventObject[] = [];
  for (const action of actions) {
    if (action.type === ENTERED) entered.push(action.params as string);
    else {
      effects.push(...effectOf(action));
      raised.push(...raisedBy(action));
    }
  }
  return { snapshot, effects: inOrder(effects), entered, raised };
}

function raisedBy({ type, params }: ExecutableActionObject): EventObject[] {
  const { event, delay } = (params ?? {}) as { readonly event: EventObject; readonly delay?: number };
  return type === 'xstate.raise' && delay === undefined ? [event] : [];
}

/** What an entry action sends to an actor of the same state comes once that has begun. */
function inOrder(effects: readonly Effect[]): readonly Effect[] {
  const beginOf = (effect: Effect, at: number) =>
    effect.do === 'send'
      ? effects.findIndex((each, index) => index > at && each.do === 'begin' && each.id === effect.to)
      : -1;
  const waitsFor = effects.map(beginOf);
  return effects.flatMap((effect, at) =>
    waitsFor[at] === -1 ? [effect, ...effects.filter((_, sent) => waitsFor[sent] === at)] : [],
  );
}

/** The params of xstate's own actions. */
type ActionParams = Record<string, never> & {
  readonly actorRef?: AnyActorRef & { readonly logic: AnyActorLogic };
  readonly to?: AnyActorRef;
  readonly event: EventObject;
  readonly delay?: number;
};

function effectOf({ type, params: given, info }: ExecutableActionObject): Effect[] {
  const params = given as ActionParams;
  switch (type) {
    case 'xstate.spawnChild': {
      const { actorRef, src, input } = params;
      if (!actorRef) throw new TypeError(`the chart invokes ${String(src)}, which has no implementation`);
      return [{ do: 'begin', id: actorRef.id, logic: actorRef.logic, input }];
    }
    case 'xstate.stopChild':
      return given ? [{ do: 'stop', id: (given as AnyActorRef).id }] : [];
    case 'xstate.raise':
      return params.delay === undefined ? [] : armed(params.id, params.event, params.delay);
    case 'xstate.sendTo':
      return sent(params, info.self);
    case 'xstate.cancel':
      return [{ do: 'disarm', id: String(params.sendId) }];
    case 'xstate.emit':
      return [{ do: 'emit', event: params.event }];
    case 'xstate.log':
      return [{ do: 'log', value: params.value, label: params.label }];
    default:
      throw new TypeError(`the chart asks for ${type}`);
  }
}

function sent({ to, event, id, delay }: ActionParams, self: unknown): Effect[] {
  if (!to) throw new TypeError(`the chart sends ${event.type} to an actor that it has not`);
  if (to === self) return delay === undefined ? [{ do: 'deliver', event }] : armed(id, event, delay);
  if (delay !== undefined) throw new TypeError(`the chart sends ${event.type} to an actor later`);
  return [{ do: 'send', to: to.id, event }];
}

/** Infinity is "no delay at all": nothing is armed, and it costs no event. */
function armed(id: string | undefined, event: EventObject, delay: number): Effect[] {
  if (Number.isNaN(delay)) throw new TypeError(`the delay of ${event.type} is not a number of milliseconds`);
  return delay === Number.POSITIVE_INFINITY ? [] : [{ do: 'arm', id, event, delay }];
}

/** The states that are active, each before those within it. */
export const activeNodes = ({ machine, value }: AnyMachineSnapshot): readonly AnyStateNode[] =>
  [...new Set(getStateNodes(machine.root, value))].sort((one, other) => one.order - other.order);

/** Which of these events some active state takes, as they are written there; guards are not asked. */
export function takenEventTypes(types: readonly string[], snapshot: AnyMachineSnapshot): string[] {
  const taken = new Set(
    getNextTransitions(snapshot)
      .filter(
        ({ target, actions, reenter }) => target !== undefined || actions.length > 0 || reenter === true,
      )
      .map(({ eventType }) => eventType),
  );
  return types.filter((type) => taken.has(type));
}

/** The event of the step that replaces a machine. */
export const MIGRATION_EVENT = 'lockerflow.migration';

export const doneEvent = (
  id: string,
  output: unknown,
): EventObject & { readonly actorId: string; readonly output: unknown } => ({
  type: `xstate.done.actor.${id}`,
  output,
  actorId: id,
});
export const errorEvent = (
  id: string,
  error: unknown,
): EventObject & { readonly actorId: string; readonly error: unknown } => ({
  type: `xstate.error.actor.${id}`,
  error,
  actorId: id,
});
