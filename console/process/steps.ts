// A process step by step, over all its runs: what came, what it made the process do, and where the process stood then.

import type { ChartView } from '../../engine/chart/chart-view.ts';
import type { TracedStatus } from '../../engine/temporal/trace.ts';
import { attributionFields } from '../../processes/views/timeline.ts';
import { breathing } from '../../shared/limits/breathing.ts';
import { chartIdOf, linesOf } from './chart-drawing.ts';
import { takenOf } from './event-messages.ts';
import type { Track } from './glance/glance-view.ts';
import { lockersOf } from './glance/headline.ts';
import { trackOf, visitedIn } from './glance/track.ts';
import type { AnyProgress, ProcessStep, StatePath, StepStatus } from './process-view.ts';
import { MIGRATION, type RunHistory, whatCame } from './what-came.ts';
import { formatDoing, whatItDid } from './what-it-did.ts';

/** One run, replayed, and its history. */
export interface ReplayedRun extends RunHistory {
  readonly runId: string;
}

export async function stepsOf(runs: readonly ReplayedRun[]): Promise<ProcessStep[]> {
  const all: ProcessStep[] = [];
  let chartId = '';
  const chartAt = ({ chart }: TracedStatus): string => {
    if (chart) chartId = chartIdOf(chart);
    return chartId;
  };
  let before: TracedStatus | null = null;
  const breathe = breathing();
  for (const run of runs) {
    const { runId, steps } = run;
    const came = await whatCame(run);
    for (const [index, step] of steps.entries()) {
      await breathe();
      const { what = '', data = null, who = null, eventId = null } = came[index] ?? {};
      const { taken, position, at } = step;
      const doings = whatItDid(before, step);
      all.push({
        number: all.length,
        at: new Date(at).toISOString(),
        what,
        data,
        eventId,
        runId,
        ...attributionFields(who),
        did: doings.map(formatDoing),
        doings,
        taken,
        lines: linesOf(taken),
        active: position.active,
        chartId: chartAt(step),
        isHalted: step.awaited.halted !== undefined,
      });
      before = step;
    }
  }
  return all;
}

/** The chart on which the process was after a step; undefined if there is no such step. */
export function chartAfter(runs: readonly ReplayedRun[], number: number): ChartView | undefined {
  return runs
    .flatMap(({ steps }) => steps)
    .slice(0, number + 1)
    .findLast(({ chart }) => chart !== undefined)?.chart;
}

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
    takes: takenOf(next),
    nextLines: linesOf(next),
    timers,
    calls: step.awaited.calls,
    progress: step.progress as AnyProgress,
    track: trackAfter(runs, number, step),
    lockers: lockersOf('', step.progress as AnyProgress),
  };
}
