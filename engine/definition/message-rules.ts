// What a process makes of the messages that come to it.
import type { AnyMachineSnapshot, EventObject } from 'xstate';
import type { InlineActorView } from './views.ts';

/** A signal or update for the chart. The payload is unchecked: the chart checks it. */
export interface MessageEvent<Payload = unknown> extends EventObject {
  readonly payload: Payload;
  /** For an update: whom to answer. */
  readonly updateId?: string;
  /** It has come before, and an inline actor had postponed it. */
  readonly again?: true;
}

export interface MessageRules {
  /** Name of each signal, with its description for the Web UI. */
  readonly signals: Readonly<Record<string, string>>;
  /** Name of each update, with its description: the chart answers by emitting. */
  readonly updates: Readonly<Record<string, string>>;
  /** The names of the messages, signals and updates, that its inline actors take, in place of its chart. */
  readonly forActors?: readonly string[];
  /**
   * The machine's event for a message; the message itself if not given. Null drops a signal that is not an event.
   * @param named gives an event the name that it has now
   */
  event?(message: MessageEvent, named: (event: EventObject) => EventObject): EventObject | null;
  /** Events by the names that they had in an earlier version, and what they are called now. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** Why an update is not possible now, as one sentence. */
  refusal?(snapshot: AnyMachineSnapshot, event: MessageEvent): string;
  /** The key of a message that may come twice; the second message with a key is dropped. */
  keyOf?(message: MessageEvent): string | undefined;
  /** How long a signal's event waits for a state that takes it, in milliseconds; undefined: it does not wait. */
  keepsFor?(message: MessageEvent): number | undefined;
  /** Whether a message that came after the end was this process's own; all are if not given. */
  isOurs?(snapshot: AnyMachineSnapshot, event: MessageEvent, actors: readonly InlineActorView[]): boolean;
  /**
   * What is left of one of `forActors` that no inline actor accepts: it is kept as late where it is this process's own, or other
   * processes get it. Undefined: nothing.
   * @param now when it came
   */
  notAccepted?(message: MessageEvent, now: number): unknown;
  /**
   * An event of a child workflow, as the chart takes it. With `putAside` the chart does not take it, and this counts.
   * @param child `of`: the inline actor that runs it
   */
  ofChild?(
    event: EventObject,
    child: { readonly id: string; readonly of: string | undefined },
  ): EventObject | { readonly putAside: EventObject };
  /** Counts an event that the chart does not take, or would have raised. A copy of the process counts nothing. */
  putAside?(event: EventObject): void;
  /** A message was dropped that only pretends to be of a child. */
  forged?(): void;
}
