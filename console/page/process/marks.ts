// What the chart of a process shows at one moment: where it is, the way that it has come, and what may come next.
import type { ProcessStep, RunningTimer, StatePath } from '../../process/process-view.ts';
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

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Of two units at most; it fits into the room that the chart leaves for it. */
export function leftWords(ms: number): string {
  if (ms <= 0) return 'due now';
  const two = (large: number, small: number, [one, other]: readonly [string, string]) =>
    `${Math.floor(ms / large)} ${one} ${Math.floor((ms % large) / small)} ${other} left`;
  if (ms >= DAY_MS) return two(DAY_MS, HOUR_MS, ['d', 'h']);
  if (ms >= HOUR_MS) return two(HOUR_MS, MINUTE_MS, ['h', 'm']);
  if (ms >= MINUTE_MS) return two(MINUTE_MS, SECOND_MS, ['m', 's']);
  return `${Math.floor(ms / SECOND_MS)} s left`;
}
