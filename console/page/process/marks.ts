// What the chart of a process shows at one moment: where it is, the way that it has come, and what may come next.
import type { ProcessStep, RunningTimer, StatePath } from '../../process/process-view.ts';
import { formatTimeLeft } from '../parts/time.tsx';
import type { Marks } from './chart.tsx';

export interface Moment {
  /** How it has ended; undefined: it had not ended then. */
  readonly ended?: 'well' | 'badly' | undefined;
  readonly active: readonly StatePath[];
  readonly nextLines: readonly string[];
  readonly timers: readonly RunningTimer[];
  /** Up to this moment; undefined: not known. */
  readonly steps: readonly ProcessStep[] | undefined;
  /** By the clock of the process. */
  readonly nowMs: number;
}

export function marksOf({ active, nextLines, timers, steps = [], nowMs, ended }: Moment): Marks {
  return {
    isOver: ended !== undefined,
    failed: failedOf(steps, ended === 'badly' ? leavesOf(active) : []),
    active: new Set(active),
    visited: new Set(
      steps.flatMap((step) => [...step.active, ...step.taken.flatMap(({ from, to }) => [from, ...to])]),
    ),
    taken: new Set(steps.flatMap(({ lines }) => lines)),
    last: new Set(steps.at(-1)?.lines),
    next: new Set(nextLines),
    // The first of a state is the next one.
    below: new Map(
      timers.toReversed().map(({ state, until }) => [state, formatTimeLeft(Date.parse(until) - nowMs)]),
    ),
  };
}

const FAILED = / failed$/;

/** States whose call failed, and where a step did, unless the process has left them in another way since. */
function failedOf(steps: readonly ProcessStep[], atTheEnd: readonly StatePath[]): ReadonlySet<StatePath> {
  const failed = new Set<StatePath>();
  for (const { taken, active, isHalted } of steps) {
    for (const { from, event } of taken)
      if (FAILED.test(event)) failed.add(from);
      else failed.delete(from);
    if (isHalted) for (const path of leavesOf(active)) failed.add(path);
  }
  return new Set([...failed, ...atTheEnd]);
}

/** The innermost of the active states. */
export const leavesOf = (active: readonly StatePath[]): StatePath[] =>
  active.filter((path) => path !== '' && !active.some((other) => other.startsWith(`${path}.`)));
