// Callbacks that come twice, late, overtaken, beside states that nobody knows, or not at all, on a real Temporal server:
// every flow comes to the same result with the same calls, keeps what it was told, and is replayed as it went. Each thing
// happens to each callback, also with a bare peer; a third of the flows in each run.
import { randomUUID } from 'node:crypto';
import { Context } from '@temporalio/activity';
import { type WorkflowHandle, WorkflowNotFoundError } from '@temporalio/client';
import type proto from '@temporalio/proto';
import { Worker } from '@temporalio/worker';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FlowActivities } from '../../activities/flow-activities.ts';
import type { Progress, ShipmentReport } from '../../contract/flows/flow-messages.ts';
import type { FlowResult } from '../../contract/flows/flow-result.ts';
import { bundleOf } from '../support/bundles.ts';
import { freshSeed } from '../support/suite.ts';
import {
  connectClient,
  newTaskQueue,
  type RunningClient,
  type RunningWorker,
  runWorker,
} from '../support/temporal.ts';
import {
  kept,
  keyOf,
  type Recorded,
  recorded,
  type Variant,
  variantsOf,
} from '../workflows/callback-variants.ts';
import { type Story, stories } from '../workflows/stories.ts';

const taskQueue = newTaskQueue();

/** What one process is answered, and what it has called. */
interface Outside {
  readonly calls: string[];
  /** Resolves when the booking's answer may come. */
  readonly answer: PromiseWithResolvers<Recorded['booked']>;
}

const outsides = new Map<string, Outside>();
const histories: { workflowId: string; history: proto.temporal.api.history.v1.IHistory }[] = [];
let connected: RunningClient;
let worker: RunningWorker;

const called = (name: keyof FlowActivities) => async () => {
  const outside = outsides.get(Context.current().info.workflowExecution?.workflowId ?? '');
  outside?.calls.push(name);
  return name === 'book' ? await outside?.answer.promise : undefined;
};

beforeAll(async () => {
  connected = await connectClient();
  const names = ['book', 'undo', 'changeReceiver', 'parkReports'] as const;
  const activities = Object.fromEntries(names.map((name) => [name, called(name)]));
  worker = await runWorker({ taskQueue, activities });
}, 180_000);
afterAll(async () => {
  await worker.stop();
  await connected.close();
});

/** False: the process had ended by then. */
async function isTaken(handle: WorkflowHandle, report: ShipmentReport): Promise<boolean> {
  try {
    await handle.signal('shipmentStatus', report);
    return true;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
}

async function played({ flow }: Story, { request, booked }: Recorded, { reports, early }: Variant) {
  const workflowId = `${flow}-${randomUUID()}`;
  const outside: Outside = { calls: [], answer: Promise.withResolvers() };
  outsides.set(workflowId, outside);
  const handle = await connected.client.workflow.start(flow, { taskQueue, workflowId, args: [{ request }] });
  const told: ShipmentReport[] = [];
  for (const [index, report] of reports.entries()) {
    if (index === early) outside.answer.resolve(booked);
    if (await isTaken(handle, report)) told.push(report);
  }
  outside.answer.resolve(booked);
  const result = (await handle.result()) as FlowResult;
  const { ledger } = await handle.query<Progress>('progress');
  histories.push({ workflowId, history: await handle.fetchHistory() });
  return { result, calls: outside.calls, told: new Set(told.map(keyOf)), ledger: new Set(kept(ledger)) };
}

const peers = [{ isBare: false }, { isBare: true }];
/** A third of the stories, from the seed's on. */
const tried = stories.filter((_, index) => (index + freshSeed) % 3 === 0);

describe.each(peers)('with a peer that is bare: $isBare', ({ isBare }) => {
  test.concurrent.each(tried)(
    '$flow ends the same for every order and repetition of its callbacks',
    async (story) => {
      const record = await recorded(story, isBare);
      const [asItIs, ...others] = variantsOf(record);
      if (!asItIs) throw new TypeError('there is no variant');
      const first = await played(story, record, asItIs);
      expect(first).toMatchObject({ result: { outcome: 'Done' }, calls: ['book'] });
      await Promise.all(
        others.map(async (variant) => {
          const run = await played(story, record, variant);
          const name = `${variant.kind} ${variant.index}`;
          expect({ name, result: run.result, calls: run.calls }).toEqual({
            name,
            result: first.result,
            calls: first.calls,
          });
          expect(run.ledger, name).toEqual(run.told);
        }),
      );
    },
    120_000,
  );
});

test('all of them are replayed as they went', { timeout: 120_000 }, async () => {
  const replayed = Worker.runReplayHistories({ workflowBundle: await bundleOf() }, histories);
  let count = 0;
  for await (const { workflowId, error } of replayed) {
    expect(error, workflowId).toBeUndefined();
    count++;
  }
  expect(count).toBe(histories.length);
  expect(count).toBeGreaterThanOrEqual(tried.length * 6);
});
