// What the page shows of the flows.
import type { MigrationGroup } from '../../contract/flows/migrations.ts';
import type { Change } from '../../flows/language/diff/change.ts';
import type { Batch, DryRun } from '../../processes/migrations.ts';
import type { FlowSchedule } from '../../processes/schedules.ts';
import type { FlowStatus, VersionStatus } from '../../processes/views/flow-status.ts';
import type { FlowList, FlowRow } from '../../processes/views/flows.ts';
import type { FlowFigures, FlowFiguresView } from '../../processes/views/overview/flow-figures.ts';
import type { FunnelLane, FunnelStage } from './stage-funnel.ts';

export type {
  Batch as MigrationBatch,
  FlowFigures,
  FlowFiguresView,
  FlowList,
  FlowRow,
  FlowSchedule,
  FunnelLane,
  FunnelStage,
  MigrationGroup,
  VersionStatus,
};

/** Where the open processes of a flow stand, with its stages for people. */
export interface FlowStages extends FlowStatus {
  readonly lanes: readonly FunnelLane[];
}

/** What would become of the processes. */
export interface MigrationForeseen extends DryRun {
  /** As YAML with its gaps; null: nothing is missing that a plan can say. */
  readonly plan: string | null;
}

/** What differs between two versions of a flow. */
export interface FlowDifference {
  readonly changes: readonly (Change & { readonly words: string })[];
}

export interface ScheduleList {
  readonly items: readonly FlowSchedule[];
}
