// Makes a workflow of the versions of a definition, and runs any of them durably. It has no code for a special flow: the
// statechart says what a process does. A process runs on one version: the newest at its start.
import { patched, workflowInfo } from '@temporalio/workflow';
import type { Continued } from '../continued.ts';
import type { Definition, ProcessStart, Versions } from '../definition/definition.ts';
import type { MigrationRequest } from '../definition/migration-request.ts';
import { VersionMissing } from '../migration/migrations.ts';
import { firstStep } from '../stepper.ts';
import { answerBeforeStart } from './answers-before-start.ts';
import { MovableClock } from './movable-clock.ts';
import { Run } from './run.ts';

export interface Workflow<Input, Result> {
  (input: Input, continued?: Continued): Promise<Result>;
  /** The definitions, for tests and docs. */
  readonly definitions: Versions;
}

/** @param name the workflow type */
export function flow<Input, Result>(name: string, versions: Versions): Workflow<Input, Result> {
  const built = definitionsOf(name, versions);
  const definitionOf = (version: number): Definition => ({
    ...built(version),
    migrates: ({ to, plan = {} }: MigrationRequest) => {
      const version = Number((to as { readonly version?: unknown } | null)?.version);
      return { definition: definitionOf(version), version, plan };
    },
  });
  const run = (input: Input, continued?: Continued) => {
    const { workflowId, firstExecutionRunId } = workflowInfo();
    const version = continued?.version ?? chooseVersion(name, versions);
    const start = { flow: name, version, input, workflowId, firstExecutionRunId };
    return begun(definitionOf(version), start, continued) as Promise<Result>;
  };
  const definitions = Object.fromEntries(
    Object.keys(versions).map((version) => [version, () => definitionOf(Number(version))]),
  );
  return Object.assign(run, { definitions });
}

/** For a definition that the workflow has found itself. Throws before the first await if it cannot start. */
export function runProcess(
  definition: Definition,
  start: ProcessStart,
  continued?: Continued,
  clock: MovableClock | null = null,
): Promise<unknown> {
  return new Run(definition, start, continued, clock).toItsEnd();
}

/** With the real time it begins at once, before the first await. */
function begun(definition: Definition, start: ProcessStart, continued?: Continued): Promise<unknown> {
  const runWith = (clock: MovableClock | null) => new Run(definition, start, continued, clock).toItsEnd();
  const clock = processClock(definition, start, continued);
  if (clock === null || clock instanceof MovableClock) return runWith(clock);
  answerBeforeStart({
    flow: start.flow,
    progress: () => progressAtStart(definition, start),
    takesCommands: definition.commands !== undefined,
  });
  return clock.then(runWith);
}

/** The clock of a new process, or of a continued run; null: the real time. */
export function processClock(
  { clock }: Pick<Definition, 'clock'>,
  start: ProcessStart,
  continued?: Continued,
): Promise<MovableClock> | MovableClock | null {
  if (continued) return continued.aheadMs === undefined ? null : new MovableClock(continued.aheadMs);
  return clock?.(start)?.then((aheadMs) => new MovableClock(aheadMs)) ?? null;
}

/** For a question that comes before the process knows its time. */
function progressAtStart(definition: Definition, start: ProcessStart): unknown {
  const input: unknown = definition.input ? definition.input(start) : start;
  return definition.views.progress(firstStep(definition.machine, input).snapshot, []);
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

/**
 * By version. Each is built once: it is pure, so that all processes of a worker may share it.
 * A plain Error when it is not registered: the task fails and the process waits for the right deploy.
 */
function definitionsOf(name: string, versions: Versions): (version: number) => Definition {
  const built = new Map<number, Definition>();
  return (version) => {
    const build = versions[version];
    if (!build) throw new VersionMissing(name, version, Object.keys(versions));
    const definition = built.get(version) ?? build();
    built.set(version, definition);
    return definition;
  };
}
