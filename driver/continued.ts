// The data of a process that continues as a new run after a long history.
import type { Snapshot } from 'xstate';
import type { Delivery } from './definition.ts';
import type { OpenTimer } from './inbox.ts';

/** What is emitted and not delivered yet. */
export interface CarriedDeliveries {
  readonly waiting: readonly Delivery[];
  readonly count: number;
  /** The relay that had not ended. */
  readonly relay?: string;
}

export interface Continued {
  readonly version: number;
  readonly snapshot: Snapshot<unknown>;
  readonly timers: readonly OpenTimer[];
  /** Of a clock that can be moved: how far it is ahead of the real time. */
  readonly aheadMs?: number;
  /** How many actors it has had: some are named by their number. */
  readonly sessions?: number;
  /** As the definition gave it. */
  readonly carries?: unknown;
  /** Events for the outside that are not delivered yet. */
  readonly outbox?: CarriedDeliveries;
  /** Keys of messages that may come twice. */
  readonly seen?: readonly string[];
}
