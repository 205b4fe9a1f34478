// What `npm run bench -- telemetry` compares is what it says: the same flow through the same processes, without telemetry,
// with telemetry that is off, and with telemetry that is on. With telemetry that is off only in the long form: so all other
// tests run.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type Arm, startArm, type Telemetry } from '../../../../tools/bench/telemetry/arm.ts';
import { type Collector, startCollector } from '../../../../tools/bench/telemetry/collecting.ts';
import { bundleWorkflows } from '../../../../worker/workflow-bundle.ts';
import { productionBundle } from '../../../support/bundles.ts';
import { isLongSuite } from '../../../support/suite.ts';
import { newTaskQueue } from '../../../support/temporal.ts';

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

test.for(isLongSuite ? (['absent', 'off'] as const) : (['absent'] as const))(
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
