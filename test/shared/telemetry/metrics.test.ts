// What service, receiver, worker, console and Temporal tell Prometheus: real processes play a loan and what goes wrong at night; what
// they tell is read by Prometheus' own library. The dashboard and the alerts ask for nothing that they do not tell.
import { metrics } from '@opentelemetry/api';
import { expect, onTestFinished, test } from 'vitest';
import { searchAttributes } from '../../../contract/flows/search-attributes.ts';
import { examples } from '../../../contract/operations/examples.ts';
import { freePort } from '../../../local/ports.ts';
import { startTemporalServer } from '../../../local/temporal/server.ts';
import { isMeasuring } from '../../../shared/telemetry/metrics.ts';
import { startMetrics } from '../../../shared/telemetry/telemetry.ts';
import { withDatabase } from '../../support/database.ts';
import { type Python, pythonWith } from '../../support/python/python.ts';
import { temporaryFolder } from '../../support/set-up-process.ts';
import { newTaskQueue } from '../../support/temporal.ts';
import { newWall } from '../../support/walls/new-wall.ts';
import { TestWall } from '../../support/walls/test-wall.ts';
import { alerts, dashboardExpressions } from './expressions.ts';
import {
  type LoanProcesses,
  loan,
  PATIENCE_MS,
  type Surroundings,
  startLoanProcesses,
  unansweredQuestion,
} from './loan.ts';
import { metricsIn } from './promql.ts';
import { type Sample, type Scrape, scrapedUntil, scraper, sumOf } from './scrape.ts';

const REQUESTS = 'lockerflow_service_request_duration_seconds';
const DELIVERIES = 'lockerflow_callback_delivery_duration_seconds';
const RECEIVED = 'lockerflow_receiver_callback_duration_seconds';
// Prometheus' own, and what is told only after a failure of a flow; test/docs/settings.test.ts holds the SDK's names.
const NOT_TOLD_HERE = /^(?:up|temporal_\w+)$/;
const LABELS_OF_PROMETHEUS = ['job', 'instance', 'le'];

interface Scene extends LoanProcesses {
  readonly scrape: Scrape;
  readonly surroundings: Surroundings;
  readonly at: Readonly<Record<'service' | 'receiver' | 'worker' | 'console' | 'temporal', string>>;
}

async function withScene(python: Python, play: (scene: Scene) => Promise<void>): Promise<void> {
  const free = async () => `127.0.0.1:${await freePort()}`;
  const [service, receiver, worker] = [await free(), await free(), await free()];
  const at = { service, receiver, worker, console: await free(), temporal: await free() };
  const temporal = await startTemporalServer({
    searchAttributes,
    metricsPort: Number(at.temporal.split(':')[1]),
  });
  onTestFinished(() => temporal.stop());
  await withDatabase(async ({ url }) => {
    const surroundings = {
      databaseUrl: url,
      temporalAddress: temporal.address,
      taskQueue: newTaskQueue(),
      folder: await temporaryFolder(),
    };
    const processes = await startLoanProcesses(surroundings, {
      service: { SERVICE_METRICS_ADDRESS: at.service },
      receiver: { CALLBACK_METRICS_ADDRESS: at.receiver },
      worker: { WORKER_METRICS_ADDRESS: at.worker },
      console: { CONSOLE_METRICS_ADDRESS: at.console },
    });
    await play({ ...processes, scrape: scraper(python), surroundings, at });
  });
}

test('a night at the lockers is told to Prometheus as it was, and the dashboard and the alerts ask for what is told', {
  tags: 'long',
  timeout: 10 * PATIENCE_MS,
}, async ({ skip }) => {
  const python = await pythonWith('prometheus_client');
  if (typeof python === 'string') return skip(python);
  await withScene(python, async (scene) => {
    await aLoan(scene);
    await refusals(scene);
    await wall(scene);
    await whatWaitsForPeople(scene);
    const received = await aReceiverThatIsDown(scene);
    await everyQuestionIsAnswered(scene, received);
  });
});
// A dozen processes start, one after another.

