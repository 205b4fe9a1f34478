// What is outside a process: time, calls, and everybody who gets messages of it. Temporal is one such host (temporal/),
// virtual time another (virtual-host.ts), that of a copy a third (copy.ts). The process decides; its host carries out, and
// never calls back at once.

import type { EventObject } from 'xstate';
import type { ExternalLogic } from './actor-kinds.ts';

export interface Alarm {
  cancel(): void;
}

/** A call as the chart makes it: an activity, a child workflow or a procedure. */
export interface Call {
  /** Its actor's id. */
  readonly id: string;
  readonly logic: ExternalLogic;
  readonly input: unknown;
  /** What a former run has kept of it; undefined: the call is new. */
  readonly kept?: unknown;
  /** A part of the process makes it. One that makes calls without a pause must not keep the run from its end. */
  readonly isWithin?: boolean;
}

/** How a call ends; the first of `done` and `failed` counts. */
export interface Answers {
  done(output: unknown): void;
  failed(error: unknown): void;
  /** An event of a child that goes on. */
  event(event: EventObject): void;
}

/** A call that has begun. */
export interface RunningCall {
  /** Asks it to end early. It still answers. */
  cancel(): void;
  /** Only a child workflow gets events. */
  send(event: EventObject): void;
  /** Nobody waits for it any more: it has answered, or the chart has left the state that made it. */
  end(): void;
  /** A child workflow's id, once it is started. */
  readonly workflowId?: string | undefined;
  /** A migration: its actor has this id now, and the new definition would make it so. */
  changed?(made: Omit<Call, 'kept'>): void;
  /** What a continued run finds it by, as JSON. Undefined: it would be lost, so the process does not continue as new. */
  readonly kept?: unknown;
}

/** What leaves a process. Messages of one kind to one receiver stay in their order. An event has the version that made it. */
export type Outgoing =
  /** An event for the workflow that started this one. */
  | { readonly to: 'parent'; readonly event: EventObject; readonly version: number }
  /** An event for the outside: it is delivered until it is taken. */
  | { readonly to: 'outside'; readonly event: EventObject; readonly version: number }
  /** A message that came here and is another process's. */
  | { readonly to: 'others'; readonly message: unknown };

export interface Host {
  /** Milliseconds since 1970. */
  now(): number;
  /** Computes something as if it were that moment. */
  asIf<Result>(moment: number, compute: () => Result): Result;
  /** Calls `ring` at the moment, unless it is cancelled before. */
  alarm(dueAt: number, summary: string, ring: () => void): Alarm;
  call(call: Call, answers: Answers): RunningCall;
  /** Whether somebody waits for such events of the process; else they need not be computed. */
  readonly isParentListening: boolean;
  /** Nothing leaves it, and the process itself goes on elsewhere. */
  readonly isCopy?: true;
  send(message: Outgoing): void;
  log?(message: string, fields: object): void;
  /** Somebody acts on the process. */
  acted?(): void;
  /** Called when something has come into the inbox of the process. */
  wake?(isCancellation: boolean): void;
  /** Called after each entry of the inbox: whatever leaves the process may leave, and people may see the difference. */
  settle?(): void;
  /** The definition of the process is another one: it may take other messages. */
  migrated?(): void;
  /** Called after each step, for those who record steps; not taken: the step has failed, or a person has decided about it. */
  trace?(event: EventObject, isTaken: boolean): void;
}

export interface Due {
  /** Milliseconds since 1970. */
  readonly dueAt: number;
  readonly summary: string;
  readonly ring: () => void;
}

export class Agenda {
  /** The next one is the last, so that it is taken off without moving the others. */
  readonly #dues: Due[] = [];

  get next(): Due | undefined {
    return this.#dues.at(-1);
  }

  add(due: Due): void {
    // Before those of the same moment: it comes after them.
    const at = this.#dues.findIndex(({ dueAt }) => dueAt <= due.dueAt);
    this.#dues.splice(at < 0 ? this.#dues.length : at, 0, due);
  }

  drop(due: Due): void {
    const at = this.#dues.indexOf(due);
    if (at >= 0) this.#dues.splice(at, 1);
  }

  /** Takes the next one off. */
  take(): Due | undefined {
    return this.#dues.pop();
  }
}
