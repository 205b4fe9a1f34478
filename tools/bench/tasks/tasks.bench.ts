// A question that somebody claims and answers, as a flow file (tools/bench/tasks/task.ts) and written by hand (tools/bench/tasks/minimal-task.ts),
// in rounds that alternate. Goals: at most 10 % more events of history, at least 0.85 of its flows per second.
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection, type WorkflowHandle } from '@temporalio/client';
import { publishFiles } from '../../../client/flow-files/publish.ts';
import { searchAttributes } from '../../../contract/flows/search-attributes.ts';
import { startTemporalServer } from '../../../local/temporal/server.ts';
import { nodeOptions } from '../../../worker/node-options.ts';
import { inLanes } from '../in-lanes.ts';
import { startAnswering } from '../local-process.ts';
import type { Used } from '../measured-worker.ts';
import { median, printTable } from '../table.ts';
import { taskFile } from './task.ts';

const ROUNDS = Number(process.env.ROUNDS ?? 14);
const FLOWS = Number(process.env.FLOWS ?? 200);
const AT_ONCE = 100;
// People look into their inbox later: a claim that comes before its question would be refused, and measure the refusal.
const LOOK_AFTER_MS = 500;

/** By the task queue on which it runs. */
const kinds = {
  'by hand': { taskQueue: 'by-hand', file: 'minimal-task.ts' },
  'flow file': { taskQueue: 'flows', file: '../../../workflows/index.ts' },
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
const workers: Awaited<ReturnType<typeof startAnswering>>[] = [];
for (const { file, taskQueue } of Object.values(kinds)) {
  const given = [join(import.meta.dirname, file), taskQueue, temporal.address];
  workers.push(await startAnswering([...nodeOptions, 'tools/bench/tasks/task-worker.ts', ...given]));
}
await publishFiles(client, [{ path: 'task', text: JSON.stringify(taskFile) }], kinds['flow file'].taskQueue);

async function play(kind: Kind): Promise<WorkflowHandle> {
  const { taskQueue } = kinds[kind];
  const handle = await client.workflow.start('BenchTask', {
    taskQueue,
    workflowId: randomUUID(),
    args: [{}],
  });
  const isTaken = (name: string, given: object) =>
    handle.executeUpdate(name, { args: [given] }).then(
      () => true,
      () => false,
    );
  const later = () => new Promise((done) => setTimeout(done, LOOK_AFTER_MS));
  do await later();
  while (!(await isTaken('claim', { by: 'anna' })));
  if (!(await isTaken('answer', { by: 'anna', values: { state: 'whole' } })))
    throw new Error('the answer of whoever has claimed it is refused');
  await handle.result();
  return handle;
}

const lengthOf = async (kind: Kind) => (await (await play(kind)).describe()).historyLength;

interface Round {
  readonly perSecond: number;
  /** The processor time of its worker. */
  readonly cpuMs: number;
}

async function round(kind: Kind): Promise<Round> {
  const worker = workers[names.indexOf(kind)];
  const cpu = async () => ((await worker?.ask('used?')) as Used | undefined)?.cpuMs ?? Number.NaN;
  const before = await cpu();
  const startedAt = performance.now();
  await inLanes(AT_ONCE, FLOWS, () => play(kind));
  const seconds = (performance.now() - startedAt) / 1_000;
  return { perSecond: FLOWS / seconds, cpuMs: ((await cpu()) - before) / FLOWS };
}

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

for (const worker of workers) await worker[Symbol.asyncDispose]();
await connection.close();
await temporal.stop();
await rm(folder, { recursive: true, force: true });