async function aLoan({ call, surroundings, scrape, at }: Scene): Promise<void> {
  await loan(call, surroundings, 'a measured loan');
  const opened = { operation: 'UnlockShipmentLocker', status: '200' };
  const areCounted = (samples: readonly Sample[]) =>
    sumOf(samples, `${DELIVERIES}_count`, { outcome: 'accepted' }) === 2 &&
    sumOf(samples, `${REQUESTS}_count`, opened) === 2;
  const service = await scrapedUntil(scrape, at.service, areCounted);
  expect(sumOf(service, `${REQUESTS}_bucket`, { ...opened, le: '+Inf' })).toBe(2);
  expect(sumOf(service, `${REQUESTS}_sum`, opened)).toBeGreaterThan(0);
  expect(sumOf(service, 'lockerflow_doors_total', { outcome: 'Opened' })).toBe(2);
  expect(sumOf(service, 'lockerflow_database_answers')).toBe(1);
  expect(sumOf(service, 'lockerflow_database_connections_limit')).toBe(20);
  expect(sumOf(service, 'lockerflow_database_connections')).toBeGreaterThan(0);
  expect(sumOf(service, 'lockerflow_database_waiting_requests')).toBe(0);
  expect(sumOf(service, 'lockerflow_callback_receivers_down')).toBe(0);
  // It counts a callback after its answer, which the service may have by then.
  const signalled = (samples: readonly Sample[]) =>
    sumOf(samples, `${RECEIVED}_count`, { became: 'signalled' }) === 2;
  const receiver = await scrapedUntil(scrape, at.receiver, signalled);
  for (const samples of [service, receiver]) {
    expect(sumOf(samples, 'process_resident_memory_bytes')).toBeGreaterThan(10_000_000);
    expect(sumOf(samples, 'process_cpu_seconds_total')).toBeGreaterThan(0);
    expect(sumOf(samples, 'nodejs_eventloop_lag_p99_seconds')).toBeGreaterThanOrEqual(0);
  }
}

async function refusals({ call, address, scrape, at }: Scene): Promise<void> {
  const tooLarge = { width: 900, height: 900, length: 900 };
  const { request } = examples.CreateLocalShipmentAsIssue;
  await call('CreateLocalShipmentAsIssue', { ...request, dimension: tooLarge });
  for (const path of ['/unknown', '/v1/unknown']) await fetch(address + path);
  const refused = { operation: 'CreateLocalShipmentAsIssue', error: 'NoFittingLocker' };
  // Whatever is asked for, it is one label. A request is counted after its answer.
  const unknown = { operation: 'unknown', status: '404' };
  const samples = await scrapedUntil(
    scrape,
    at.service,
    (each) => sumOf(each, `${REQUESTS}_count`, unknown) === 2,
  );
  expect(sumOf(samples, 'lockerflow_service_refusals_total', refused)).toBe(1);
  expect(JSON.stringify(samples)).not.toMatch(/\/unknown|demo|@|[0-9a-f]{8}-[0-9a-f]{4}/);
}

async function wall({ address, surroundings, scrape, at, call }: Scene): Promise<void> {
  const credentials = await newWall(surroundings.databaseUrl, 'demo', 'pup-central');
  const walls = (state: string) => (samples: readonly Sample[]) =>
    sumOf(samples, 'lockerflow_walls', { state }) === 1;
  await scrapedUntil(scrape, at.service, walls('away'));
  const connected = await TestWall.connected({ ...credentials, address });
  await scrapedUntil(scrape, at.service, walls('connected'));
  const { request } = examples.CreateLocalShipment;
  const booked = await call('CreateLocalShipment', request);
  const { shipmentUid } = booked.body;
  await call('UnlockShipmentLocker', { shipmentUid, unlockGoal: 'DropOff' });
  const opened = { outcome: 'Opened', meaning: 'Next' };
  await scrapedUntil(scrape, at.service, (samples) => sumOf(samples, 'lockerflow_doors_total', opened) === 1);
  connected.cut();
  await scrapedUntil(scrape, at.service, walls('away'));
}

