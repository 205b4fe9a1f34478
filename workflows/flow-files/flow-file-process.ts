// A process of a published flow file: a workflow of any name that no built-in one has. It runs the version that its start has brought,
// as lockerflow's own starts do, and otherwise fetches the current version of that name: its history has the file in either case.
import { proxyLocalActivities, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import type { FlowFileActivities } from '../../activities/flow-file-activities.ts';
import type { Continued } from '../../engine/continued.ts';
import { answerBeforeStart } from '../../engine/temporal/answers-before-start.ts';
import { Updates } from '../../engine/temporal/updates.ts';
import { FileMachines } from '../../flows/language/machine/file-machines.ts';
import { notBegun } from '../../flows/language/machine/progress.ts';
import type { Published } from '../../flows/language/registry.ts';
import { localRetries } from '../local-calls.ts';
import { atStart } from './actors.ts';
import type { Carried, FlowFileStart } from './process-definition.ts';
import { runFile } from './run-file.ts';

// A local one costs a single event of history.
const { fetchFlowDefinition } = proxyLocalActivities<FlowFileActivities>({
  startToCloseTimeout: '10 s',
  ...localRetries,
});

export const flowFileProcess = flowFileWorkflow();

function flowFileWorkflow() {
  const machines = new FileMachines();
  return async (input: FlowFileStart = {}, continued?: Continued, brought?: Published): Promise<unknown> => {
    const { workflowType: name } = workflowInfo();
    let file: Published | undefined;
    let hasFailed = false;
    const updates = new Updates();
    answerBeforeStart({
      flow: name,
      progress: () => notBegun(name, hasFailed, file?.version),
      isOpen: () => !hasFailed,
    });
    try {
      const { published = brought } = (continued?.carries ?? {}) as Partial<Carried>;
      if (!published) updates.hold();
      file = published ?? (await fetchFlowDefinition({ name, input: input ?? {} }));
      return await runFile({ published: file, machines, input, continued, updates });
    } catch (error) {
      updates.fail(error);
      // For what asks a process that has failed before its first step.
      hasFailed = true;
      // Other SDKs and schedules start it without a phase, by which lists find it.
      if (workflowInfo().searchAttributes.LockerPhase === undefined) upsertSearchAttributes(atStart);
      throw error;
    }
  };
}
