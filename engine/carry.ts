// What a run of a process leaves to the run that continues it.
import type { Calls, Timers } from './awaited.ts';
import type { CarriedCall, Continued, Definition, PostponedEvent, ProcessStart } from './definition.ts';
import type { Migrations } from './migration/migrations.ts';
import type { RunningChart } from './running-chart.ts';

// What another version of the engine has left may lack something, or have what this one would drop.
const FORMAT = 4;

interface CarriedProcess {
  readonly definition: Definition;
  readonly start: ProcessStart;
  readonly chart: RunningChart;
  readonly timers: Timers;
  readonly calls: Calls;
  readonly postponedEvents: readonly PostponedEvent[];
  readonly migrations: Migrations;
}

/** @param seen the keys of the messages that it has taken */
export function carriedOf(process: CarriedProcess, seen: readonly string[]): Continued {
  const { definition, start, chart, timers, calls, postponedEvents, migrations } = process;
  const carries = definition.carries?.();
  return {
    format: FORMAT,
    version: start.version,
    ...chart.kept,
    timers: timers.open,
    calls: calls.carried,
    ...(carries !== undefined && { carries }),
    ...(seen.length > 0 && { seen }),
    ...(postponedEvents.length > 0 && { kept: postponedEvents }),
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

/** Takes up a call of the former run. */
export function resume(call: CarriedCall, { chart, calls }: Pick<CarriedProcess, 'chart' | 'calls'>): void {
  const { id, of, input = chart.inputOf(id), kept, startedAt } = call;
  const logic = chart.logicOfCall({ id, of, input });
  if (logic) calls.start(of, { id, logic, input, kept }, startedAt);
}
