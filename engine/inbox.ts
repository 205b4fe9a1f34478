// What comes into a process, in one order. An entry of a timer or call carries it itself, so that a stale one is known.
import type { EventObject } from 'xstate';
import type { Answer, OpenCall, Timer } from './awaited.ts';
import type { Halt, MessageEvent, MigrationRequest, TimerExtension } from './definition.ts';

/** A person's decision about the event at which the process halted. */
export type Decision = 'dropEvent' | 'giveUp';

/** Time passes by a clock that can be moved. */
export interface Passing {
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
  | { readonly kind: 'answer'; readonly call: OpenCall; readonly answer: Answer }
  | { readonly kind: 'childEvent'; readonly call: OpenCall; readonly event: EventObject }
  | {
      readonly kind: 'migration';
      readonly request: MigrationRequest;
      readonly updateId: string;
      /** The fingerprint of the process when it accepted the request, if the request has one. */
      readonly accepted: string | undefined;
    }
  | { readonly kind: 'extension'; readonly extension: TimerExtension; readonly updateId: string }
  | {
      readonly kind: 'decision';
      readonly decision: Decision;
      readonly updateId: string;
      /** The halt that it is about. */
      readonly halt: Halt | undefined;
    }
  | ({ readonly kind: 'time' } & Passing)
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

  hasForHalted(): boolean {
    return this.#entries.some(isForHalted);
  }

  takeForHalted(): Entry | undefined {
    const next = this.#entries.findIndex(isForHalted);
    return next < 0 ? undefined : this.#entries.splice(next, 1)[0];
  }
}

/** The clock of a halted process goes on: what is due meanwhile is taken after the decision. */
const isForHalted = ({ kind }: Entry): boolean =>
  kind === 'extension' ||
  kind === 'decision' ||
  kind === 'migration' ||
  kind === 'cancellation' ||
  kind === 'time';
