// The id of a request in the log and in the answer: the caller's own if it is harmless, else a new one.
import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

export const REQUEST_ID_HEADER = 'x-request-id';
// Other characters could break a log line or a header.
const HARMLESS = /^[\w.:+/=-]{1,128}$/;

export function requestIdOf({ headers }: { readonly headers: IncomingHttpHeaders }): string {
  const given = headers[REQUEST_ID_HEADER];
  return typeof given === 'string' && HARMLESS.test(given) ? given : randomUUID();
}
