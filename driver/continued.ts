// What a process takes along when its history has grown long and it continues as a new run.
import type { Snapshot } from 'xstate';
import type { OpenTimer } from './inbox.ts';

export interface Continued {
  readonly version: number;
  readonly snapshot: Snapshot<unknown>;
  readonly timers: readonly OpenTimer[];
  /** How many actors it has had: some are named by their number. */
  readonly sessions?: number;
  /** As the definition gave it. */
  readonly carries?: unknown;
  /** Keys of messages that may come twice. */
  readonly seen?: readonly string[];
}
