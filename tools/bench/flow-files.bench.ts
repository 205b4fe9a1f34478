// A process as DeviceLoan, as a flow file (tools/bench/loan.ts) and written by hand (tools/bench/minimal-loan.ts), in rounds that
// alternate. Goals: at most 2 events of history more, at least 0.85 of its flows per second; a cached process takes at most
// 1.3 of the memory of a built-in flow; from publish to the first step of a new version less than 2 s.
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection, type WorkflowHandle } from '@temporalio/client';
import { publishFiles } from '../../client/flow-files/publish.ts';
import { searchAttributes } from '../../contract/flows/search-attributes.ts';
import { startTemporalServer } from '../../local/temporal/server.ts';
import { nodeOptions } from '../../worker/node-options.ts';
import { inLanes } from './in-lanes.ts';
import { FLOWS_TASK_QUEUE, loanFile } from './loan.ts';
import { startAnswering } from './local-process.ts';
import type { Used } from './measured-worker.ts';
import { median, printTable } from './table.ts';

const ROUNDS = Number(process.env.ROUNDS ?? 14);
const FLOWS = Number(process.env.FLOWS ?? 200);
const AT_ONCE = 40;
const OPEN = Number(process.env.OPEN ?? 400);
const PUBLISHED = 10;

/** By the task queue on which it runs. */
const kinds = {
  'by hand': { taskQueue: 'by-hand', file: 'minimal-loan.ts' },
  'flow file': { taskQueue: FLOWS_TASK_QUEUE, file: '../../workflows/index.ts' },
} as const;
type Kind = keyof typeof kinds;
const names = Object.keys(kinds) as Kind[];

const folder = await mkdtemp(join(tmpdir(), 'lockerflow-bench-'));
const temporal = await startTemporalServer({
  databaseFile: join(folder, 'temporal.sqlite'),
  searchAttributes,
});
const connection = await Connection.connect({ address: temporal.address });
const client = new Client({ connection });
const { workflow } = client;
const workers = new Map<Kind, Awaited<ReturnType<typeof startAnswering>>>();
for (const name of names) {
  const { file, taskQueue } = kinds[name];
  const given = [join(import.meta.dirname, file), taskQueue, temporal.address];
  workers.set(name, await startAnswering([...nodeOptions, 'tools/bench/loan-worker.ts', ...given]));
}

async function used(): Promise<Used[]> {
  return await Promise.all(names.map(async (name) => (await workers.get(name)?.ask('used?')) as Used));
}

const publish = (meaning?: string) =>
  publishFiles(client, [{ path: 'loan', text: JSON.stringify(loanFile(meaning)) }], FLOWS_TASK_QUEUE);

function begin(kind: Kind, request: object = {}): Promise<WorkflowHandle> {
  const { taskQueue } = kinds[kind];
  const workflowId = randomUUID();
  const args: [object] = [{ request: { shipmentUid: randomUUID(), ...request } }];
  return workflow.start('BenchLoan', { taskQueue, workflowId, args });
}

async function lengthOf(kind: Kind): Promise<number> {
  const handle = await begin(kind);
  await handle.result();
  return (await handle.describe()).historyLength;
}

interface Round {
  readonly perSecond: number;
  /** For both workers: the flow within each process runs on that of the flow files. */
  readonly cpuMs: number;
}

async function round(kind: Kind): Promise<Round> {
  const cpu = async () => (await used()).reduce((sum, { cpuMs }) => sum + cpuMs, 0);
  const before = await cpu();
  const startedAt = performance.now();
  await inLanes(AT_ONCE, FLOWS, async () => (await begin(kind)).result());
  const seconds = (performance.now() - startedAt) / 1_000;
  return { perSecond: FLOWS / seconds, cpuMs: ((await cpu()) - before) / FLOWS };
}

