// A span for each request, as a part of the caller's trace: it begins with the request's id, which is made first of all. And how
// many requests of each operation, how they were answered, and how long that took.
import type { IncomingMessage } from 'node:http';
import { isSpanContextValid, SpanStatusCode } from '@opentelemetry/api';
import type { FastifyInstance, onRequestHookHandler, preValidationHookHandler } from 'fastify';
import { counter, durations, isMeasuring } from '../../shared/telemetry/metrics.ts';
import { type Span, startedSpan, within } from '../../shared/telemetry/spans.ts';

const spans = new WeakMap<IncomingMessage, Span>();

export const spanOf = (request: IncomingMessage): Span | undefined => spans.get(request);

/** Load balancers ask every second. */
const QUIET = /^\/health\//;

/** Undefined where nothing is traced: then the hooks have nothing to do. */
export function beginSpan(request: IncomingMessage): Span | undefined {
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
