// A part of a process with a state of its own: `each`, `undo`. It is a pure function of its state and an event; the process makes
// its calls, and keeps its state.
import { type AnyActorLogic, type EventObject, fromPromise, type PromiseActorLogic } from 'xstate';

export interface Around {
  /** The id of the invoke. */
  readonly id: string;
  /** The process's context as it is now. */
  readonly context: unknown;
}

export interface Turn<State = unknown> {
  readonly state: State;
  readonly calls?: readonly { readonly id: string; readonly input: unknown }[];
  /** Ids of calls that are to end early. */
  readonly cancelled?: readonly string[];
  /** For the process. */
  readonly told?: readonly EventObject[];
  readonly end?: { readonly output: unknown } | { readonly error: unknown };
}

export interface Part<State = unknown> {
  readonly name: string;
  logicOf(input: unknown): AnyActorLogic;
  begin(input: unknown, around: Around): Turn<State>;
  take(state: State, event: EventObject, around: Around): Turn<State>;
}

export type PartLogic = PromiseActorLogic<unknown, unknown> & { readonly part: Part<never> };

export const partLogic = <State>(part: Part<State>): PartLogic =>
  ({
    ...fromPromise(() => {
      throw new TypeError(`${part.name} is run by the engine`);
    }),
    part,
  }) as never;

export const partOf = (logic: unknown): Part | undefined => (logic as { readonly part?: Part }).part;
