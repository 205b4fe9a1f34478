// What the page shows of one process.

import type { RunningTimer, StatePath } from '../../engine/chart/chart-view.ts';
import type { Choice } from '../../processes/action-forms/question-forms.ts';
import type { AnyProgress } from '../../processes/views/progress.ts';
import type { ShownProcess } from '../../processes/views/shown-process.ts';
import type { ChildShown, Headline, LockerShown, Track } from './glance/glance-view.ts';

export type { HappenedRow, ProcessHistory } from '../../processes/views/happened.ts';
export type { AnyProgress, RunningTimer, ShownProcess, StatePath };

interface ProcessCost {
  readonly events: number;
  readonly bytes: number;
}

/** Where it stands on its chart. */
export interface ChartPosition {
  /** Why it is not known, in words for people; null: it is. */
  readonly chartMissing: string | null;
  readonly active: readonly StatePath[];
  readonly timers: readonly RunningTimer[];
  /** How far the process's clock is ahead of the real time, where it has one of its own. */
  readonly clockAheadMs: number;
}

/** The same with all that the page shows beside. */
export interface ProcessDetails extends ShownProcess, ChartPosition {
  readonly progress: AnyProgress | null;
  /** ISO 8601: the process does not answer now, and what it says of itself is as it was then; null: it is as of now. */
  readonly asOf: string | null;
  readonly choices: readonly Choice[];
  readonly headline: Headline;
  /** Empty: its stages are not known. */
  readonly track: Track;
  readonly lockers: readonly LockerShown[];
  readonly children: readonly ChildShown[];
  readonly cost: ProcessCost;
  /** Its history in Temporal's Web UI. */
  readonly temporalUi: string;
}
