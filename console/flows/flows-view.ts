// What the page shows of the flows.
import type { FlowCounts, FlowStatus } from '../../processes/views/flow-status.ts';

export type { FlowStatus };

export interface FlowRow extends Partial<FlowCounts> {
  readonly flow: string;
  readonly meaning: string;
  /** The version of a published flow file; null for a built-in flow. */
  readonly version: number | null;
}

/** A flow, as far as the page shows it beside its chart. */
export interface FlowShown {
  readonly flow: string;
  readonly meaning: string;
  readonly version: number | null;
  /** `role.stage` of the deadlines that its input takes; of a flow file, its delays. */
  readonly deadlines: readonly string[];
  readonly operation: string | null;
}
