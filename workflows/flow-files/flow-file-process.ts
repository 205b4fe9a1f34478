// A process of a flow file: a workflow of any name that no built-in one has. It fetches the newest version of that name, keeps
// it in its own history, and runs it on the driver as the built-in flows are run.
import {
  ApplicationFailure,
  defineQuery,
  proxyLocalActivities,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { FlowFileActivities } from '../../activities/flow-files/flow-file-activities.ts';
import type { Continued } from '../../driver/continued.ts';
import { runProcess } from '../../driver/flow.ts';
import { expressionFailureIn } from '../../flow-files/expressions/failure.ts';
import type { Json } from '../../flow-files/flow-file.ts';
import { type Carried, flowFileDefinition } from './definition.ts';
import { type FlowFileProgress, notBegun } from './picture.ts';
import { Questions } from './questions.ts';

/** What a process of a flow file is started with: its one argument. */
export interface FlowFileStart {
  /** By the file's `input`. */
  readonly request?: Json;
}

// A local one costs a single event of history.
const { fetchFlowDefinition } = proxyLocalActivities<FlowFileActivities>({
  startToCloseTimeout: '10 s',
  retry: { initialInterval: '100 ms', maximumInterval: '10 s' },
});

const progress = defineQuery<FlowFileProgress>('progress');

export async function flowFileProcess(input: FlowFileStart = {}, continued?: Continued): Promise<unknown> {
  const { workflowType, workflowId, firstExecutionRunId } = workflowInfo();
  // The driver's own takes its place with the first step.
  setHandler(progress, () => notBegun(workflowType));
  const carried = (continued?.carries as Carried | undefined) ?? {
    published: await fetchFlowDefinition({ name: workflowType, input: input ?? {} }),
    invoked: {},
  };
  const { version } = carried.published;
  const questions = new Questions();
  questions.listen();
  const start = { flow: workflowType, version, input: input ?? {}, workflowId, firstExecutionRunId };
  return begun(() => runProcess(flowFileDefinition(carried, questions), start, continued));
}

/** What is wrong before anything has happened is the starter's to know: the process fails. */
function begun<Result>(begin: () => Result): Result {
  try {
    return begin();
  } catch (error) {
    const failure = expressionFailureIn(error);
    if (!failure) throw error;
    const { code, path, expression = null, reason } = failure;
    throw ApplicationFailure.nonRetryable(failure.message, code, { path, expression, reason });
  }
}