/** Bytes of each workflow that waits in the cache of the worker of flows and flow files. */
async function bytesPerOpen(open: () => Promise<WorkflowHandle>, waits: string): Promise<number> {
  const resident = async () => (await used())[names.indexOf('flow file')]?.residentBytes ?? Number.NaN;
  const before = await resident();
  const handles: WorkflowHandle[] = [];
  for (let opened = 0; opened < OPEN; opened += AT_ONCE)
    handles.push(...(await Promise.all(Array.from({ length: AT_ONCE }, open))));
  for (const handle of handles) {
    const isWaiting = async () =>
      JSON.stringify(await handle.query('progress').catch(() => '')).includes(waits);
    while (!(await isWaiting())) await new Promise((done) => setTimeout(done, 50));
  }
  return ((await resident()) - before) / OPEN;
}

/** Until a process of the version that was published has taken its first step. */
async function publishedAfter(meaning: string): Promise<number> {
  const startedAt = performance.now();
  const [published] = await publish(meaning);
  const handle = await begin('flow file', { isWaiting: true });
  // Version 0: it waits for its definition.
  const asked = () => handle.query<{ version: number }>('progress').catch(() => undefined);
  let progress = await asked();
  while (!progress || progress.version === 0) progress = await asked();
  const { version } = progress;
  if (version !== published?.version || !published.isNew)
    throw new Error(`version ${version} ran, ${published?.version} was published`);
  return performance.now() - startedAt;
}

await publish();
for (const name of names) await round(name);
const lengths = new Map<Kind, number[]>(names.map((name) => [name, []]));
for (let count = 0; count < 10; count++)
  for (const name of names) lengths.get(name)?.push(await lengthOf(name));
const rounds = new Map<Kind, Round[]>(names.map((name) => [name, []]));
for (let count = 0; count < ROUNDS; count++)
  for (const name of names) rounds.get(name)?.push(await round(name));

const of = (kind: Kind, figure: keyof Round) => (rounds.get(kind) ?? []).map((each) => each[figure]);
const ratio = (kind: Kind, figure: keyof Round) => {
  const floor = of('by hand', figure);
  return median(of(kind, figure).map((each, index) => each / (floor[index] ?? Number.NaN))).toFixed(2);
};
printTable(
  names.map((kind) => ({
    process: kind,
    events: median(lengths.get(kind) ?? []),
    'flows/s': median(of(kind, 'perSecond')).toFixed(1),
    'of by hand': ratio(kind, 'perSecond'),
    'CPU ms/flow': median(of(kind, 'cpuMs')).toFixed(1),
    'CPU of by hand': ratio(kind, 'cpuMs'),
  })),
);

const builtIn = () =>
  workflow.start('Issue', {
    ...{ taskQueue: FLOWS_TASK_QUEUE, workflowId: randomUUID() },
    args: [{ request: { shipmentUid: randomUUID(), isOpen: true } }],
  });
const waiting = () => begin('flow file', { isWaiting: true });
const memory: { readonly builtIn: number; readonly file: number }[] = [];
for (let count = 0; count < 2; count++)
  memory.push({
    builtIn: await bytesPerOpen(builtIn, 'Following'),
    file: await bytesPerOpen(waiting, 'checked'),
  });
const published: number[] = [];
for (let count = 0; count < PUBLISHED; count++) published.push(await publishedAfter(`Version ${count}.`));
process.stdout.write('\n');
printTable(
  memory.map(({ builtIn: flow, file }, index) => ({
    'cached workflow': `measured ${index + 1}`,
    'built-in flow kB': Math.round(flow / 1_000),
    'flow file kB': Math.round(file / 1_000),
    'of built-in': (file / flow).toFixed(2),
  })),
);
process.stdout.write(
  `\npublish to first step of a new version: p50 ${Math.round(median(published))} ms, most ${Math.round(Math.max(...published))} ms\n`,
);

for (const worker of workers.values()) await worker[Symbol.asyncDispose]();
await connection.close();
await temporal.stop();
await rm(folder, { recursive: true, force: true });
