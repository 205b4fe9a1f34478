// Makes a workflow function out of the versions of a definition, and runs any of them durably.
// It never branches on a flow: what a process is, its statechart says.
import { workflowInfo } from '@temporalio/workflow';
import type { Continued } from './continued.ts';
import { complete } from './defaults.ts';
import type { Declared, Definition, ProcessStart, Versions } from './definition.ts';
import { Process } from './process.ts';
import { chooseVersion, definitionsOf } from './version.ts';

export interface Workflow<Input, Result> {
  (input: Input, continued?: Continued): Promise<Result>;
  /** For tests and docs: what it is made of. Building one checks it. */
  readonly definitions: Versions<Definition>;
}

/** Of a definition that the workflow has found itself. Throws before the first await where it cannot be begun. */
export function runProcess(declared: Declared, start: ProcessStart, continued?: Continued): Promise<unknown> {
  return new Process(complete(declared), start, continued).run();
}

/** @param name of the workflow type, where it is to be another than it is started by */
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
