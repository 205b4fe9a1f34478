// Spans, and the place in a trace that goes from one process to the next (W3C Trace Context). Only OpenTelemetry's API: where
// no SDK is registered, all of this does nothing.
import {
  type Attributes,
  type Context,
  context,
  createContextKey,
  isSpanContextValid,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';

export type { Span } from '@opentelemetry/api';

/** What a message carries of its trace: `traceparent`, and perhaps `tracestate`. */
export type Carrier = Readonly<Record<string, string>>;

/** The telemetry of a process. */
export interface Telemetry {
  stop(): Promise<void>;
}

interface SpanOptions {
  readonly kind?: 'server' | 'client' | 'producer' | 'consumer';
  /** No codes, names or texts of people. */
  readonly attributes?: Attributes;
  /** What the message that causes it carried. Without one the span is a child of the present one. */
  readonly from?: Readonly<Record<string, string | string[] | undefined>> | undefined;
}

const kinds = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
} as const;

const tracer = () => trace.getTracer('lockerflow');

/** Runs the work within a span, which ends with it. */
export function inSpan<Result>(
  name: string,
  options: SpanOptions,
  work: (span: Span) => Promise<Result>,
): Promise<Result> {
  const parent = parentOf(options);
  const span = startedSpan(name, options, parent);
  return context.with(trace.setSpan(parent, span), async () => {
    try {
      return await work(span);
    } catch (error) {
      // The message may hold what a person wrote.
      span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.name : 'error' });
      throw error;
    } finally {
      span.end();
    }
  });
}

const parentOf = ({ from }: SpanOptions): Context =>
  from ? propagation.extract(context.active(), from) : context.active();

export const startedSpan = (
  name: string,
  options: SpanOptions,
  parent: Context = parentOf(options),
  startTime?: Date | number,
): Span =>
  tracer().startSpan(
    name,
    {
      ...(options.kind && { kind: kinds[options.kind] }),
      ...(options.attributes && { attributes: options.attributes }),
      ...(startTime !== undefined && { startTime }),
    },
    parent,
  );

/** For the message to the next process; empty outside of a trace. */
export function carrier(span: Span | undefined = trace.getActiveSpan()): Carrier {
  const headers: Record<string, string> = {};
  if (span) propagation.inject(trace.setSpan(context.active(), span), headers);
  return headers;
}

/** True within a span that is recorded. */
export const isRecording = (): boolean => trace.getActiveSpan()?.isRecording() ?? false;

/** For a line of a log; empty outside of a trace. */
export function traceFields(span: Span | undefined = trace.getActiveSpan()): { traceId?: string } {
  const place = span?.spanContext();
  return place && isSpanContextValid(place) ? { traceId: place.traceId } : {};
}

/** Runs the work as a part of this span. */
export const within = <Result>(span: Span, work: () => Result): Result =>
  context.with(trace.setSpan(context.active(), span), work);

/** As OpenTelemetry's SDKs name it, and all their instrumentations look for it. */
const SUPPRESSED = createContextKey('OpenTelemetry SDK Context Key SUPPRESS_TRACING');

/** Runs work of which no instrumentation may make a span: its addresses are secret. */
export const untraced = <Result>(work: () => Result): Result =>
  context.with(ROOT_CONTEXT.setValue(SUPPRESSED, true), work);

/** Runs work for several requests: it is in the trace of none of them. */
export const outsideOfTraces = <Result>(work: () => Result): Result => context.with(ROOT_CONTEXT, work);
