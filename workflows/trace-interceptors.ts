// Passes on a process's place in a trace: from its start to its activities, its children and its next run. It draws no
// random number, awaits nothing and gives no command, so that it changes no history; a process that was started outside of a
// trace is as without it. The worker makes its spans (shared/telemetry/temporal) from what it reports.
import {
  ContinueAsNew,
  defaultPayloadConverter,
  type Headers,
  proxySinks,
  type WorkflowInterceptorsFactory,
  workflowInfo,
} from '@temporalio/workflow';
import type { Carrier, TraceSinks } from '../shared/telemetry/temporal/trace-sinks.ts';

// As in shared/telemetry/temporal/interceptors.ts, which is not code for the sandbox.
const HEADER = '_tracer-data';

const { traces } = proxySinks<TraceSinks>();

const carried = (headers: Headers): Carrier | undefined => {
  const payload = headers[HEADER];
  return payload ? defaultPayloadConverter.fromPayload<Carrier>(payload) : undefined;
};

/** 8 bytes that belong to this run alone. Not the first ones: a run id may begin with the time. */
const spanIdOf = (runId: string): string => runId.replaceAll('-', '').slice(-16);

/** The same trace, with this run as the parent of what it causes. */
function ownCarrier(from: Carrier, spanId: string): Carrier {
  const [version, traceId, , flags] = from.traceparent?.split('-') ?? [];
  return { ...from, traceparent: [version, traceId, spanId, flags].join('-') };
}

export const interceptors: WorkflowInterceptorsFactory = () => {
  let own: Headers = {};
  const withOwn = <Given extends { headers: Headers }>(input: Given): Given => ({
    ...input,
    headers: { ...input.headers, ...own },
  });
  return {
    inbound: [
      {
        execute(input, next) {
          const from = carried(input.headers);
          if (!from?.traceparent) return next(input);
          const spanId = spanIdOf(workflowInfo().runId);
          own = { [HEADER]: defaultPayloadConverter.toPayload(ownCarrier(from, spanId)) };
          const ended = (failure?: string) => traces.ended({ spanId, from, failure });
          const result = next(input);
          result.then(
            () => ended(),
            (error: unknown) => ended(error instanceof ContinueAsNew ? undefined : nameOf(error)),
          );
          return result;
        },
        handleSignal(input, next) {
          const from = carried(input.headers);
          if (from) traces.signalled({ signalName: input.signalName, from });
          return next(input);
        },
      },
    ],
    outbound: [
      {
        scheduleActivity: (input, next) => next(withOwn(input)),
        scheduleLocalActivity: (input, next) => next(withOwn(input)),
        startChildWorkflowExecution: (input, next) => next(withOwn(input)),
        signalWorkflow: (input, next) => next(withOwn(input)),
        continueAsNew: (input, next) => next(withOwn(input)),
        getLogAttributes(input, next) {
          const attributes = next(input);
          const { traceparent } = carried(own) ?? {};
          return traceparent ? { ...attributes, traceId: traceparent.split('-')[1] } : attributes;
        },
      },
    ],
  };
};

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : 'error');
