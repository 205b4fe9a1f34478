// Makes a workflow function out of the versions of a definition, and runs any of them durably.
// It never branches on a flow: what a process is, its statechart says.
import { workflowInfo } from '@temporalio/workflow';
import { carryOut } from './actions.ts';
import { type Continued, restored } from './continued.ts';
import type { Definition, ProcessStart, Versions } from './definition.ts';
import { Process } from './process.ts';
import { firstStep } from './step.ts';
import { traceStep } from './trace.ts';
import { chooseVersion, definitionsOf } from './version.ts';

export interface Workflow<Input, Result> {
  (input: Input, continued?: Continued): Promise<Result>;
  /** For tests and docs: what it is made of. */
  readonly definitions: Versions;
}

export function flow<Input, Result>(name: string, versions: Versions): Workflow<Input, Result> {
  const definitionOf = definitionsOf(name, versions);
  const run = (input: Input, continued?: Continued) => {
    const version = continued?.version ?? chooseVersion(name, versions);
    const { workflowId, firstExecutionRunId } = workflowInfo();
    const start = { flow: name, version, input, workflowId, firstExecutionRunId };
    const definition = definitionOf(version);
    const result = continued ? resume(definition, start, continued) : begin(definition, start);
    return result as Promise<Result>;
  };
  return Object.assign(run, { definitions: versions });
}

function begin(definition: Definition, start: ProcessStart): Promise<unknown> {
  const { snapshot, actions } = firstStep(definition.machine, start);
  traceStep('start', snapshot);
  return new Process(definition, start, snapshot).run((means) => carryOut(means, actions, snapshot));
}

function resume(definition: Definition, start: ProcessStart, continued: Continued): Promise<unknown> {
  const snapshot = restored(definition.machine, continued.snapshot);
  traceStep('continued', snapshot);
  return new Process(definition, start, snapshot).run(({ timers }) => {
    for (const timer of continued.timers) timers.arm(timer);
  });
}
