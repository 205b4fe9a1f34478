// What stands in the place of telemetry where a process runs without any: the same names, and nothing behind them.
import type { Span } from '@opentelemetry/api';

export const inSpan = <Result>(
  _name: string,
  _options: unknown,
  work: (span: Span) => Promise<Result>,
): Promise<Result> => work(none);
export const carrier = () => ({});
export const isRecording = () => false;
export const traceFields = () => ({});
export const startedSpan = () => none;
export const within = <Result>(_span: unknown, work: () => Result): Result => work();
export const untraced = <Result>(work: () => Result): Result => work();
export const outsideOfTraces = <Result>(work: () => Result): Result => work();
export const startTelemetry = async () => ({ stop: async () => undefined });
export const startMetrics = startTelemetry;
export const isTracing = () => false;

export const isMeasuring = () => false;
export const counter = () => () => undefined;
export const durations = counter;
export const gauges = () => undefined;

export const traceRequests = () => undefined;
export const beginSpan = () => undefined;
export const spanOf = () => undefined;
export const measureRequests = () => undefined;
// Kysely takes the time of no statement then.
export const sqlSpan = undefined;
export const statementSpan = () => undefined;

export const activityTraces = () => ({});
export const workflowTraces = {};
export const traceInterceptor = {};

const none = { setAttribute: () => none, end: () => undefined } as unknown as Span;
