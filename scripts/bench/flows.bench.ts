// Flows that the engine runs, the built-in Issue and a flow file with a question, against the same written by hand
// (flows-by-hand.ts): the file once as any SDK starts it, when its process fetches it, and once as lockerflow does, whose starts
// bring it. Flows per second (goal: at least 0.95 of it), processor time per flow (goal: at most 1.2 of it), start to
// booked (1.15), memory of each cached workflow (1.1), replays per second (0.9). The floor has no queries, search attributes,
// details and tasks in an inbox: what these cost is the engine's.
//   npm run bench -- flows --rounds 14 --flows 200 --open 100 --replays 400
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { WorkflowHandle } from '@temporalio/client';
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker';
import { nodeOptions } from '../../worker/node-options.ts';
import { bundleWorkflows } from '../../worker/workflow-bundle.ts';
import { checkedIssue } from './checked-issue.ts';
import { heapInUse, tellsHeap } from './heap-in-use.ts';
import {
  alternateRounds,
  integerOptions,
  median,
  medianRatio,
  printTable,
  runConcurrently,
} from './measure.ts';
import { newFolder, startOwn } from './programs.ts';
import { machineNow } from './reached.ts';
import { startDevelopmentServer } from './temporal-servers.ts';
import { usedBy } from './used.ts';

// A tenth of what one round says is the machine's: the median of so many is not.
const { rounds, flows, open, replays } = integerOptions({ rounds: 14, flows: 200, open: 100, replays: 400 });
const LANES = 40;

const flowNames = ['Issue', 'CheckedIssue'] as const;
type FlowName = (typeof flowNames)[number];

const paths = {
  'by hand': join(import.meta.dirname, 'flows-by-hand.ts'),
  engine: join(import.meta.dirname, '../../workflows/index.ts'),
} as const;
interface Kind extends Awaited<ReturnType<typeof start>> {
  readonly flow: FlowName;
  /** As lockerflow starts it. */
  readonly bringsFile?: true;
}

const folder = await newFolder();
await using server = await startDevelopmentServer(folder);
const { workflow } = server.client;
await using stack = new AsyncDisposableStack();
const byHand = await start('by hand');
const engine = await start('engine');

async function start(name: keyof typeof paths) {
  const code = await bundleWorkflows({ workflowsPath: paths[name], preloadModules: [paths[name]] });
  const bundle = join(folder, `${name.replace(' ', '-')}.js`);
  await writeFile(bundle, code);
  const args = ['scripts/bench/temporal-worker.ts', 'issue', server.address, name, bundle];
  return {
    name,
    code,
    worker: stack.use(await startOwn(args, { nodeOptions: [...nodeOptions, tellsHeap] })),
  };
}

async function begin({ flow, name, worker, bringsFile }: Kind) {
  const shipmentUid = randomUUID();
  const booked = worker.reached(shipmentUid);
  const begunAt = machineNow();
  const input = { request: { shipmentUid } };
  const args = bringsFile ? [input, undefined, checkedIssue] : [input];
  const options = { taskQueue: name, workflowId: randomUUID(), args };
  const handle = await workflow.start(flow, options);
  if (flow === 'CheckedIssue')
    await handle.executeUpdate('answer', { args: [{ by: 'anna', values: { isWhole: true } }] });
  return { handle, shipmentUid, bookedAfter: booked.then((at) => at - begunAt) };
}

/** @param before each report */
async function toItsEnd(kind: Kind, before = async (_: WorkflowHandle): Promise<void> => undefined) {
  const { handle, shipmentUid, bookedAfter } = await begin(kind);
  for (const stateCode of ['ReadyForPickup', 'Completed']) {
    await before(handle);
    const now = new Date().toISOString();
    const report = { shipmentUid, stateCode, stateStart: now, receivedAt: now, source: 'callback' };
    await handle.signal('shipmentStatus', report);
  }
  await handle.result();
  return { workflowId: handle.workflowId, bookedAfter: await bookedAfter };
}

