// A process step by step, over all its runs: where it stood after each, and the transitions that it took.

import type { ChartView } from '../../engine/chart/chart-view.ts';
import type { TracedStatus } from '../../engine/temporal/trace.ts';
import type { TimelineEntry } from '../../processes/views/timeline.ts';
import { breathing } from '../../shared/limits/turns.ts';
import { chartIdOf, linesOf } from './chart-drawing.ts';
import type { Track } from './glance/glance-view.ts';
import { lockersOf } from './glance/headline.ts';
import { trackOf, visitedIn } from './glance/track.ts';
import type { AnyProgress, ProcessStep, StatePath, StepStatus } from './process-view.ts';

/** One run, replayed, and its history. */
export interface ReplayedRun {
  readonly runId: string;
  readonly steps: readonly TracedStatus[];
  readonly entries: readonly TimelineEntry[];
  /** The ids of the events with which its tasks began. */
  readonly tasks: readonly number[];
}

export async function stepsOf(runs: readonly ReplayedRun[]): Promise<ProcessStep[]> {
  const all: ProcessStep[] = [];
  let chartId = '';
  const breathe = breathing();
  for (const { runId, steps, entries, tasks } of runs) {
    const eventOf = eventsBehind(entries, tasks);
    for (const step of steps) {
      await breathe();
      const { taken, position, at, chart, awaited } = step;
      if (chart) chartId = chartIdOf(chart);
      all.push({
        number: all.length,
        at: new Date(at).toISOString(),
        runId,
        eventId: eventOf(step),
        taken,
        lines: linesOf(taken),
        active: position.active,
        chartId,
        isHalted: awaited.halted !== undefined,
      });
    }
  }
  return all;
}

/**
 * The last event that had come when the process took a step; asked for the steps in their order. An accepted update is written
 * behind the task that takes it, all other events before it. The last step of a history that is still open is told its whole
 * length, so that its task is the last that began within it.
 */
function eventsBehind(
  entries: readonly TimelineEntry[],
  tasks: readonly number[],
): (step: TracedStatus) => string | null {
  const came = entries.filter(({ kind }) => kind === 'came');
  let task = 0;
  let at = -1;
  return ({ historyLength }) => {
    while ((tasks[task] ?? Number.POSITIVE_INFINITY) <= historyLength) task += 1;
    const own = tasks[task - 1] ?? historyLength;
    const next = tasks[task] ?? Number.POSITIVE_INFINITY;
    for (let entry = came[at + 1]; entry && hasCome(entry, own, next); entry = came[at + 1]) at += 1;
    return came[at]?.eventId ?? null;
  };
}

function hasCome({ eventId, data }: TimelineEntry, own: number, next: number): boolean {
  const id = Number(eventId);
  return id <= own || (data.type === 'updated' && id < next);
}

/** The chart on which the process was after a step; undefined if there is no such step. */
export function chartAfter(runs: readonly ReplayedRun[], number: number): ChartView | undefined {
  return runs
    .flatMap(({ steps }) => steps)
    .slice(0, number + 1)
    .findLast(({ chart }) => chart !== undefined)?.chart;
}

/** As the engine names the step by which a process goes over to another definition. */
const MIGRATION = 'lockerflow.migration';

/** Each state in which the process has been on its present chart, in the order in which it came there. */
export function visitedBefore(runs: readonly ReplayedRun[], number = Number.POSITIVE_INFINITY): StatePath[] {
  const all = runs.flatMap(({ steps }) => steps).slice(0, number + 1);
  // A migration has put it in the place of another one.
  const begun = all.findLastIndex(({ event }) => event === MIGRATION);
  return visitedIn(all.slice(Math.max(0, begun)).map(({ position }) => position));
}

function trackAfter(
  runs: readonly ReplayedRun[],
  number: number,
  { position, progress }: TracedStatus,
): Track {
  return trackOf({
    // How it ended its history tells, and not its steps.
    process: { status: 'Running', failure: null },
    progress: progress as AnyProgress,
    chart: chartAfter(runs, number) ?? null,
    active: position.active,
    timers: position.timers,
    visited: visitedBefore(runs, number),
  });
}

/** Undefined if there is no such step. */
export function statusAfter(runs: readonly ReplayedRun[], number: number): StepStatus | undefined {
  const step = runs.flatMap(({ steps }) => steps)[number];
  if (!step) return undefined;
  const { next, timers } = step.position;
  return {
    number,
    nextLines: linesOf(next),
    timers,
    track: trackAfter(runs, number, step),
    lockers: lockersOf('', step.progress as AnyProgress),
  };
}
