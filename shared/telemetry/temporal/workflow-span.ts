// The span of a workflow: made when it has ended, with the id that it had all the time.
import { type Attributes, SpanStatusCode } from '@opentelemetry/api';
import { type Carrier, startedSpan } from '../spans.ts';

interface EndedWorkflow {
  readonly name: string;
  readonly from: Carrier;
  readonly startTime: Date;
  readonly failure: string | undefined;
  readonly attributes: Attributes;
}

/** Set by the SDK's side, which draws the ids. Without an SDK there is no span. */
let withId: <Result>(id: string, work: () => Result) => Result = (_id, work) => work();

export function setIdSource(source: typeof withId): void {
  withId = source;
}

export function endedWithId(id: string, { name, startTime, failure, ...options }: EndedWorkflow): void {
  const span = withId(id, () => startedSpan(name, { kind: 'server', ...options }, undefined, startTime));
  if (failure !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: failure });
  span.end();
}
