// One loan is one trace: from the caller's start through workflow, activity, request, SQL, callback, receiver and signal to the
// end. The real processes, each on its own, send their spans to a collector. With SCREENSHOTS=docs it draws the docs' picture.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { expect, inject, onTestFinished, test, vi } from 'vitest';
import { LockerFlows } from '../../client/locker-flows.ts';
import { examples } from '../../contract/operations/examples.ts';
import { freePort } from '../../local/ports.ts';
import { newKeyLine } from '../../settings/key-ring.ts';
import { inSpan } from '../../telemetry/spans.ts';
import { startTelemetry } from '../../telemetry/telemetry.ts';
import { traceInterceptor } from '../../telemetry/temporal/client-interceptor.ts';
import { startNodeProcess } from '../chaos/node-process.ts';
import { productionBundle } from '../support/bundles.ts';
import { callerAs } from '../support/caller.ts';
import { withDatabase } from '../support/database.ts';
import { temporaryFolder } from '../support/set-up-process.ts';
import { newTaskQueue } from '../support/temporal.ts';
import { type CollectedSpan, startCollector } from './collector.ts';
import { picture } from './picture.ts';

const PATIENCE_MS = 120_000;
const CALLBACK_KEY = 'whsec_dGhlIGtleSBvZiBhbGwgdGhhdCB0aGVyZSBpcyEhIQ==';
const KEY = 'a loan in one trace';

/** Service, receiver and worker as processes, with tracing on; gives the service's address. */
async function startAll(databaseUrl: string, folder: string, collector: string, taskQueue: string) {
  const [service, receiver, worker] = [await freePort(), await freePort(), await freePort()];
  const address = `http://127.0.0.1:${service}`;
  const traced = { OTEL_EXPORTER_OTLP_ENDPOINT: collector, OTEL_BSP_SCHEDULE_DELAY: '100' };
  const orchestrator = {
    ...traced,
    TEMPORAL_ADDRESS: inject('temporalAddress'),
    LOCKERFLOW_TASK_QUEUE: taskQueue,
    LOCKER_API_URL: address,
    LOCKER_AUTH_URL: address,
    LOCKER_CLIENT_ID: 'demo',
    LOCKER_CLIENT_SECRET: 'demo-secret',
    LOCKER_CAPABILITIES: 'getShipments,idempotencyKey,accessCodes',
    LOCKER_CALLBACK_KEY: CALLBACK_KEY,
  };
  const start = async (name: string, entry: string, variables: Record<string, string>) => {
    const running = await startNodeProcess({ name, entry, upLine: `${name} started`, folder, variables });
    onTestFinished(() => running.kill());
  };
  await start('service', 'service/main.ts', {
    ...traced,
    DATABASE_URL: databaseUrl,
    SERVICE_MODE: 'staging',
    SERVICE_PORT: String(service),
    SERVICE_ENCRYPTION_KEY: newKeyLine(),
  });
  await start('receiver', 'client/receiver/main.ts', { ...orchestrator, CALLBACK_PORT: String(receiver) });
  await start('worker', 'worker/main.ts', {
    ...orchestrator,
    WORKER_PORT: String(worker),
    WORKER_WORKFLOW_BUNDLE: await productionBundle(),
  });
  const call = await callerAs(address);
  const url = `http://127.0.0.1:${receiver}/callbacks`;
  await call('ConfigureCallback', { url, authType: 'HMAC', authKey: CALLBACK_KEY });
  return call;
}

/** Starts a loan within a span, and plays the people; gives the trace's id. */
async function loan(call: Awaited<ReturnType<typeof callerAs>>, taskQueue: string): Promise<string> {
  const connection = await Connection.connect({ address: inject('temporalAddress') });
  onTestFinished(() => connection.close());
  const client = new Client({ connection, interceptors: { workflow: [traceInterceptor] } });
  const flows = new LockerFlows(client, { taskQueue });
  return await inSpan('loan', {}, async (span) => {
    const request = { ...examples.CreateLocalShipmentAsIssue.request, allowLargerLockers: true };
    const flow = await flows.start('Issue', KEY, { request });
    const uid = async () => (await flow.progress()).shipments.issue?.shipmentUid;
    const shipmentUid = await vi.waitUntil(uid, { timeout: PATIENCE_MS });
    for (const unlockGoal of ['DropOff', 'PickUp'])
      expect((await call('UnlockShipmentLocker', { shipmentUid, unlockGoal })).body.success).toBe(true);
    expect(await flow.result()).toMatchObject({ outcome: 'Done' });
    return span.spanContext().traceId;
  });
}

// What each process must have told, in the order of a loan.
const TOLD = [
  ['caller', 'StartWorkflow:Issue'],
  ['worker', 'RunWorkflow:Issue'],
  ['worker', 'RunActivity:book'],
  ['worker', 'POST /v1/Logistics/CreateLocalShipmentAsIssue'],
  ['service', 'POST /v1/Logistics/CreateLocalShipmentAsIssue'],
  ['service', 'SQL select'],
  ['service', 'callback ReadyForPickup'],
  ['service', 'POST /callbacks'],
  ['receiver', 'callback'],
  ['receiver', 'SignalWorkflow:shipmentStatus'],
  ['worker', 'HandleSignal:shipmentStatus'],
  ['service', 'callback Completed'],
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
      const traceId = await loan(await startAll(url, folder, collector.url, taskQueue), taskQueue);
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
      for (const part of ['service', 'receiver', 'worker'])
        expect(await readFile(join(folder, `${part}.log`), 'utf8')).toContain(`"traceId":"${traceId}"`);
      if (process.env.SCREENSHOTS === 'docs')
        await writeFile(join(import.meta.dirname, '../../docs/trace-of-a-loan.svg'), picture(trace()));
    });
  },
  3 * PATIENCE_MS,
);

/** The names of those whose parent is not there. */
function orphans(spans: readonly CollectedSpan[]): string[] {
  const ids = new Set(spans.map(({ spanId }) => spanId));
  return spans.filter(({ parentSpanId }) => !parentSpanId || !ids.has(parentSpanId)).map(({ name }) => name);
}
