// Tracing is off unless OpenTelemetry's own variables ask for it; then nothing of a request or a message changes.
import { describe, expect, test } from 'vitest';
import { carrier, inSpan, isRecording, traceFields } from '../../../shared/telemetry/spans.ts';
import { isTracing, startTelemetry, tracingRequested } from '../../../shared/telemetry/telemetry.ts';
import { traceIn, withTrace } from '../../../shared/telemetry/temporal/trace-header.ts';

const ENDPOINT = 'http://127.0.0.1:4318';

test.each([
  [{}, false],
  [{ OTEL_SERVICE_NAME: 'ours' }, false],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: '' }, false],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: ENDPOINT }, true],
  [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: ENDPOINT }, true],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: ENDPOINT, OTEL_SDK_DISABLED: 'true' }, false],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: ENDPOINT, OTEL_TRACES_EXPORTER: 'none' }, false],
])('with %j a process is traced: %s', (variables, wanted) => {
  expect(tracingRequested(variables)).toBe(wanted);
});

describe('while it is off', () => {
  test('no SDK is loaded, no span is recorded, and no message carries a place in a trace', async () => {
    await startTelemetry('worker', {});
    expect(isTracing()).toBe(false);
    await inSpan('work', {}, async () => {
      expect(isRecording()).toBe(false);
      expect(carrier()).toEqual({});
      expect(traceFields()).toEqual({});
    });
    const headers = {};
    expect(withTrace(headers, carrier())).toBe(headers);
    expect(traceIn(headers)).toBeUndefined();
  });

  test('work within a span fails with its own error', async () => {
    const failure = new Error('no disk');
    await expect(inSpan('work', {}, () => Promise.reject(failure))).rejects.toBe(failure);
  });
});
