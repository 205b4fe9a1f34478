// What `npm run bench -- telemetry` compares is what it says: the same flow through the same processes, without telemetry,
// with telemetry that is off, and with telemetry that is on; and its verdict on figures that are known. With telemetry that
// is off only in the long form: so all other tests run.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type Arm, startArm, type Telemetry } from '../../../bench/telemetry/arm.ts';
import { type Collector, startCollector } from '../../../bench/telemetry/collecting.ts';
import { verdictOn } from '../../../bench/telemetry/verdict.ts';
import { bundleWorkflows } from '../../../worker/workflow-bundle.ts';
import { productionBundle } from '../../support/bundles.ts';
import { isLongForm } from '../../support/form.ts';
import { newTaskQueue } from '../../support/temporal.ts';

// Three processes and a bundle, on two cores that other tests keep busy.
const PATIENCE_MS = 300_000;

const stack = new AsyncDisposableStack();
let collector: Collector;
let plain: string;

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lockerflow-test-'));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  collector = stack.use(await startCollector());
  plain = join(folder, 'plain.js');
  await writeFile(plain, await bundleWorkflows({ isTraced: false, mode: 'development' }));
}, PATIENCE_MS);

afterAll(() => stack.disposeAsync(), PATIENCE_MS);

const started = async (name: Telemetry): Promise<Arm> =>
  await startArm(
    name,
    {
      postgresUrl: inject('postgresUrl'),
      temporalAddress: inject('temporalAddress'),
      collectorUrl: collector.url,
      bundles: { traced: await productionBundle(), plain },
    },
    newTaskQueue(),
  );

test(
  'on: each of the three processes sends spans of the flow, and tells its metrics',
  async () => {
    {
      await using arm = await started('on');
      await arm.play();
      expect(await arm.busy()).toBeGreaterThan(0);
      const [service, receiver, worker] = await arm.scrape();
      expect(service).toMatch(/^lockerflow_service_request_duration_seconds_count\{.*Issue.*\} 1$/m);
      expect(receiver).toMatch(/^lockerflow_receiver_callback_duration_seconds_count\{.*signalled.*\} \d+$/m);
      expect(worker).toMatch(/^temporal_workflow_completed(?:_total)?\{.*"Issue".*\} 1$/m);
      // A process that stops sends what it has.
    }
    const { spans, bytes } = await collector.collected();
    expect(Object.keys(spans).sort()).toEqual([
      'lockerflow-receiver',
      'lockerflow-service',
      'lockerflow-worker',
    ]);
    expect(bytes).toBeGreaterThan(0);
  },
  PATIENCE_MS,
);

test.for(isLongForm ? (['absent', 'off'] as const) : (['absent'] as const))(
  '%s: the flow ends as well, and nobody is told of it',
  { timeout: PATIENCE_MS },
  async (name) => {
    {
      await using arm = await started(name);
      await arm.play();
      expect(await arm.scrape()).toEqual([]);
    }
    expect(await collector.collected()).toEqual({ spans: {}, bytes: 0 });
  },
);

const around = (middle: number) => Array.from({ length: 12 }, (_, index) => middle + (index - 5.5) / 1_000);

test('a goal is met by the median of the rounds, and sure when it lies outside of what they leave open', () => {
  expect(verdictOn(around(1), 0.99)).toMatchObject({ isMet: true, isSure: true });
  expect(verdictOn(around(0.991), 0.99)).toMatchObject({ isMet: true, isSure: false });
  expect(verdictOn(around(0.989), 0.99)).toMatchObject({ isMet: false, isSure: false });
  expect(verdictOn(around(0.95), 0.99)).toMatchObject({ isMet: false, isSure: true });
});

test('95 % sure is from the third to the tenth of twelve rounds; of four rounds nothing is sure', () => {
  const twelve = [12, 3, 5, 1, 9, 7, 2, 11, 4, 10, 8, 6];
  expect(verdictOn(twelve, 0)).toMatchObject({ share: 6, sure: [3, 10], half: [3, 9], isSure: true });
  expect(verdictOn([4, 2, 1, 3], 0)).toMatchObject({ sure: [1, 4], isSure: false });
});
