// What a run of a process leaves to the run that continues it.
import type { Continued } from './definition.ts';
import type { ProcessState } from './process-state.ts';

// What another version of the engine has left may lack something, or have what this one would drop.
const FORMAT = 4;

export function carriedOf(process: ProcessState): Continued {
  const { definition, start, chart, timers, calls, messages, postponed, migrations } = process;
  const carries = definition.carries?.();
  const { seen } = messages;
  return {
    format: FORMAT,
    version: start.version,
    ...chart.kept,
    timers: timers.open,
    calls: calls.carried,
    ...(carries !== undefined && { carries }),
    ...(seen.length > 0 && { seen }),
    ...(postponed.all.length > 0 && { kept: postponed.all }),
    ...migrations.carried,
  };
}

/** No failure of Temporal's: the task fails, and the process waits. */
export function checkFormat(continued: Continued): void {
  if (continued.format === FORMAT) return;
  throw new Error(
    `the former run has left data of format ${continued.format}, expected ${FORMAT}; deploy a worker of the version that wrote it`,
  );
}
