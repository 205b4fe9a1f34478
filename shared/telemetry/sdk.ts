// Starts the OpenTelemetry SDK: spans are exported to OTEL_EXPORTER_OTLP_ENDPOINT as OTLP over HTTP. The SDK reads its other
// settings (OTEL_TRACES_SAMPLER, OTEL_RESOURCE_ATTRIBUTES, …) itself.

import { type ChannelListener, subscribe, unsubscribe } from 'node:diagnostics_channel';
import { context, propagation, SpanStatusCode, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  type IdGenerator,
  RandomIdGenerator,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { carrier, isRecording, type Span, startedSpan, type Telemetry } from './spans.ts';
import { setIdSource } from './temporal/workflow-span.ts';

export function startSdk(component: string): Telemetry {
  const named = resourceFromAttributes({ 'service.name': `lockerflow-${component}` });
  const provider = new TracerProvider({
    resource: defaultResource()
      .merge(named)
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
    idGenerator: spanIds,
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  trace.setGlobalTracerProvider(provider);
  setIdSource(withSpanId);
  const stopTracing = traceUndici();
  return {
    async stop() {
      stopTracing();
      // An unreachable collector must not delay the exit of the process.
      await provider.shutdown().catch(() => undefined);
    },
  };
}

const random = new RandomIdGenerator();
let next: string | undefined;

const spanIds: IdGenerator = {
  generateTraceId: () => random.generateTraceId(),
  generateSpanId() {
    const id = next ?? random.generateSpanId();
    next = undefined;
    return id;
  },
};

/** The work starts one span, at once. */
function withSpanId<Result>(id: string, work: () => Result): Result {
  next = id;
  try {
    return work();
  } finally {
    next = undefined;
  }
}

// A span for each HTTP request that is sent within a span, and its place in the trace as a header of the request. By undici's
// own channels: no code of a caller changes.

interface UndiciRequest {
  readonly method: string;
  readonly origin: string | URL;
  readonly path: string;
  addHeader(name: string, value: string): unknown;
}

type Message = {
  readonly request: UndiciRequest;
  readonly response?: { readonly statusCode: number };
  readonly error?: Error;
};

export function traceUndici(): () => void {
  const spans = new WeakMap<UndiciRequest, Span>();
  const listeners: Record<string, (message: Message) => void> = {
    'undici:request:create': ({ request }) => {
      // Polling belongs to no trace.
      if (!isRecording()) return;
      const { method, origin, path } = request;
      const { host } = new URL(origin);
      // Without the query: it may hold what a person wrote.
      const attributes = {
        'http.request.method': method,
        'server.address': host,
        'url.path': path.split('?')[0],
      };
      const span = startedSpan(`${method} ${attributes['url.path']}`, { kind: 'client', attributes });
      spans.set(request, span);
      for (const [name, value] of Object.entries(carrier(span))) request.addHeader(name, value);
    },
    'undici:request:headers': ({ request, response }) => {
      if (response) spans.get(request)?.setAttribute('http.response.status_code', response.statusCode);
    },
    'undici:request:trailers': ({ request }) => spans.get(request)?.end(),
    'undici:request:error': ({ request, error }) => {
      const span = spans.get(request);
      span?.setStatus({ code: SpanStatusCode.ERROR, message: error?.name ?? 'error' });
      span?.end();
    },
  };
  for (const [channel, listener] of Object.entries(listeners))
    subscribe(channel, listener as ChannelListener);
  return () => {
    for (const [channel, listener] of Object.entries(listeners))
      unsubscribe(channel, listener as ChannelListener);
  };
}
