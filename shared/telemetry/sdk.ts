// Starts the OpenTelemetry SDK: spans are exported to OTEL_EXPORTER_OTLP_ENDPOINT as OTLP over HTTP. The SDK reads its other
// settings (OTEL_TRACES_SAMPLER, OTEL_RESOURCE_ATTRIBUTES, …) itself.
import { context, propagation, trace } from '@opentelemetry/api';
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
import { traceUndici } from './http-spans.ts';
import type { Telemetry } from './spans.ts';
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
