// What the page shows of one process.

import { z } from 'zod';
import type { Verdict } from '../../contract/flows/flow-messages.ts';
import type { PermitQueueView } from '../../contract/flows/permits.ts';
import type { ChartViewTransition, RunningTimer, StatePath } from '../../engine/chart/chart-view.ts';
import type { Choice } from '../../processes/action-forms/action-form.ts';
import type { PendingActivity } from '../../processes/views/execution.ts';
import type { AnyProgress } from '../../processes/views/progress.ts';
import type { ShownProcess } from '../../processes/views/shown-process.ts';
import type { Timeline, TimelineEntry } from '../../processes/views/timeline.ts';
import type { TimelineData, TimerData } from '../../processes/views/timeline-data.ts';
import type {
  ChildShown,
  HappenedItem,
  Headline,
  LockerShown,
  RunningDeadline,
  Track,
} from './glance/glance-view.ts';

export type {
  AnyProgress,
  ChartViewTransition,
  PendingActivity,
  PermitQueueView,
  RunningTimer,
  ShownProcess,
  StatePath,
  Timeline,
  TimelineEntry,
};

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

/**
 * Where something comes from that a process would take: a callback from the wall, a person, the time, an event that somebody
 * tells a flow file, the answer to a call, the process itself.
 */
export type EventOrigin = 'wall' | 'person' | 'time' | 'event' | 'call' | 'flow';

export interface AcceptedEvent {
  readonly from: EventOrigin;
  readonly words: string;
  /** The events of the chart, with their guards. */
  readonly names: readonly string[];
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
  readonly takes: readonly AcceptedEvent[];
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
  readonly deadlines: readonly RunningDeadline[];
  readonly lockers: readonly LockerShown[];
  readonly children: readonly ChildShown[];
  readonly cost: ProcessCost;
  /** Its history in Temporal's Web UI. */
  readonly temporalUi: string;
}

export const door = z.object({
  pupUid: z.string(),
  lockerName: z.string(),
  door: z.string().meta({ description: 'Open, Closed, or Unknown: the wall cannot be reached' }),
  /** Why it did not open the last time that it was to open; null where it did. */
  stayedShut: z.string().nullable(),
});
export type LockerDoor = Readonly<z.infer<typeof door>>;

/** What a step made a process do. */
export type StepEffect =
  | { readonly type: 'migrated'; readonly from: number; readonly to: number }
  | { readonly type: 'calls'; readonly activity: string }
  | ({ readonly type: 'waits'; readonly until: string } & TimerData)
  | ({ readonly type: 'waitsNoMore' } & TimerData)
  | { readonly type: 'halted'; readonly code: string; readonly message: string }
  | {
      readonly type: 'knows';
      readonly role: string;
      readonly shipmentUid: string;
      readonly lockerName: string | null;
    }
  | { readonly type: 'moved'; readonly role: string; readonly stateCode: string | null }
  | { readonly type: 'legDone'; readonly role: string }
  | { readonly type: 'phase'; readonly phase: string }
  | { readonly type: 'outcome'; readonly outcome: string }
  | {
      readonly type: 'reportTaken';
      readonly shipmentUid: string;
      readonly stateCode: string;
      readonly verdict: Verdict;
    }
  | { readonly type: 'overdue'; readonly role: string; readonly stage: string }
  | { readonly type: 'itemLeft'; readonly lockerName: string | null; readonly pupUid: string | null }
  | { readonly type: 'decisionKept'; readonly action: string; readonly by: string; readonly why: string }
  | { readonly type: 'asks'; readonly id: string; readonly inbox: string; readonly question: string }
  | { readonly type: 'ended' };

/** One step of a process. */
export interface ProcessStep {
  readonly number: number;
  readonly at: string;
  /** What happened, in words. */
  readonly what: string;
  /** Who made it happen; null: nobody has said. */
  readonly by: string | null;
  readonly onBehalfOf: string | null;
  readonly why: string | null;
  /** The event of the history, where it is known. */
  readonly eventId: string | null;
  readonly runId: string;
  /** What happened, as data; null: no event of the history explains the step. */
  readonly data: TimelineData | null;
  /** What it made the process do, in words. */
  readonly did: readonly string[];
  /** The same as data, in the same order. */
  readonly doings: readonly StepEffect[];
  readonly taken: readonly ChartViewTransition[];
  /** The lines of the drawing that it took. */
  readonly lines: readonly string[];
  /** The chart on which it was then. */
  readonly chartId: string;
  readonly active: readonly StatePath[];
  /** The step failed, and a person is to decide about it: the process stands where it stood before. */
  readonly isHalted: boolean;
}

export interface ProcessSteps {
  /** Null: they are not known, and `why` says why. */
  readonly steps: readonly ProcessStep[] | null;
  readonly why: string | null;
  /** Counted in the history that was replayed. */
  readonly actions: number;
  readonly runs: number;
  /** What happened, for people, with all that the steps tell. */
  readonly happened: readonly HappenedItem[];
}

/** The timeline, and what of it people read. */
export interface HappenedTimeline extends Timeline {
  readonly happened: readonly HappenedItem[];
}

/** The process as it stood after one step. */
export interface StepStatus {
  readonly number: number;
  readonly takes: readonly AcceptedEvent[];
  readonly nextLines: readonly string[];
  readonly timers: readonly RunningTimer[];
  readonly calls: readonly string[];
  readonly progress: AnyProgress;
  readonly track: Track;
  readonly lockers: readonly LockerShown[];
}
