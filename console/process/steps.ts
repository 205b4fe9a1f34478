// A process step by step, over all its runs: what came, what it made the process do, and where the process stood then.

import type { ChartView } from '../../driver/chart/chart-view.ts';
import type { TracedStatus } from '../../driver/temporal/trace.ts';
import { chartIdOf, linesOf } from './chart-drawing.ts';
import { takenOf } from './event-words.ts';
import type { ProcessStep, Shown, StepStatus } from './process-view.ts';
import { type RunHistory, whatCame } from './what-came.ts';
import { whatItDid } from './what-it-did.ts';

/** One run, replayed, and its history. */
export interface ReplayedRun extends RunHistory {
  readonly runId: string;
}

export function stepsOf(runs: readonly ReplayedRun[]): ProcessStep[] {
  const all: ProcessStep[] = [];
  let chartId = '';
  const chartAt = ({ chart }: TracedStatus): string => {
    if (chart) chartId = chartIdOf(chart);
    return chartId;
  };
  let before: TracedStatus | null = null;
  for (const run of runs) {
    const { runId, steps } = run;
    const came = whatCame(run);
    steps.forEach((step, index) => {
      const { what = '', by = null, eventId = null } = came[index] ?? {};
      const { taken, position, at } = step;
      all.push({
        ...{ number: all.length, at: new Date(at).toISOString(), what, by, eventId, runId },
        did: whatItDid(before, step),
        ...{ taken, lines: linesOf(taken), active: position.active, chartId: chartAt(step) },
        isHalted: step.awaited.halted !== undefined,
      });
      before = step;
    });
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
    progress: step.progress as Shown,
  };
}
