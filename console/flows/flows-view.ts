// What the page shows of the flows.
import type { FlowCounts, FlowStatus } from '../../processes/views/flow-status.ts';
import type { ChartDrawing } from '../process/process-view.ts';

export type { FlowStatus };

export interface FlowRow extends FlowCounts {
  readonly flow: string;
  readonly meaning: string;
  /** The version of a published flow file; null for a built-in flow. */
  readonly version: number | null;
}

export interface FlowChart {
  readonly flow: string;
  readonly meaning: string;
  readonly version: number | null;
  /** `role.stage` of the deadlines that its input takes; of a flow file, its delays. */
  readonly deadlines: readonly string[];
  readonly operation: string | null;
  readonly chart: ChartDrawing;
}
