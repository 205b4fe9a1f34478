// One loan is one trace: from the caller's start through workflow, activity, request, SQL, callback, receiver and signal to the
// end. The real processes, each on its own, send their spans to a collector.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, inject, onTestFinished, test, vi } from 'vitest';
import { inSpan } from '../../../../shared/telemetry/spans.ts';
import { startTelemetry } from '../../../../shared/telemetry/telemetry.ts';
import { type CollectedSpan, startCollector } from '../../../shared/telemetry/collector.ts';
import { loan, PATIENCE_MS, startLoanProcesses } from '../../../shared/telemetry/loan.ts';
import { withDatabase } from '../../../support/database.ts';
import { temporaryFolder } from '../../../support/set-up-process.ts';
import { newTaskQueue } from '../../../support/temporal.ts';

const KEY = 'a loan in one trace';

// What each process must have told, in the order of a loan.
const TOLD = [
  ['caller', 'StartWorkflow:Issue'],
  ['worker', 'RunWorkflow:Issue'],
  ['worker', 'RunActivity:book'],
  ['worker', 'POST /v1/Logistics/CreateLocalShipmentAsIssue'],
  ['service', 'POST /v1/Logistics/CreateLocalShipmentAsIssue'],
  ['service', 'SQL select'],
  ['service', 'callback ReadyForPickup'],
  ['receiver', 'callback'],
  ['receiver', 'SignalWorkflow:shipmentStatus'],
  ['worker', 'HandleSignal:shipmentStatus'],
  ['service', 'callback Completed'],
] as const;

// The lines of the logs by which an operator follows a loan.
const LOGGED = [
  ['service', 'answered'],
  ['service', 'callback accepted'],
  ['receiver', 'callback'],
  ['worker', 'booked'],
] as const;

test(
  'a loan is one trace from its start to the door, through every process; its log lines carry the trace id',
  async () => {
    await using collector = await startCollector();
    vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', collector.url);
    const telemetry = await startTelemetry('caller', process.env);
    onTestFinished(() => telemetry.stop());
    const folder = await temporaryFolder();
    const taskQueue = newTaskQueue();
    await withDatabase(async ({ url }) => {
      const surroundings = {
        databaseUrl: url,
        temporalAddress: inject('temporalAddress'),
        taskQueue,
        folder,
      };
      const traced = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: '100' };
      const telemetryOf = { service: traced, receiver: traced, worker: traced };
      const { call } = await startLoanProcesses(surroundings, telemetryOf);
      const traceId = await inSpan('loan', {}, async (span) => {
        await loan(call, surroundings, KEY);
        return span.spanContext().traceId;
      });
      await telemetry.stop();
      const trace = () => collector.spans.filter((span) => span.traceId === traceId);
      const missing = () =>
        TOLD.filter(
          ([part, name]) =>
            !trace().some((span) => span.process === `lockerflow-${part}` && span.name === name),
        );
      await vi.waitUntil(() => missing().length === 0, { timeout: PATIENCE_MS }).catch(() => undefined);
      expect(missing()).toEqual([]);
      // Whole: each span but the first has its parent in the trace.
      expect(orphans(trace())).toEqual(['loan']);
      // No codes, and nothing of people, in what is told.
      expect(JSON.stringify(trace().map(({ name, attributes }) => [name, attributes]))).not.toMatch(
        /@example|pinCode":"\d/,
      );
      // A tenant's address may be a secret.
      expect(JSON.stringify(collector.spans)).not.toContain('/callbacks');
      for (const [part, message] of LOGGED) {
        const lines = (await readFile(join(folder, `${part}.log`), 'utf8')).split('\n');
        const ofTrace = lines.filter((line) => line.includes(`"traceId":"${traceId}"`));
        expect(
          ofTrace.some((line) => line.includes(`"msg":"${message}"`)),
          `${part}: ${message}`,
        ).toBe(true);
      }
    });
  },
  3 * PATIENCE_MS,
);

/** The names of those whose parent is not there. */
function orphans(spans: readonly CollectedSpan[]): string[] {
  const ids = new Set(spans.map(({ spanId }) => spanId));
  return spans.filter(({ parentSpanId }) => !parentSpanId || !ids.has(parentSpanId)).map(({ name }) => name);
}
