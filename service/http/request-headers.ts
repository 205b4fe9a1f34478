// The headers of a request that mean something to the service: X-Request-Id, X-On-Behalf-Of and Idempotency-Key (assumptions: The
// wire).
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import {
  IDEMPOTENCY_KEY_HEADER,
  idempotencyKey,
  nameInOnBehalfOf,
  ON_BEHALF_OF_HEADER,
} from '../../contract/index.ts';
import { carrier } from '../../shared/telemetry/spans.ts';
import { Refusal } from '../refusal.ts';
import { beginSpan } from './observed-requests.ts';

export const REQUEST_ID_HEADER = 'x-request-id';
// Other characters could break a log line or a header.
const HARMLESS = /^[\w.:+/=-]{1,128}$/;

/**
 * The id of a request in the log, in the audit log and in the answer: the caller's own if it is harmless; in a trace its place
 * there, so that what the request did is found from its trace and the other way round; else a new one.
 */
export function requestIdOf(request: IncomingMessage): string {
  const given = request.headers[REQUEST_ID_HEADER];
  const { traceparent } = carrier(beginSpan(request));
  return typeof given === 'string' && HARMLESS.test(given) ? given : (traceparent ?? randomUUID());
}

/**
 * The person whom an API client names as the one for whom it acts. It is a claim of that client, for its tenant's audit log alone:
 * it gives no right, and nothing is decided by it.
 */
export const onBehalfOfIn = (request: IncomingMessage): string | undefined =>
  oneValue(
    request,
    ON_BEHALF_OF_HEADER,
    nameInOnBehalfOf,
    'X-On-Behalf-Of: send it once, with a name of 1 to 100 characters, none of them a control or invisible, percent-encoded as UTF-8',
  );

export const idempotencyKeyOf = (request: IncomingMessage): string | undefined =>
  oneValue(
    request,
    IDEMPOTENCY_KEY_HEADER,
    (text) => idempotencyKey.safeParse(text).data,
    'Idempotency-Key: send it once, with 1 to 255 visible ASCII characters',
  );

/** Undefined without the header. Throws InvalidRequest for one that is wrong, or was sent several times. */
function oneValue(
  { headersDistinct }: IncomingMessage,
  header: string,
  valueIn: (text: string) => string | undefined,
  expected: string,
): string | undefined {
  // `headers` has the values joined: one that no client sent.
  const [text, ...others] = headersDistinct[header] ?? [];
  if (text === undefined) return undefined;
  const value = others.length === 0 ? valueIn(text) : undefined;
  if (value === undefined) throw new Refusal('InvalidRequest', expected);
  return value;
}
