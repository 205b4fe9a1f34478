// All events of a process, in one order. Handlers only push; only the main loop takes.
import { CancellationScope, condition } from '@temporalio/workflow';
import type { EventObject } from 'xstate';
import type { LocalActor } from './actions.ts';
import type { Alarm } from './clock.ts';
import type { AnsweredUpdate, MessageEvent } from './definition.ts';
import type { AnyActor } from './xstate-internals.ts';

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
  readonly alarm: Alarm;
}

export interface Invoke {
  readonly actor: AnyActor;
  readonly owner: LocalActor;
  /** The activity's or workflow's type. */
  readonly type: string;
  readonly kind: 'activity' | 'child' | 'procedure';
  readonly scope: CancellationScope;
  readonly heedsCancellation: boolean;
  /** The workflow id of a child that has begun. */
  childId(): string | null;
  /** A child workflow gets events as signals; an activity cannot get events. */
  tell(event: EventObject): void;
}

/** Timers and invokes are objects: a new one with the same id is not the same object. */
export type Entry =
  | {
      readonly kind: 'message';
      readonly message: MessageEvent;
      readonly event: EventObject;
      readonly update?: AnsweredUpdate;
    }
  | { readonly kind: 'timer'; readonly timer: Timer }
  | { readonly kind: 'invoke'; readonly invoke: Invoke; readonly event: EventObject }
  /** A person's decision about a held process. */
  | { readonly kind: 'decision'; readonly decision: Decision; readonly updateId: string }
  /** The clock is moved; without an update, real time has come to something that is due. */
  | { readonly kind: 'clock'; readonly aheadMs: number; readonly updateId?: string }
  | { readonly kind: 'cancel'; readonly failure: Error };

/** About the event that could not be taken. */
export type Decision = 'dropEvent' | 'giveUp';

export class Inbox {
  readonly #entries: Entry[] = [];
  #wake = (): void => undefined;

  get isEmpty(): boolean {
    return this.#entries.length === 0;
  }

  /** Whether there is a decision for a held process: it takes nothing else. */
  get hasDecision(): boolean {
    return this.#entries.some(isDecision);
  }

  takeDecision(): Entry | undefined {
    const index = this.#entries.findIndex(isDecision);
    return index < 0 ? undefined : this.#entries.splice(index, 1)[0];
  }

  push(entry: Entry): void {
    this.#entries.push(entry);
    if (entry.kind === 'cancel') void onceAllHasCome().then(() => this.#wake());
    else this.#wake();
  }

  /**
   * Two turns after the first entry: what came with it is there then. Not by `condition`, which takes its turn only when
   * Temporal asks once more: a call into the sandbox for each answer of an activity. And with as few promises as can be:
   * each costs Temporal a stack.
   */
  filled(): Promise<void> {
    return new Promise<void>((resolve) => {
      this.#wake = () => resolve(aTurnLater);
      if (!this.isEmpty) this.#wake();
    });
  }

  /** Temporal reports a cancellation before an earlier answer: entries that came with it are taken first. */
  take(): Entry | undefined {
    const next = this.#entries.findIndex(({ kind }) => kind !== 'cancel');
    return this.#entries.splice(Math.max(next, 0), 1)[0];
  }
}

/** A value that settles a promise one turn later. */
const aTurnLater: PromiseLike<void> = {
  // biome-ignore lint/suspicious/noThenProperty: a promise of its own would cost a stack
  then: (resolve) => {
    resolve?.();
    return aTurnLater as never;
  },
};

/** Temporal checks a condition again after all events of its task. */
function onceAllHasCome(): Promise<void> {
  let isAsked = false;
  const asked = CancellationScope.nonCancellable(() => condition(() => isAsked));
  isAsked = true;
  return asked;
}

/** The clock of a held process goes on: what is due meanwhile is taken after the decision. */
const isDecision = ({ kind }: Entry): boolean => kind === 'decision' || kind === 'cancel' || kind === 'clock';
