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
import type { FlowClock } from '../../contract/flows/flow-input.ts';
import type { Continued } from '../../driver/definition.ts';
import { processClock, runProcess } from '../../driver/temporal/workflow.ts';
import { expressionFailureIn } from '../../flow-files/expressions/failure.ts';
import type { Json } from '../../flow-files/flow-file.ts';
import { clockOf, goesBySandboxClock } from '../sandbox-clock.ts';
import { type Carried, flowFileDefinition } from './definition.ts';
import { type FlowFileProgress, notBegun } from './picture.ts';
import { Questions } from './questions.ts';

/** What a process of a flow file is started with: its one argument. */
export interface FlowFileStart {
  /** By the file's `input`. */
  readonly request?: Json;
  /** What its time is, and that of the flows that it starts; the real time if not given. */
  readonly clock?: FlowClock;
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
  const clock = processClock({ clock: clockOf }, start, continued);
  // Without an await where there is nothing to wait for.
  const movable = clock instanceof Promise ? await clock : clock;
  const goesBy = goesBySandboxClock(input) ? ({ clock: 'sandbox' } as const) : {};
  return begun(() => runProcess(flowFileDefinition(carried, questions, goesBy), start, continued, movable));
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
