// Everything that happens to a process, in one order. Handlers only push; the main loop alone takes.
import type { CancellationScope } from '@temporalio/workflow';
import type { EventObject } from 'xstate';
import type { AnsweredUpdate, MessageEvent } from './definition.ts';
import type { AnyActor, LocalActor } from './scope.ts';

export interface OpenTimer {
  readonly id: string;
  readonly event: EventObject;
  /** Milliseconds since the epoch. */
  readonly dueAt: number;
  readonly summary: string;
  /** The paths of the child that armed it, and of the one that gets the event. Absent: the machine itself. */
  readonly from?: readonly string[];
  readonly to?: readonly string[];
}

export interface Timer extends OpenTimer {
  readonly target: AnyActor;
  readonly scope: CancellationScope;
}

export interface Invoke {
  readonly actor: AnyActor;
  readonly owner: LocalActor;
  /** The activity's or workflow's type. */
  readonly type: string;
  readonly scope: CancellationScope;
  readonly heedsCancellation: boolean;
  /** A child workflow gets events as signals; to an activity nothing can be told. */
  tell(event: EventObject): void;
}

/** Timers and invokes are carried as objects: one that was armed anew under its id since is not the same any more. */
export type Entry =
  | {
      readonly kind: 'message';
      readonly message: MessageEvent;
      readonly event: EventObject;
      readonly update?: AnsweredUpdate;
    }
  | { readonly kind: 'timer'; readonly timer: Timer }
  | { readonly kind: 'invoke'; readonly invoke: Invoke; readonly event: EventObject }
  | { readonly kind: 'cancel'; readonly failure: Error };

export class Inbox {
  readonly #entries: Entry[] = [];

  get isEmpty(): boolean {
    return this.#entries.length === 0;
  }

  push(entry: Entry): void {
    this.#entries.push(entry);
  }

  /** A cancellation is heard of sooner than an answer that was there before it: what came with it is taken first. */
  take(): Entry | undefined {
    const next = this.#entries.findIndex(({ kind }) => kind !== 'cancel');
    return this.#entries.splice(Math.max(next, 0), 1)[0];
  }
}
