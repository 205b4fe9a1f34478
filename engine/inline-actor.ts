// An actor that the engine runs within the process: a reducer with plain data as its state. It makes calls, waits for moments,
// takes messages, and tells its chart by events. Its state is carried, copied and migrated with the process.
import { type AnyActorLogic, type EventObject, fromPromise, type PromiseActorLogic } from 'xstate';
import type { Rejection } from './commands.ts';
import type { ProcessStart } from './definition/definition.ts';
import type { MessageEvent } from './definition/message-rules.ts';
import type { Emitted } from './definition/outgoing-rules.ts';

export interface InvokeContext {
  /** The id of the invoke; another one once the state that made it was left. */
  readonly id: string;
  /** How often an invoke of this id has begun, from 1; counted only for independent actors. */
  readonly count: number;
  /** The process's context as it is now. */
  readonly context: unknown;
  readonly start: ProcessStart;
  /** Milliseconds since 1970, by the clock of the process. */
  readonly now: number;
}

/** A moment that an actor waits for: it gets `ActorTimerEvent` then. */
export interface ActorTimer {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly dueAt: number;
  /** A text for the timeline. */
  readonly summary: string;
}

export const ACTOR_TIMER = 'lockerflow.due';
export type ActorTimerEvent = EventObject & { readonly timer: string };

/** Its process has another definition now, and the actor may have another state. */
export const ACTOR_MIGRATED = 'lockerflow.migrated';

export interface StepResult<State = unknown> {
  readonly state: State;
  readonly calls?: readonly { readonly id: string; readonly input: unknown }[];
  /** Ids of calls that are to end early. */
  readonly cancelled?: readonly string[];
  /** All that it waits for from now on: the engine arms and cancels what differs. Not given: as before. */
  readonly timers?: readonly ActorTimer[];
  /** For the process's chart. */
  readonly events?: readonly EventObject[];
  /** What leaves the process. */
  readonly emitted?: readonly (Emitted | EventObject)[];
  /** For the other inline actors of the process that accept them. One that none accepts is treated as if it had come just now. */
  readonly messages?: readonly MessageEvent[];
  /** Messages that it had postponed: each comes again, in a step of its own after all that has come by now. */
  readonly again?: readonly MessageEvent[];
  readonly end?: { readonly output: unknown } | { readonly error: unknown };
}

/** What an actor says to a message: it takes it, or it would take it, but not now. */
export type Acceptance = 'accepted' | { readonly refusal: Rejection };

export interface InlineActor<State = unknown> {
  readonly name: string;
  logicOf(input: unknown): AnyActorLogic;
  begin(input: unknown, invoke: InvokeContext): StepResult<State>;
  take(state: State, event: EventObject, invoke: InvokeContext): StepResult<State>;
  /** Whether a message to the process (`MessageRules.forActors`) is for it; undefined: it is not. */
  accepts?(state: State, message: MessageEvent, invoke: InvokeContext): Acceptance | undefined;
  /**
   * Whether it has something to clean up: then it goes on by itself, after CANCEL_CALL, when the state that made it is left or the
   * process is called off. The process stays open until it has ended.
   */
  hasToCleanUp?(state: State): boolean;
  /** It goes on while the chart is halted, and its last state is kept after its end, for queries and late messages. */
  readonly isIndependent?: true;
}

export type InlineActorLogic = PromiseActorLogic<unknown, unknown> & { readonly inline: InlineActor<never> };

export const inlineActorLogic = <State>(inline: InlineActor<State>): InlineActorLogic =>
  ({
    ...fromPromise(() => {
      throw new TypeError(`${inline.name} is run by the engine`);
    }),
    inline,
  }) as never;

export const inlineActorOf = (logic: unknown): InlineActor | undefined =>
  (logic as { readonly inline?: InlineActor } | undefined)?.inline;

/** The key of a timer or call among all of a process: an inline actor has ids of its own. */
export const keyWithin = (of: string | undefined, id: string): string =>
  of === undefined ? id : `${of}\n${id}`;
