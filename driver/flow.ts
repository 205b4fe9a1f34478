// Makes a workflow function from the versions of a definition, and runs any of them durably. It has no code for a
// special flow: the statechart says what a process does. A process runs on one version: the newest at its start.
import { defineQuery, patched, setHandler, workflowInfo } from '@temporalio/workflow';
import { MovableClock } from './clock.ts';
import type { Continued } from './continued.ts';
import { complete } from './defaults.ts';
import type { Complete, Declared, Definition, ProcessStart, Versions } from './definition.ts';
import { Process } from './process.ts';
import { firstStep } from './step.ts';

export interface Workflow<Input, Result> {
  (input: Input, continued?: Continued): Promise<Result>;
  /** The definitions, for tests and docs. Building one checks it. */
  readonly definitions: Versions<Definition>;
}

/** For a definition that the workflow has found itself. Throws before the first await if it cannot start. */
export function runProcess(
  declared: Declared,
  start: ProcessStart,
  continued?: Continued,
  clock: MovableClock | null = null,
): Promise<unknown> {
  return new Process(complete(declared), start, continued, clock).run();
}

/** With the real time it begins at once, before the first await. */
function begun(definition: Complete, start: ProcessStart, continued?: Continued): Promise<unknown> {
  const runWith = (clock: MovableClock | null) => new Process(definition, start, continued, clock).run();
  const clock = processClock(definition, start, continued);
  if (clock === null || clock instanceof MovableClock) return runWith(clock);
  setHandler(defineQuery('progress'), () => progressAtStart(definition, start));
  return clock.then(runWith);
}

/** Of a new process, or of a continued run; null: the real time. */
export function processClock(
  { clock }: Pick<Definition, 'clock'>,
  start: ProcessStart,
  continued?: Continued,
): Promise<MovableClock> | MovableClock | null {
  if (continued) return continued.aheadMs === undefined ? null : new MovableClock(continued.aheadMs);
  return clock?.(start)?.then((aheadMs) => new MovableClock(aheadMs)) ?? null;
}

/** For a question that comes before the process knows its time. */
function progressAtStart(definition: Complete, start: ProcessStart): unknown {
  const { snapshot } = firstStep(definition.machine, definition.input ? definition.input(start) : start);
  return definition.progress(snapshot, []);
}

/** @param name of the workflow type, if it differs from the type at the start */
export function flow<Input, Result>(name: string | null, versions: Versions): Workflow<Input, Result> {
  const definitionOf = definitionsOf(versions);
  const run = (input: Input, continued?: Continued) => {
    const { workflowId, workflowType, firstExecutionRunId } = workflowInfo();
    const type = name ?? workflowType;
    const version = continued?.version ?? chooseVersion(type, versions);
    const start = { flow: type, version, input, workflowId, firstExecutionRunId };
    return begun(definitionOf(type, version), start, continued) as Promise<Result>;
  };
  const definitions = Object.fromEntries(
    Object.keys(versions).map((version) => [version, () => definitionOf(name ?? '', Number(version))]),
  );
  return Object.assign(run, { definitions });
}

/**
 * Asked once, first thing in a workflow, and never in a continued run: that one is live, so `patched` would be true
 * and move it to the newest. Version 1 has no marker, hence the literal: "the lowest that is registered" would answer
 * without a question once version 1 is gone, and the runs of version 2 could not be replayed.
 */
function chooseVersion(name: string, versions: Versions): number {
  const descending = Object.keys(versions)
    .map(Number)
    .sort((one, other) => other - one);
  for (const version of descending) if (version === 1 || patched(`${name}@${version}`)) return version;
  throw missing(name, versions, 1);
}

/**
 * By version. Each is built and checked once: it is pure, so that all processes of a worker may share it.
 * A plain Error when it is not registered: the task fails and the process waits for the right deploy.
 */
function definitionsOf(versions: Versions): (name: string, version: number) => Complete {
  const built = new Map<number, Complete>();
  return (name, version) => {
    const build = versions[version];
    if (!build) throw missing(name, versions, version);
    const definition = built.get(version) ?? complete(build());
    built.set(version, definition);
    return definition;
  };
}

function missing(name: string, versions: Versions, version: number): Error {
  return new Error(
    `${name}@${version} is not registered (registered: ${Object.keys(versions).join(', ')}); deploy a worker that has it`,
  );
}
