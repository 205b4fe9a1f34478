// What the page shows of the flows.
import type { ChartDrawing, StatePath } from '../process/process-view.ts';

export interface FlowRow {
  readonly flow: string;
  readonly meaning: string;
  /** The version of a published flow file; null for a built-in flow. */
  readonly version: number | null;
  readonly open: number;
  readonly needsPerson: number;
  readonly overdue: number;
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

/** Where the processes of a flow stand. */
export interface FlowStatus {
  readonly flow: string;
  readonly open: number;
  readonly phases: Readonly<Record<string, number>>;
  /** How many open processes run on each definition. */
  readonly versions: Readonly<Record<string, number>>;
  /** How many of those that were asked are in each state. */
  readonly states: Readonly<Record<StatePath, number>>;
  /** The newest open ones; a process that no worker answers for is not counted. */
  readonly asked: number;
}