/** Gives what it told before it ended. */
async function aReceiverThatIsDown({ stopReceiver, call, scrape, at }: Scene): Promise<Sample[]> {
  // A callback of a booking that no flow waits for.
  const received = await scrapedUntil(scrape, at.receiver, (each) =>
    Boolean(sumOf(each, `${RECEIVED}_count`, { became: 'unmatched' })),
  );
  await stopReceiver();
  const { request } = examples.CreateLocalShipment;
  const { body } = await call('CreateLocalShipment', request);
  await call('CancelShipment', { shipmentUid: body.shipmentUid });
  const samples = await scrapedUntil(
    scrape,
    at.service,
    (each) => sumOf(each, 'lockerflow_callback_receivers_down') === 1,
  );
  expect(sumOf(samples, `${DELIVERIES}_count`, { outcome: 'failed' })).toBeGreaterThan(0);
  expect(sumOf(samples, 'lockerflow_callback_shipments')).toBe(1);
  expect(sumOf(samples, 'lockerflow_callback_oldest_seconds')).toBeGreaterThan(0);
  return received;
}

async function whatWaitsForPeople({ surroundings, scrape, at }: Scene): Promise<void> {
  await unansweredQuestion(surroundings);
  const isAsked = (samples: readonly Sample[]) =>
    sumOf(samples, 'lockerflow_questions', { inbox: 'desk' }) === 1;
  const samples = await scrapedUntil(scrape, at.console, isAsked);
  expect(sumOf(samples, 'lockerflow_work_is_read')).toBe(1);
  expect(sumOf(samples, 'lockerflow_work_entries', { kind: 'question' })).toBe(1);
  expect(sumOf(samples, 'lockerflow_cases', { state: 'waits_for_answer' })).toBe(1);
}

async function everyQuestionIsAnswered({ scrape, at }: Scene, received: readonly Sample[]): Promise<void> {
  const told = new Map<string, Set<string>>();
  const scraped = [await scrape(at.service), await scrape(at.console), await scrape(at.temporal)];
  for (const { name, labels } of [...scraped.flat(), ...received])
    told.set(name, new Set([...(told.get(name) ?? []), ...Object.keys(labels)]));
  const missing = (await expressions()).flatMap((expression) =>
    metricsIn(expression)
      .filter(({ name }) => !NOT_TOLD_HERE.test(name))
      .flatMap(({ name, labels }) => {
        const known = told.get(name);
        if (!known) return [`${name} is not told: ${expression}`];
        return labels
          .filter((label) => !known.has(label) && !LABELS_OF_PROMETHEUS.includes(label))
          .map((label) => `${name} has no label ${label}: ${expression}`);
      }),
  );
  expect(missing).toEqual([]);
}

async function expressions(): Promise<string[]> {
  const ofPanels = await dashboardExpressions();
  const ofAlerts = (await alerts()).map(({ expr }) => expr);
  expect([ofPanels.length > 20, ofAlerts.length > 5]).toEqual([true, true]);
  return [...ofPanels, ...ofAlerts];
}

test('an expression that is not PromQL, or asks for nothing, is found', () => {
  expect(metricsIn('sum by (state) (rate(a_total{error=~"x|y"}[$__rate_interval])) / b')).toEqual([
    { name: 'a_total', labels: ['error', 'state'] },
    { name: 'b', labels: ['state'] },
  ]);
  expect(() => metricsIn('sum by (state) (rate(a_total[5m])')).toThrow('not PromQL');
  expect(() => metricsIn('1 + 1')).toThrow('no metric');
});

test('without an address nothing is measured, no SDK is loaded, and no port is opened', async () => {
  const before = process.getActiveResourcesInfo().filter((name) => name.includes('Server')).length;
  await startMetrics('SERVICE_METRICS_ADDRESS', undefined);
  expect(isMeasuring()).toBe(false);
  expect(metrics.getMeterProvider().constructor.name).toBe('NoopMeterProvider');
  const after = process.getActiveResourcesInfo().filter((name) => name.includes('Server')).length;
  expect(after).toBe(before);
});

test('a port that is taken ends the start with its setting', async () => {
  const port = await freePort();
  const first = await startMetrics('X', `127.0.0.1:${port}`);
  await expect(startMetrics('X', `127.0.0.1:${port}`)).rejects.toThrow(
    `Port ${port} is in use: end the program that uses it, or set X to another`,
  );
  await first.stop();
});
