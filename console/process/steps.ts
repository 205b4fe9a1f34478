// A process step by step, over all its runs: what came, what it made the process do, and where the process stood then.

import type { TracedStatus } from '../../driver/temporal/trace.ts';
import type { DescribedEvent } from '../../processes/views/timeline.ts';
import { linesOf } from './chart-drawing.ts';
import { takenOf } from './event-words.ts';
import type { ProcessStep, Shown, StepStatus } from './process-view.ts';
import { whatCame } from './what-came.ts';
import { whatItDid } from './what-it-did.ts';

/** One run, replayed, and its history. */
export interface ReplayedRun {
  readonly runId: string;
  readonly steps: readonly TracedStatus[];
  readonly described: readonly DescribedEvent[];
}

export function stepsOf(runs: readonly ReplayedRun[]): ProcessStep[] {
  const all: ProcessStep[] = [];
  let before: TracedStatus | null = null;
  for (const { runId, steps, described } of runs) {
    const came = whatCame(steps, described);
    steps.forEach((step, index) => {
      const { what = '', by = null, eventId = null } = came[index] ?? {};
      const { taken, position, at } = step;
      all.push({
        ...{ number: all.length, at: new Date(at).toISOString(), what, by, eventId, runId },
        did: whatItDid(before, step),
        ...{ taken, lines: linesOf(taken), active: position.active },
      });
      before = step;
    });
  }
  return all;
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
