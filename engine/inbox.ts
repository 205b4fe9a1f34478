// What waits in a process: what comes into it, in one order; events that no state takes yet; and updates that wait for a reply. An
// entry of a timer or call carries it itself, so that a stale one is known.
import type { EventObject } from 'xstate';
import type { CallResult, OpenCall } from './calls.ts';
import type { Rejection } from './commands.ts';
import type { PostponedEvent } from './continued.ts';
import type { Halt } from './definition/halt-rules.ts';
import type { MessageEvent } from './definition/message-rules.ts';
import type { MigrationRequest } from './definition/migration-request.ts';
import type { Timer } from './timers.ts';

/** A person's decision about the event at which the process halted. */
export type Decision = 'dropEvent' | 'giveUp';

/** Time passes by a clock that can be moved. */
export interface ClockAdvance {
  /** Rings what is due, and yields after each moment: so each is taken at its own time. */
  ring(): Iterable<unknown>;
  /** For the update that asked for it. */
  readonly updateId?: string;
  answer?(): unknown;
}

export type Entry =
  | {
      readonly kind: 'message';
      readonly message: MessageEvent;
      readonly event: EventObject;
    }
  | { readonly kind: 'timer'; readonly timer: Timer }
  | { readonly kind: 'answer'; readonly call: OpenCall; readonly answer: CallResult }
  | { readonly kind: 'childEvent'; readonly call: OpenCall; readonly event: EventObject }
  | {
      readonly kind: 'migration';
      readonly request: MigrationRequest;
      readonly updateId: string;
    }
  | { readonly kind: 'extension'; readonly payload: unknown; readonly updateId: string }
  | {
      readonly kind: 'decision';
      readonly decision: Decision;
      readonly updateId: string;
      /** The halt that it is about. */
      readonly halt: Halt | undefined;
    }
  | ({ readonly kind: 'time' } & ClockAdvance)
  /** The process has it already: people are to see that somebody has acted. */
  | { readonly kind: 'note' }
  | { readonly kind: 'cancellation'; readonly failure: unknown };

export class Inbox {
  readonly #entries: Entry[] = [];

  get isEmpty(): boolean {
    return this.#entries.length === 0;
  }

  get entries(): readonly Entry[] {
    return this.#entries;
  }

  push(entry: Entry): void {
    this.#entries.push(entry);
  }

  /** Temporal reports a cancellation before an earlier answer: entries that came with it are taken first. */
  take(): Entry | undefined {
    const next = this.#entries.findIndex(({ kind }) => kind !== 'cancellation');
    return this.#entries.splice(Math.max(next, 0), 1)[0];
  }

  /** @param isForActor what inline actors take that go on while the chart is halted */
  hasForHalted(isForActor: (entry: Entry) => boolean): boolean {
    return this.#entries.some((entry) => isForHalted(entry) || isForActor(entry));
  }

  takeForHalted(isForActor: (entry: Entry) => boolean): Entry | undefined {
    const next = this.#entries.findIndex((entry) => isForHalted(entry) || isForActor(entry));
    return next < 0 ? undefined : this.#entries.splice(next, 1)[0];
  }
}

/** The clock of a halted process goes on: what is due meanwhile is taken after the decision. */
const forHalted: Readonly<Record<Entry['kind'], boolean>> = {
  ...{ message: false, timer: false, answer: false, childEvent: false },
  ...{ extension: true, decision: true, migration: true, cancellation: true, note: true, time: true },
};

const isForHalted = ({ kind }: Entry): boolean => forHalted[kind];

export class PostponedEvents {
  readonly #events: PostponedEvent[];
  /** How many of them no state takes now. */
  #asked: number;

  /** @param kept those of a former run, which no state takes now */
  constructor(kept: readonly PostponedEvent[] = []) {
    this.#events = [...kept];
    this.#asked = kept.length;
  }

  get all(): readonly PostponedEvent[] {
    return this.#events;
  }

  add(event: EventObject, until: number): void {
    this.#events.push({ event, until });
  }

  /** The process has taken a step: another state may take them. */
  askAgain(): void {
    this.#asked = 0;
  }

  get areToBeAsked(): boolean {
    return this.#asked < this.#events.length;
  }

  /** The next one, if it is taken now; it waits no longer then. */
  next(now: number, isTaken: (event: EventObject) => boolean): EventObject | undefined {
    const at = this.#asked;
    const kept = this.#events[at];
    if (!kept) return undefined;
    const isOver = kept.until <= now;
    if (!isOver && !isTaken(kept.event)) {
      this.#asked += 1;
      return undefined;
    }
    this.#events.splice(at, 1);
    return isOver ? undefined : kept.event;
  }
}

/** Called once, when the process has taken the update or cannot. */
export interface Reply {
  answer(value: unknown): void;
  refuse(refusal: Rejection): void;
}

/** For an update whose reply nobody waits for. */
export const noReply: Reply = { answer: () => undefined, refuse: () => undefined };

export class Replies {
  readonly #open = new Map<string, Reply>();

  get areOpen(): boolean {
    return this.#open.size > 0;
  }

  add(updateId: string, reply: Reply): void {
    this.#open.set(updateId, reply);
  }

  answer(updateId: string, value: unknown): void {
    this.#open.get(updateId)?.answer(value);
    this.#open.delete(updateId);
  }

  refuse(updateId: string, { code, message, details }: Rejection): void {
    this.#open.get(updateId)?.refuse({ code, message, ...(details !== undefined && { details }) });
    this.#open.delete(updateId);
  }

  refuseAll(refusal: Rejection): void {
    for (const updateId of [...this.#open.keys()]) this.refuse(updateId, refusal);
  }
}
