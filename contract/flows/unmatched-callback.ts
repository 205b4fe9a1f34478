// The input, the updates, the query and the result of the workflow that keeps an unmatched callback.

import type { Instant, IsoDuration } from './flow-input.ts';
import type { ShipmentReport } from './flow-messages.ts';

/** One workflow per shipment, and one per message type. */
export type UnmatchedInput =
  | {
      readonly kind: 'shipment';
      readonly shipmentUid: string;
      readonly keepFor: IsoDuration;
      /** The keys of the processes that follow the shipment: no callback of it had come by then. */
      readonly followedBy?: readonly string[];
    }
  | { readonly kind: 'message'; readonly messageType: string; readonly keepFor: IsoDuration };

/** A callback of a type that lockerflow does not know, as it came. */
export interface OtherMessage {
  readonly messageType: string;
  readonly body: unknown;
  readonly receivedAt: Instant;
}

export type UnmatchedCallback = ShipmentReport | OtherMessage;

/** A callback that came several times is kept once. */
export interface KeptCallback {
  readonly callback: UnmatchedCallback;
  readonly since: Instant;
  readonly times: number;
}

/** Update `claim`: gives the reports to a running flow. */
export interface Claim {
  readonly workflowId: string;
  readonly by: string;
  readonly why: string;
}

/** Update `drop`: ends the workflow, because nobody needs the reports any more. */
export interface Drop {
  readonly by: string;
  readonly why: string;
}

/** The answer to the query `unmatched`. A run also hands it to the next run (continue as new). */
export interface Unmatched {
  readonly input: UnmatchedInput;
  readonly since: Instant;
  readonly kept: readonly KeptCallback[];
  /** The newest reports that were delivered, claimed, dropped, or not claimed in time. */
  readonly settled: readonly KeptCallback[];
  /**
   * How many reports were given up: the oldest ones when too many came, and those that no flow claimed within KEEP_UNMATCHED_FOR.
   */
  readonly givenUp: number;
}

/** What a listing of workflows shows of an unmatched callback; no worker is needed for that. */
export interface UnmatchedMemo {
  readonly since: Instant;
  readonly givenUp: number;
  /** As in the input: the callback receiver reads it. */
  readonly followedBy?: readonly string[];
  /** The run of the process that has said so: the receiver need not look for it. */
  readonly runId?: string;
}

export interface UnmatchedResult {
  readonly ended: 'Delivered' | 'Claimed' | 'Dropped' | 'Unclaimed';
  readonly to: readonly string[];
  readonly by: string | null;
  readonly why: string | null;
}
