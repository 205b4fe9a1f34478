// Makes a workflow function from the versions of a definition, and runs any of them durably. It has no code for a
// special flow: the statechart says what a process does.
import { workflowInfo } from '@temporalio/workflow';
import type { Continued } from './continued.ts';
import { complete } from './defaults.ts';
import type { Declared, Definition, ProcessStart, Versions } from './definition.ts';
import { Process } from './process.ts';
import { chooseVersion, definitionsOf } from './version.ts';

export interface Workflow<Input, Result> {
  (input: Input, continued?: Continued): Promise<Result>;
  /** The definitions, for tests and docs. Building one checks it. */
  readonly definitions: Versions<Definition>;
}

/** For a definition that the workflow has found itself. Throws before the first await if it cannot start. */
export function runProcess(declared: Declared, start: ProcessStart, continued?: Continued): Promise<unknown> {
  return new Process(complete(declared), start, continued).run();
}

/** @param name of the workflow type, if it differs from the type at the start */
export function flow<Input, Result>(name: string | null, versions: Versions): Workflow<Input, Result> {
  const definitionOf = definitionsOf(versions);
  const run = (input: Input, continued?: Continued) => {
    const { workflowId, workflowType, firstExecutionRunId } = workflowInfo();
    const type = name ?? workflowType;
    const version = continued?.version ?? chooseVersion(type, versions);
    const start = { flow: type, version, input, workflowId, firstExecutionRunId };
    return new Process(definitionOf(type, version), start, continued).run() as Promise<Result>;
  };
  const definitions = Object.fromEntries(
    Object.keys(versions).map((version) => [version, () => definitionOf(name ?? '', Number(version))]),
  );
  return Object.assign(run, { definitions });
}
