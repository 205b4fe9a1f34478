// The id under which a request is logged and answered: the caller's own where it is harmless, else a new one.
import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

export const REQUEST_ID_HEADER = 'x-request-id';
// Anything else could break a log line or a header.
const HARMLESS = /^[\w.:+/=-]{1,128}$/;

export function requestIdOf({ headers }: { readonly headers: IncomingHttpHeaders }): string {
  const given = headers[REQUEST_ID_HEADER];
  return typeof given === 'string' && HARMLESS.test(given) ? given : randomUUID();
}
