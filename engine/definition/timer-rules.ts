// The timers of a process as data, and how people move them.
import type { EventObject } from 'xstate';
import type { Rejection } from '../commands.ts';

export interface OpenTimer {
  readonly id: string;
  /** The inline actor that waits for it. Absent: the chart itself. */
  readonly of?: string;
  readonly event: EventObject;
  /** Milliseconds since the epoch. */
  readonly dueAt: number;
  readonly armedAt: number;
  /** As the chart names it, and the milliseconds that it gave then. */
  readonly delay: { readonly name: string; readonly ms: number };
  readonly summary: string;
  /** Somebody has moved its end, be it to where it was. */
  readonly isMoved?: true;
}

/** When a timer of the machine is due instead. */
export interface TimerExtension {
  /** Its id. */
  readonly timer: string;
  /** Milliseconds since 1970. */
  readonly dueAt: number;
}

export interface ExtensionRules {
  /**
   * Reads the update `extendDeadline`, which `MessageRules.updates` must have, unless an inline actor accepts it: it moves a timer of
   * the machine.
   */
  of(payload: unknown, open: readonly OpenTimer[]): TimerExtension | Rejection;
  /** What the chart hears of it, if it names that event. */
  event?(extension: TimerExtension): EventObject;
}
