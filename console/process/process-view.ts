// What the page shows of one process.

import type { RunningTimer, StatePath } from '../../engine/chart/chart-view.ts';
import type { Choice } from '../../processes/action-forms/question-forms.ts';
import type { AnyProgress } from '../../processes/views/progress.ts';
import type { ShownProcess } from '../../processes/views/shown-process.ts';
import type { Timeline } from '../../processes/views/timeline.ts';
import type { ChildShown, HappenedRow, Headline, LockerShown, Track } from './glance/glance-view.ts';

export type { AnyProgress, RunningTimer, ShownProcess, StatePath };

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Box extends Point {
  readonly width: number;
  readonly height: number;
}

export interface ChartState extends Box {
  readonly path: StatePath;
  /** Its own name, with tags and calls. */
  readonly label: string;
  readonly kind: 'atomic' | 'compound' | 'parallel' | 'final' | 'history';
  readonly hasStates: boolean;
  /** In words, a transition to a line: what it takes without being left. */
  readonly staying: readonly string[];
  readonly description: string | null;
}

export interface ChartLine {
  /** The two states that it joins: `following.issue.Registered>following.issue.Completed`. Empty: where a state begins. */
  readonly joins: string;
  readonly points: readonly Point[];
  readonly label: (Box & { readonly text: string }) | null;
  /** In words, a transition to a line. */
  readonly words: readonly string[];
}

/** A chart with every place in it: the page draws it and needs no layout of its own. */
export interface ChartDrawing {
  /** By its content. */
  readonly id: string;
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly letters: { readonly size: number; readonly label: number };
  /** Each before those within it; the first is the whole. */
  readonly states: readonly ChartState[];
  readonly lines: readonly ChartLine[];
  readonly beginnings: readonly Point[];
}

interface ProcessCost {
  readonly events: number;
  readonly bytes: number;
}

/** Where it stands on its chart. */
export interface ChartPosition {
  /** Null: `chartMissing` says why. */
  readonly chartId: string | null;
  /** In words, for people. */
  readonly chartMissing: string | null;
  readonly active: readonly StatePath[];
  /** The lines of the drawing that it may take next. */
  readonly nextLines: readonly string[];
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

/** The timeline, and what of it people read. */
export interface HappenedTimeline extends Timeline {
  readonly happened: readonly HappenedRow[];
}
