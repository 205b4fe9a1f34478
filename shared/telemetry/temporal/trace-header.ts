// The place in a trace as a header of Temporal's: the same name and form as in the OpenTelemetry interceptors of all of its
// SDKs, so that a caller in any language starts a flow in its own trace.
import { defaultPayloadConverter, type Headers } from '@temporalio/common';
import type { Carrier } from '../spans.ts';

const TRACE_HEADER = '_tracer-data';

export const withTrace = (headers: Headers, carried: Carrier): Headers =>
  Object.keys(carried).length === 0
    ? headers
    : { ...headers, [TRACE_HEADER]: defaultPayloadConverter.toPayload(carried) };

export function traceIn(headers: Headers): Carrier | undefined {
  const payload = headers[TRACE_HEADER];
  return payload ? defaultPayloadConverter.fromPayload<Carrier>(payload) : undefined;
}
