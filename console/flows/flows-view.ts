// What the page shows of the flows.
import type { MigrationGroup } from '../../contract/flows/migrations.ts';
import type { Batch, DryRun } from '../../processes/migrations.ts';
import type { FlowSchedule } from '../../processes/schedules.ts';
import type { FlowStatus, VersionStatus } from '../../processes/views/flow-status.ts';
import type { FlowList, FlowRow } from '../../processes/views/flows.ts';

export type {
  Batch as MigrationBatch,
  FlowList,
  FlowRow,
  FlowSchedule,
  FlowStatus,
  MigrationGroup,
  VersionStatus,
};

/** What would become of the processes. */
export interface MigrationForeseen extends DryRun {
  /** As YAML with its gaps; null: nothing is missing that a plan can say. */
  readonly plan: string | null;
}

export interface ScheduleList {
  readonly items: readonly FlowSchedule[];
}
