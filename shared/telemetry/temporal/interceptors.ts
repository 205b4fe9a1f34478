// Spans of a worker: one for each attempt of an activity, and what its workflows tell of themselves.
import type { WorkflowClientInterceptor } from '@temporalio/client';
import { defaultPayloadConverter, type Headers } from '@temporalio/common';
import type { ActivityInterceptorsFactory, InjectedSinks } from '@temporalio/worker';
import { type Carrier, carrier, inSpan, startedSpan, traceFields } from '../spans.ts';
import type { TraceSinks } from './trace-sinks.ts';
import { endedWithId } from './workflow-span.ts';

export const activityTraces: ActivityInterceptorsFactory = ({ info }) => ({
  inbound: {
    execute: (input, next) =>
      inSpan(
        `RunActivity:${info.activityType}`,
        {
          kind: 'server',
          from: traceIn(input.headers),
          attributes: {
            attempt: info.attempt,
            ...(info.workflowExecution && { temporalWorkflowId: info.workflowExecution.workflowId }),
          },
        },
        () => next(input),
      ),
  },
  outbound: {
    // The SDK writes the line later, outside of the activity.
    getLogAttributes: (input, next) => ({ ...next(input), ...traceFields() }),
  },
});

/** Where the process has no SDK, they do nothing. */
export const workflowTraces: InjectedSinks<TraceSinks> = {
  traces: {
    signalled: {
      fn({ workflowId }, { signalName, from }) {
        const attributes = { temporalWorkflowId: workflowId };
        startedSpan(`HandleSignal:${signalName}`, { kind: 'consumer', from, attributes }).end();
      },
    },
    ended: {
      fn({ workflowType, workflowId, startTime }, { spanId, from, failure }) {
        endedWithId(spanId, {
          name: `RunWorkflow:${workflowType}`,
          from,
          startTime,
          failure,
          attributes: { temporalWorkflowId: workflowId },
        });
      },
    },
  },
};

// A span for what a client does to a workflow, and its place in the trace with it.

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

// The place in a trace as a header of Temporal's: the same name and form as in the OpenTelemetry interceptors of all of its
// SDKs, so that a caller in any language starts a flow in its own trace.

const TRACE_HEADER = '_tracer-data';

export const withTrace = (headers: Headers, carried: Carrier): Headers =>
  Object.keys(carried).length === 0
    ? headers
    : { ...headers, [TRACE_HEADER]: defaultPayloadConverter.toPayload(carried) };

export function traceIn(headers: Headers): Carrier | undefined {
  const payload = headers[TRACE_HEADER];
  return payload ? defaultPayloadConverter.fromPayload<Carrier>(payload) : undefined;
}
