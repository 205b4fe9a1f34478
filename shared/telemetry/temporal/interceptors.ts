// Spans of a worker: one for each attempt of an activity, and what its workflows tell of themselves.
import type { ActivityInterceptorsFactory, InjectedSinks } from '@temporalio/worker';
import { inSpan, startedSpan, traceFields } from '../spans.ts';
import { traceIn } from './trace-header.ts';
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
