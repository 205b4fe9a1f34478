// The flow Issue, declared and run by the driver, against the same written by hand (tools/bench/minimal-issue.ts): flows per
// second (goal: at least 0.95 of it), processor time per flow (goal: at most 1.15 of it), start to booked, memory of each
// cached workflow, replays per second. Rounds alternate, so that whatever else the machine does falls on both. The floor has
// no queries, updates, search attributes and details: what these cost is the declared flow's.
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { DefaultLogger, makeTelemetryFilterString, Runtime, Worker } from '@temporalio/worker';
import { searchAttributes } from '../../contract/flows/search-attributes.ts';
import { startTemporalServer } from '../../local/temporal/server.ts';
import { nodeOptions } from '../../worker/node-options.ts';
import { bundleWorkflows } from '../../worker/workflow-bundle.ts';
import type { UsedByFlows } from './flow-worker.ts';
import { inLanes } from './in-lanes.ts';
import { startAnswering } from './local-process.ts';
import { percentile, printTable } from './table.ts';

// A tenth of what one round says is the machine's: the median of so many is not.
const ROUNDS = Number(process.env.ROUNDS ?? 14);
const REPLAY_ROUNDS = 6;
const FLOWS = 200;
const AT_ONCE = 40;
const OPEN = 400;
const REPLAYS = 400;

const kinds = {
  'by hand': join(import.meta.dirname, 'minimal-issue.ts'),
  declared: join(import.meta.dirname, '../../workflows/index.ts'),
} as const;
type Kind = keyof typeof kinds;
const names = Object.keys(kinds) as Kind[];

const folder = await mkdtemp(join(tmpdir(), 'lockerflow-bench-'));
const temporal = await startTemporalServer({
  databaseFile: join(folder, 'temporal.sqlite'),
  searchAttributes,
});
const connection = await Connection.connect({ address: temporal.address });
const { workflow } = new Client({ connection });
const workers = new Map<Kind, Awaited<ReturnType<typeof startAnswering>>>();
for (const name of names) {
  const given = [kinds[name], name, temporal.address];
  workers.set(name, await startAnswering([...nodeOptions, 'tools/bench/flow-worker.ts', ...given]));
}

async function used(kind: Kind): Promise<UsedByFlows> {
  const worker = workers.get(kind);
  if (!worker) throw new TypeError(`no worker runs ${kind}`);
  return (await worker.ask('used?')) as UsedByFlows;
}

async function begin(kind: Kind) {
  const shipmentUid = randomUUID();
  const handle = await workflow.start('Issue', {
    taskQueue: kind,
    workflowId: randomUUID(),
    args: [{ request: { shipmentUid, startedAt: Date.now() } }],
  });
  return { handle, shipmentUid };
}

async function toItsEnd(kind: Kind): Promise<string> {
  const { handle, shipmentUid } = await begin(kind);
  for (const stateCode of ['ReadyForPickup', 'Completed']) {
    const now = new Date().toISOString();
    const report = { shipmentUid, stateCode, stateStart: now, receivedAt: now, source: 'callback' };
    await handle.signal('shipmentStatus', report);
  }
  await handle.result();
  return handle.workflowId;
}

interface Round {
  readonly perSecond: number;
  readonly cpuMs: number;
  readonly bookedAfter: readonly number[];
}

async function round(kind: Kind): Promise<Round> {
  const before = await used(kind);
  const startedAt = performance.now();
  await inLanes(AT_ONCE, FLOWS, () => toItsEnd(kind));
  const seconds = (performance.now() - startedAt) / 1_000;
  const after = await used(kind);
  return {
    perSecond: FLOWS / seconds,
    cpuMs: (after.cpuMs - before.cpuMs) / FLOWS,
    bookedAfter: after.bookedAfter,
  };
}

/** Bytes of each workflow that waits in the cache. */
async function bytesPerOpen(kind: Kind): Promise<number> {
  const before = await used(kind);
  for (let opened = 0; opened < OPEN; opened += AT_ONCE)
    await Promise.all(Array.from({ length: AT_ONCE }, () => begin(kind)));
  const booked: number[] = [];
  let after = await used(kind);
  for (; booked.push(...after.bookedAfter) < OPEN; after = await used(kind))
    await new Promise((done) => setTimeout(done, 100));
  return (after.residentBytes - before.residentBytes) / OPEN;
}

/** Replays one history again and again, as a replay test does. */
async function replaysPerSecond(kind: Kind, code: string): Promise<number> {
  const workflowId = await toItsEnd(kind);
  const history = await workflow.getHandle(workflowId).fetchHistory();
  const copies = Array.from({ length: REPLAYS }, () => ({ workflowId, history }));
  const startedAt = performance.now();
  for await (const { error } of Worker.runReplayHistories({ workflowBundle: { code } }, copies))
    if (error) throw error;
  return (REPLAYS / (performance.now() - startedAt)) * 1_000;
}

for (const name of names) await round(name);
const rounds = new Map<Kind, Round[]>(names.map((name) => [name, []]));
for (let count = 0; count < ROUNDS; count++)
  for (const name of names) rounds.get(name)?.push(await round(name));
const memory = new Map<Kind, number>();
for (const name of names) memory.set(name, await bytesPerOpen(name));

Runtime.install({
  logger: new DefaultLogger('ERROR'),
  telemetryOptions: { logging: { filter: makeTelemetryFilterString({ core: 'ERROR' }) } },
});
const replays = new Map<Kind, number[]>(names.map((name) => [name, []]));
const codes = await Promise.all(
  names.map((name) => bundleWorkflows({ workflowsPath: kinds[name], preloadModules: [kinds[name]] })),
);
for (let count = 0; count < REPLAY_ROUNDS; count++)
  for (const [index, name] of names.entries())
    replays.get(name)?.push(await replaysPerSecond(name, codes[index] ?? ''));

const of = (kind: Kind) => rounds.get(kind) ?? [];
const floor = of('by hand');
const ratio = (kind: Kind, figure: 'perSecond' | 'cpuMs') =>
  percentile(
    of(kind).map((each, index) => each[figure] / (floor[index]?.[figure] ?? Number.NaN)),
    0.5,
  ).toFixed(2);
printTable(
  await Promise.all(
    names.map(async (kind) => {
      const all = of(kind);
      const booked = all.flatMap(({ bookedAfter }) => bookedAfter);
      return {
        Issue: kind,
        'flows/s': percentile(
          all.map(({ perSecond }) => perSecond),
          0.5,
        ).toFixed(1),
        'of by hand': ratio(kind, 'perSecond'),
        'CPU ms/flow': percentile(
          all.map(({ cpuMs }) => cpuMs),
          0.5,
        ).toFixed(1),
        'CPU of by hand': ratio(kind, 'cpuMs'),
        'booked p50 ms': percentile(booked, 0.5),
        'booked p99 ms': percentile(booked, 0.99),
        'kB/cached': Math.round((memory.get(kind) ?? 0) / 1_000),
        'replays/s': percentile(replays.get(kind) ?? [], 0.5).toFixed(0),
        'bundle kB': Math.round((await used(kind)).bundleBytes / 1_000),
      };
    }),
  ),
);

for (const worker of workers.values()) await worker[Symbol.asyncDispose]();
await connection.close();
await temporal.stop();
await rm(folder, { recursive: true, force: true });
