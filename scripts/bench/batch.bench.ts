// Processes per second that a batch acts on, against bare signals by the Temporal client to the same kind of processes (goal: at
// least half of them). One worker runs all of it. The commands ask more of a process than a signal: whether it runs, and for an
// extension which deadline ends first, and its answer.
//   npm run bench -- batch --rounds 3 --processes 4000
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { isGrpcDeadlineError, type WorkflowHandle } from '@temporalio/client';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { fetchFlowDefinition } from '../../activities/flow-files/fetch-flow-definition.ts';
import { publishFiles } from '../../client/flow-files/publish.ts';
import { LockerFlows } from '../../client/locker-flows.ts';
import { batchActivities } from '../../processes/batches/batch-activities.ts';
import { readBatch } from '../../processes/batches/read-batches.ts';
import { startBatch } from '../../processes/batches/start-batch.ts';
import { bulkRate } from '../../processes/bulk.ts';
import { bundleWorkflows } from '../../worker/workflow-bundle.ts';
import {
  alternateRounds,
  integerOptions,
  logProgress,
  median,
  medianRatio,
  printTable,
  runConcurrently,
} from './measure.ts';
import { newFolder } from './programs.ts';
import { startDevelopmentServer } from './temporal-servers.ts';

const { rounds, processes: PROCESSES } = integerOptions({ rounds: 3, processes: 4_000 });
/** So many are enough to warm a worker. */
const WARM_UP = Math.min(PROCESSES, 400);
// As many as a batch asks at a time.
const AT_ONCE = 16;
const FLOW = 'Lending';
const taskQueue = 'batches';

Runtime.install({ logger: new DefaultLogger('ERROR') });
const server = await startDevelopmentServer(await newFolder());
await using stack = new AsyncDisposableStack();
stack.use(server);
const { client } = server;
const connection = await NativeConnection.connect({ address: server.address });
stack.defer(() => connection.close());
const worker = await Worker.create({
  connection,
  taskQueue,
  workflowBundle: { code: await bundleWorkflows() },
  activities: { ...batchActivities(), fetchFlowDefinition },
});
const working = worker.run();
stack.defer(async () => {
  worker.shutdown();
  await working;
});
const text = JSON.stringify({
  name: FLOW,
  meaning: 'Lends something.',
  initial: 'lent',
  states: { lent: { after: { P10D: 'over' }, on: { back: 'over' } }, over: { type: 'final' } },
});
await publishFiles(client, [{ path: 'lending.flow.yaml', text }], taskQueue);

/** The worker has taken it; while thousands begin, it may not have the time for a question. */
async function untilAnswered(handle: WorkflowHandle): Promise<void> {
  for (let tries = 1; ; tries++)
    try {
      return void (await handle.query('progress'));
    } catch (error) {
      if (tries === 10 || !isGrpcDeadlineError(error)) throw error;
    }
}

async function begun(count: number): Promise<string[]> {
  const keys = Array.from({ length: count }, () => `loan-${randomUUID()}`);
  await runConcurrently(AT_ONCE, keys, async (workflowId) => {
    const handle = await client.workflow.start(FLOW, { taskQueue, workflowId, args: [{}] });
    await untilAnswered(handle);
  });
  return keys;
}

/** Until the worker has taken the last one: a batch, too, waits for what the processes make of it. */
const signal = async (keys: readonly string[]) => {
  await runConcurrently(AT_ONCE, keys, (key) =>
    client.workflow.getHandle(key).signal('event', { type: 'look', id: randomUUID() }),
  );
  await untilAnswered(client.workflow.getHandle(keys.at(-1) ?? ''));
};

const batchOf = (command: string, fields: object) => async (keys: readonly string[]) => {
  const commandContext = {
    client,
    taskQueue,
    flows: new LockerFlows(client, { taskQueue }),
    by: 'bench',
    why: 'a bench',
  };
  const id = await startBatch(commandContext, {
    command,
    fields: { ...fields },
    keys,
    rate: bulkRate.mostOfBatch,
  });
  for (;;) {
    const { closedAt, status } = await readBatch(commandContext, id);
    if (closedAt !== null && status?.done === keys.length) return;
    if (closedAt !== null) throw new Error(JSON.stringify(status));
    await delay(100);
  }
};

const kinds = {
  'bare signals': signal,
  cancel: batchOf('cancel', {}),
  extend: batchOf('extend', { next: true, extendBy: 'P1D' }),
} as const;
type Kind = keyof typeof kinds;

async function rateOf(kind: Kind, count: number): Promise<number> {
  const keys = await begun(count);
  const began = performance.now();
  await kinds[kind](keys);
  const rate = (count * 1_000) / (performance.now() - began);
  await runConcurrently(AT_ONCE, keys, (key) =>
    client.workflow
      .getHandle(key)
      .terminate()
      .catch(() => undefined),
  );
  logProgress(`${kind}: ${Math.round(rate)} of ${count} processes a second`);
  return rate;
}

const names = Object.keys(kinds) as Kind[];
for (const kind of names) await rateOf(kind, WARM_UP);
const all = await alternateRounds(names, { rounds, warmUps: 0 }, (kind) => rateOf(kind, PROCESSES));
const bare = all.get('bare signals') ?? [];
printTable(
  [...all].map(([kind, rates]) => ({
    kind,
    'processes/s': median(rates),
    'of bare signals': kind === 'bare signals' ? Number.NaN : medianRatio(rates, bare),
  })),
);
