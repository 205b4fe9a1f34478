// A span for each request, as a part of the caller's trace: it begins with the request's id, which is made first of all. And how
// many requests of each operation, how they were answered, and how long that took.

import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isSpanContextValid, SpanStatusCode } from '@opentelemetry/api';
import type { FastifyInstance, onRequestHookHandler, preValidationHookHandler } from 'fastify';
import {
  IDEMPOTENCY_KEY_HEADER,
  idempotencyKey,
  LONGEST_REASON,
  nameInOnBehalfOf,
  ON_BEHALF_OF_HEADER,
  REASON_HEADER,
  reasonIn,
} from '../../contract/index.ts';
import { counter, durations, isMeasuring } from '../../shared/telemetry/metrics.ts';
import { carrier, type Span, startedSpan, within } from '../../shared/telemetry/spans.ts';
import { ApiError } from '../api-error.ts';

const spans = new WeakMap<IncomingMessage, Span>();

export const spanOf = (request: IncomingMessage): Span | undefined => spans.get(request);

/** Load balancers ask every second. */
const QUIET = /^\/health\//;

/** Undefined where nothing is traced: then the hooks have nothing to do. */
function beginSpan(request: IncomingMessage): Span | undefined {
  if (QUIET.test(request.url ?? '')) return undefined;
  const span = startedSpan('request', { kind: 'server', from: request.headers });
  if (!isSpanContextValid(span.spanContext())) return undefined;
  spans.set(request, span);
  return span;
}

export function traceRequests(app: FastifyInstance): void {
  // After the body: what reads it has lost the place in the trace.
  const enter: onRequestHookHandler & preValidationHookHandler = (request, _reply, done) => {
    const span = spanOf(request.raw);
    if (span) within(span, done);
    else done();
  };
  app.addHook('onRequest', enter);
  app.addHook('preValidation', enter);
  app.addHook('onResponse', (request, reply, done) => {
    const span = spanOf(request.raw);
    if (!span) return done();
    span.updateName(`${request.method} ${request.routeOptions.url ?? 'unknown'}`);
    span.setAttributes({
      'http.request.method': request.method,
      'http.response.status_code': reply.statusCode,
      ...(request.routeOptions.url && { 'http.route': request.routeOptions.url }),
      ...(request.apiClient && { tenant: request.apiClient.tenantUid }),
      ...(request.failureCode && { error: request.failureCode }),
    });
    if (reply.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end();
    done();
  });
}

const answered = durations(
  'lockerflow_service_request_duration_seconds',
  'From a request to its answer, by operation and HTTP status.',
);
const refused = counter(
  'lockerflow_service_refusals_total',
  'Requests that were answered with an error, by operation and code.',
);

export function measureRequests(app: FastifyInstance): void {
  if (!isMeasuring()) return;
  app.addHook('onResponse', (request, reply, done) => {
    // The connection of a wall lasts for days.
    if (!request.ws) {
      // Unknown paths have no route: each of them as a label would fill the memory.
      const operation = request.routeOptions.config.operation ?? request.routeOptions.url ?? 'unknown';
      answered(reply.elapsedTime / 1_000, { operation, status: reply.statusCode });
      if (request.failureCode) refused({ operation, error: request.failureCode });
    }
    done();
  });
}

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

/** Why a person does it, as the API client says: for the audit log alone. */
export const reasonOf = (request: IncomingMessage): string | undefined =>
  oneValue(
    request,
    REASON_HEADER,
    reasonIn,
    `X-Reason: send it once, with 1 to ${LONGEST_REASON} characters, none of them a control or invisible, percent-encoded as UTF-8`,
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
  if (value === undefined) throw new ApiError('InvalidRequest', expected);
  return value;
}
