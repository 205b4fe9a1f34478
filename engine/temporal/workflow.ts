// Runs a definition durably, as a workflow. It has no code for a special flow: the statechart says what a process does. A process
// runs on one version: the newest at its start.
import { patched } from '@temporalio/workflow';
import type { Continued } from '../continued.ts';
import type { Definition, ProcessStart, Versions } from '../definition/definition.ts';
import { VersionMissing } from '../migration/migrations.ts';
import { MovableClock } from './movable-clock.ts';
import { Run } from './run.ts';
import type { Updates } from './updates.ts';

export interface Workflow<Input, Result> {
  (input: Input, continued?: Continued): Promise<Result>;
  /** The definitions, for tests and docs. */
  readonly definitions: Versions;
}

/** For a definition that the workflow has found itself. Throws before the first await if it cannot start. */
export function runProcess(
  definition: Definition,
  start: ProcessStart,
  { continued, clock, updates }: Surroundings,
): Promise<unknown> {
  return new Run(definition, start, continued, clock, updates).toItsEnd();
}

interface Surroundings {
  readonly continued: Continued | undefined;
  /** Null: the real time. */
  readonly clock: MovableClock | null;
  readonly updates: Updates;
}

/**
 * The clock of a new process, or of a continued run; null: the real time.
 *
 * @param ahead how far that of a new process is ahead of the real time; such a clock can be moved
 */
export function processClock(
  ahead: (start: ProcessStart) => Promise<number> | null,
  start: ProcessStart,
  continued?: Continued,
): Promise<MovableClock> | MovableClock | null {
  if (continued) return continued.aheadMs === undefined ? null : new MovableClock(continued.aheadMs);
  return ahead(start)?.then((aheadMs) => new MovableClock(aheadMs)) ?? null;
}

/**
 * Asked once, first thing in a workflow, and never in a continued run: that one is live, so `patched` would be true
 * and move it to the newest. Version 1 has no marker, hence the literal: "the lowest that is registered" would answer
 * without a question once version 1 is gone, and the runs of version 2 could not be replayed.
 */
export function chooseVersion(name: string, versions: Readonly<Record<number, unknown>>): number {
  const descending = Object.keys(versions)
    .map(Number)
    .sort((one, other) => other - one);
  for (const version of descending) if (version === 1 || patched(`${name}@${version}`)) return version;
  throw new VersionMissing(name, 1, Object.keys(versions));
}
