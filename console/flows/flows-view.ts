// What the page shows of the flows.
import type { MigrationGroup } from '../../contract/flows/migrations.ts';
import type { Change } from '../../flow-files/diff/change.ts';
import type { Batch, DryRun } from '../../processes/migrations.ts';
import type { FlowCounts, FlowStatus, VersionStatus } from '../../processes/views/flow-status.ts';
import type { ChartDrawing } from '../process/process-view.ts';

export type {
  Batch as MigrationBatch,
  DryRun as MigrationForeseen,
  FlowStatus,
  MigrationGroup,
  VersionStatus,
};

/** What differs between two versions of a flow. */
export interface FlowDifference {
  readonly changes: readonly (Change & { readonly words: string })[];
  readonly drawing: ChartDrawing;
}

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
