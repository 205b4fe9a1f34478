// The id of a request in the log, in the audit log and in the answer: the caller's own if it is harmless; in a trace its place
// there, so that what the request did is found from its trace and the other way round; else a new one.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { carrier } from '../../runtime/telemetry/spans.ts';
import { beginSpan } from './observed-requests.ts';

export const REQUEST_ID_HEADER = 'x-request-id';
// Other characters could break a log line or a header.
const HARMLESS = /^[\w.:+/=-]{1,128}$/;

export function requestIdOf(request: IncomingMessage): string {
  const given = request.headers[REQUEST_ID_HEADER];
  const { traceparent } = carrier(beginSpan(request));
  return typeof given === 'string' && HARMLESS.test(given) ? given : (traceparent ?? randomUUID());
}
