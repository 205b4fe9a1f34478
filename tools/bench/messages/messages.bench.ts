// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions of the files.
// `sendTo` and `sendParent` of flow files against the same by hand (minimal-messages.ts beside it): a process and its child send
// each other ten events, in rounds that alternate. Goals: at most a tenth more events of history, at least 0.85 of the flows per
// second.
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
import { median, printTable } from '../table.ts';

const ROUNDS = Number(process.env.ROUNDS ?? 8);
const FLOWS = Number(process.env.FLOWS ?? 100);
const AT_ONCE = 20;
const SENT = 10;

const kinds = {
  'by hand': { taskQueue: 'by-hand', file: 'minimal-messages.ts' },
  'flow file': { taskQueue: 'files', file: '../../../workflows/index.ts' },
} as const;
type Kind = keyof typeof kinds;
const names = Object.keys(kinds) as Kind[];

const sendTo = (type: string) => ({
  type: 'sendTo',
  params: { to: 'echo', type, data: '${context.rounds}' },
});
const files = [
  {
    name: 'BenchPing',
    meaning: 'Sends its flow an event in each round.',
    context: { rounds: 0 },
    initial: 'going',
    states: {
      going: {
        invoke: { id: 'echo', src: 'BenchEcho', onDone: 'over', onError: 'over' },
        entry: sendTo('ping'),
        on: {
          'echo.pong': [
            {
              guard: '${context.rounds + 1 < input.rounds}',
              actions: [{ type: 'assign', params: { rounds: '${context.rounds + 1}' } }, sendTo('ping')],
            },
            { actions: sendTo('stop') },
          ],
        },
      },
      over: { type: 'final' },
    },
    output: '${context.rounds}',
  },
  {
    name: 'BenchEcho',
    meaning: 'Sends each event back.',
    initial: 'going',
    states: {
      going: {
        on: {
          ping: { actions: { type: 'sendParent', params: { type: 'pong', data: '${event.data}' } } },
          stop: 'over',
        },
      },
      over: { type: 'final' },
    },
  },
];

const folder = await mkdtemp(join(tmpdir(), 'lockerflow-bench-'));
const temporal = await startTemporalServer({
  databaseFile: join(folder, 'temporal.sqlite'),
  searchAttributes,
});
const connection = await Connection.connect({ address: temporal.address });
const client = new Client({ connection });
const workers: Awaited<ReturnType<typeof startAnswering>>[] = [];
for (const { file, taskQueue } of Object.values(kinds))
  workers.push(
    await startAnswering([
      ...[...nodeOptions, 'tools/bench/loan-worker.ts', join(import.meta.dirname, file)],
      ...[taskQueue, temporal.address],
    ]),
  );
await publishFiles(
  client,
  files.map((file) => ({ path: file.name, text: JSON.stringify(file) })),
  kinds['flow file'].taskQueue,
);

const begin = (kind: Kind): Promise<WorkflowHandle> =>
  client.workflow.start('BenchPing', {
    ...{ taskQueue: kinds[kind].taskQueue, workflowId: randomUUID(), args: [{ request: { rounds: SENT } }] },
  });

async function lengthsOf(kind: Kind): Promise<number> {
  const handle = await begin(kind);
  await handle.result();
  const { historyLength } = await handle.describe();
  return (
    historyLength + (await client.workflow.getHandle(`${handle.workflowId}/echo`).describe()).historyLength
  );
}

async function round(kind: Kind): Promise<number> {
  const startedAt = performance.now();
  await inLanes(AT_ONCE, FLOWS, async () => (await begin(kind)).result());
  return FLOWS / ((performance.now() - startedAt) / 1_000);
}

for (const name of names) await round(name);
const lengths = new Map<Kind, number[]>(names.map((name) => [name, []]));
for (let count = 0; count < 10; count++)
  for (const name of names) lengths.get(name)?.push(await lengthsOf(name));
const rounds = new Map<Kind, number[]>(names.map((name) => [name, []]));
for (let count = 0; count < ROUNDS; count++)
  for (const name of names) rounds.get(name)?.push(await round(name));

const floor = rounds.get('by hand') ?? [];
const fewest = median(lengths.get('by hand') ?? []);
printTable(
  names.map((kind) => {
    const perSecond = rounds.get(kind) ?? [];
    const events = median(lengths.get(kind) ?? []);
    return {
      process: kind,
      'events, with its flow': events,
      'events of by hand': (events / fewest).toFixed(2),
      'flows/s': median(perSecond).toFixed(1),
      'of by hand': median(perSecond.map((each, index) => each / (floor[index] ?? Number.NaN))).toFixed(2),
    };
  }),
);

for (const worker of workers) await worker[Symbol.asyncDispose]();
await connection.close();
await temporal.stop();
await rm(folder, { recursive: true, force: true });
