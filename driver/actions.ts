// Carries out the xstate actions of a step. An action that is not xstate's own is a defect of the definition.
import type { AnyActorLogic, AnyMachineSnapshot, EventObject } from 'xstate';
import type { Action, ActionParams, AnyActor, Scope } from './xstate-internals.ts';

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

export interface DelayedEvent {
  /** Undefined if no action can cancel it. */
  readonly id: string | undefined;
  readonly event: EventObject;
  /** Milliseconds. */
  readonly delay: number;
  readonly to: AnyActor;
}

/** The world outside the actors of the process. */
export interface World {
  arm(from: LocalActor, delayed: DelayedEvent): void;
  disarm(from: LocalActor, id: string): void;
  /** An activity or a child workflow; it answers with xstate's own events. */
  call(owner: LocalActor, actor: AnyActor, input: unknown): void;
  stopCall(owner: LocalActor, id: string): void;
  /** Events for activities and child workflows. */
  tell(actor: AnyActor, event: EventObject): void;
  emitted(event: EventObject): void;
  log(value: unknown, label: string | undefined): void;
  /** An action that is the machine's own. */
  perform(action: Action): void;
  /** The actor has ended: its timers and calls are no longer awaited. */
  forget(actor: LocalActor): void;
}

/** The actors that run within the process. */
interface Actors {
  start(parent: LocalActor, actor: AnyActor, input: unknown): void;
  stop(parent: LocalActor, actor: AnyActor): void;
  send(to: AnyActor, event: EventObject): void;
}

export interface Means {
  readonly system: Actors;
  readonly world: World;
  readonly actor: LocalActor;
  readonly snapshot: AnyMachineSnapshot;
}

/** The names of xstate's own actions, and how the driver carries out each. */
const carriers: {
  readonly [Type in keyof ActionParams]: (means: Means, params: ActionParams[Type]) => void;
} = {
  'xstate.spawnChild': ({ system, actor }, { actorRef, src, input }) => {
    if (!actorRef) throw new TypeError(`the chart invokes ${String(src)}, which has no implementation`);
    system.start(actor, actorRef, input);
  },
  'xstate.stopChild': ({ system, actor }, child) => {
    if (child) system.stop(actor, child);
  },
  'xstate.raise': ({ world, actor }, { id, event, delay }) => {
    if (delay !== undefined) arm(world, actor, { id, event, delay, to: actor.ref });
  },
  'xstate.sendTo': ({ system, world, actor }, { to, id, event, delay }) => {
    if (!to) throw new TypeError(`the chart sends ${event.type} to an actor that it has not`);
    if (delay === undefined) system.send(to, event);
    else arm(world, actor, { id, event, delay, to });
  },
  // At the end, each cancel would cost an event, although the timers end with the process.
  'xstate.cancel': ({ world, actor, snapshot }, { sendId }) => {
    if (snapshot.status === 'active') world.disarm(actor, sendId);
  },
  'xstate.emit': ({ world }, { event }) => world.emitted(event),
  'xstate.log': ({ world }, { value, label }) => world.log(value, label),
};

export const supportedActions: readonly string[] = Object.keys(carriers);

export const isOfXstate = ({ type }: Action): boolean => type.startsWith('xstate.');

export function carryOut(means: Means, { type, params }: Action): void {
  if (!Object.hasOwn(carriers, type))
    throw new TypeError(`the chart asks for ${type}, expected one of ${supportedActions.join(', ')}`);
  carriers[type as keyof ActionParams](means, params as never);
}

/** Infinity is "no delay at all": nothing is armed, and it costs no event. */
function arm(
  world: World,
  actor: LocalActor,
  delayed: { id: string | undefined; event: EventObject; delay: number; to: AnyActor },
): void {
  const { delay, event } = delayed;
  if (Number.isNaN(delay)) throw new TypeError(`the delay of ${event.type} is not a number of milliseconds`);
  if (delay !== Number.POSITIVE_INFINITY) world.arm(actor, delayed);
}