async function round(kind: Kind) {
  const before = await usedBy(kind.worker.processId);
  const bookedAfter: number[] = [];
  const { perSecond } = await runConcurrently(LANES, new Array(flows).fill(kind), async () => {
    bookedAfter.push((await toItsEnd(kind)).bookedAfter);
  });
  const after = await usedBy(kind.worker.processId);
  return { perSecond, bookedAfter, processorMs: (after.processorMs - before.processorMs) / flows };
}

/**
 * Bytes in the heap of each workflow that waits in the cache: what one more takes. What the first of them take is their code's, too, so
 * they do not count.
 */
async function bytesPerOpen(kind: Kind): Promise<number> {
  const ofEach: number[] = [];
  for (let batch = 0, before = Number.NaN; batch < 5; batch++) {
    await runConcurrently(LANES, new Array(open).fill(kind), async () => {
      const { handle, bookedAfter } = await begin(kind);
      await bookedAfter;
      await atRest(handle);
    });
    const after = await heapInUse(kind.worker.child);
    if (batch > 0) ofEach.push((after - before) / open);
    before = after;
  }
  return median(ofEach);
}

/** A worker has done all that there is to do. */
async function atRest(handle: WorkflowHandle): Promise<void> {
  const isAtRest = async () => {
    const { raw } = await handle.describe();
    return !raw.pendingWorkflowTask && (raw.pendingActivities ?? []).length === 0;
  };
  while (!(await isAtRest())) await delay(5);
}

/**
 * Replays one history again and again, as a replay test does. Each report has a task of its own: where two come together, the history
 * takes fewer calls into the sandbox, and who has that luck is not the faster one.
 */
async function replaysPerSecond(kind: Kind): Promise<number> {
  const { workflowId } = await toItsEnd(kind, atRest);
  const history = await workflow.getHandle(workflowId).fetchHistory();
  const copies = new Array(replays).fill({ workflowId, history });
  const startedAt = performance.now();
  for await (const { error } of Worker.runReplayHistories({ workflowBundle: { code: kind.code } }, copies))
    if (error) throw error;
  return (replays / (performance.now() - startedAt)) * 1_000;
}

async function compare(flow: FlowName): Promise<Record<string, string | number>[]> {
  const floorKind: Kind = { ...byHand, flow };
  const kinds: Kind[] = [floorKind, { ...engine, flow }];
  if (flow === 'CheckedIssue') kinds.push({ ...engine, flow, bringsFile: true });
  const all = await alternateRounds(kinds, { rounds }, round);
  const memory = new Map<Kind, number>();
  for (const kind of kinds) memory.set(kind, await bytesPerOpen(kind));
  const options = { rounds: Math.min(rounds, 6), warmUps: 0 };
  const replayed = await alternateRounds(kinds, options, replaysPerSecond);
  return kinds.map((kind) => {
    const own = all.get(kind) ?? [];
    const floor = all.get(floorKind) ?? [];
    const speeds = (rounds = own) => rounds.map(({ perSecond }) => perSecond);
    const processor = (rounds = own) => rounds.map(({ processorMs }) => processorMs);
    return {
      flow,
      by: kind.bringsFile ? 'engine, file brought' : kind.name,
      'flows/s': median(speeds()),
      'of by hand': medianRatio(speeds(), speeds(floor)),
      'CPU ms/flow': median(processor()),
      'CPU of by hand': medianRatio(processor(), processor(floor)),
      'booked p50 ms': median(own.flatMap(({ bookedAfter }) => bookedAfter)),
      'heap kB/cached': (memory.get(kind) ?? 0) / 1_000,
      'replays/s': median(replayed.get(kind) ?? []),
      'of these': medianRatio(replayed.get(kind) ?? [], replayed.get(floorKind) ?? []),
      'bundle kB': Buffer.byteLength(kind.code) / 1_000,
    };
  });
}

Runtime.install({ logger: new DefaultLogger('ERROR') });
const rows: Record<string, string | number>[] = [];
for (const flow of flowNames) rows.push(...(await compare(flow)));
printTable(rows);
