// What the chart of a process shows at one moment: where it is, the way that it has come, and what may come next.
import type { ProcessStep, RunningTimer, StatePath } from '../../process/process-view.ts';
import { leftWords } from '../parts/time.tsx';
import type { Marks } from './chart.tsx';

export interface Moment {
  readonly active: readonly StatePath[];
  readonly nextLines: readonly string[];
  readonly timers: readonly RunningTimer[];
  /** Up to this moment; undefined: not known. */
  readonly steps: readonly ProcessStep[] | undefined;
  /** By the clock of the process. */
  readonly nowMs: number;
}

export function marksOf({ active, nextLines, timers, steps = [], nowMs }: Moment): Marks {
  return {
    active: new Set(active),
    visited: new Set(
      steps.flatMap((step) => [...step.active, ...step.taken.flatMap(({ from, to }) => [from, ...to])]),
    ),
    taken: new Set(steps.flatMap(({ lines }) => lines)),
    last: new Set(steps.at(-1)?.lines),
    next: new Set(nextLines),
    // The first of a state is the next one.
    below: new Map(
      timers.toReversed().map(({ state, until }) => [state, leftWords(Date.parse(until) - nowMs)]),
    ),
  };
}
