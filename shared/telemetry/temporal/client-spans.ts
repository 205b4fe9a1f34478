// A span for what a client does to a workflow, and its place in the trace with it.
import type { WorkflowClientInterceptor } from '@temporalio/client';
import type { Headers } from '@temporalio/common';
import { carrier, inSpan } from '../spans.ts';
import { withTrace } from './trace-header.ts';

type Input = { readonly headers: Headers };
type Next<Given, Result> = (input: Given) => Promise<Result>;

/** Named as in the interceptors of Temporal's SDKs. */
const traced = <Given extends Input, Result>(
  name: string,
  workflowId: string | undefined,
  input: Given,
  next: Next<Given, Result>,
): Promise<Result> =>
  inSpan(
    name,
    { kind: 'client', attributes: { ...(workflowId && { temporalWorkflowId: workflowId }) } },
    () => next({ ...input, headers: withTrace(input.headers, carrier()) }),
  );

export const traceInterceptor: WorkflowClientInterceptor = {
  startWithDetails: (input, next) =>
    traced(`StartWorkflow:${input.workflowType}`, input.options.workflowId, input, next),
  signal: (input, next) =>
    traced(`SignalWorkflow:${input.signalName}`, input.workflowExecution.workflowId, input, next),
  signalWithStart: (input, next) =>
    traced(`SignalWithStartWorkflow:${input.workflowType}`, input.options.workflowId, input, next),
  startUpdate: (input, next) =>
    traced(`UpdateWorkflow:${input.updateName}`, input.workflowExecution.workflowId, input, next),
};
