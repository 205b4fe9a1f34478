// What a parked callback is started with, told and asked, and what it comes to.

import type { Instant, IsoDuration } from './flow-input.ts';
import type { ShipmentReport } from './flow-messages.ts';

export type ParkedInput =
  | { readonly kind: 'shipment'; readonly shipmentUid: string; readonly parkFor: IsoDuration }
  | { readonly kind: 'message'; readonly messageType: string; readonly parkFor: IsoDuration };

/** A callback of a type that nobody here has heard of, as it came. */
export interface OtherMessage {
  readonly messageType: string;
  readonly body: unknown;
  readonly receivedAt: Instant;
}

/** Update `claim`: the reports are given to a running flow. */
export interface Claim {
  readonly workflowId: string;
  readonly by: string;
  readonly why: string;
}

/** Update `drop`: nobody needs them any more. */
export interface Drop {
  readonly by: string;
  readonly why: string;
}

/** The answer to the query `parked`. */
export interface Parked {
  readonly input: ParkedInput;
  readonly kept: readonly (ShipmentReport | OtherMessage)[];
}

export interface ParkedResult {
  readonly ended: 'Delivered' | 'Claimed' | 'Dropped' | 'Unclaimed';
  readonly to: readonly string[];
  readonly by: string | null;
  readonly why: string | null;
}
