// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions of the files.
// `each` of flow files against the same by hand (minimal-each.ts beside it): a process that runs a child for each of 100 items, ten at
// once, in rounds that alternate. Goals: at most a tenth more events of history, at least 0.85 of the flows per second.
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection, type WorkflowHandleWithFirstExecutionRunId } from '@temporalio/client';
import { publishFiles } from '../../../client/flow-files/publish.ts';
import { searchAttributes } from '../../../contract/flows/search-attributes.ts';
import { startTemporalServer } from '../../../local/temporal/server.ts';
import { nodeOptions } from '../../../worker/node-options.ts';
import { inLanes } from '../in-lanes.ts';
import { startAnswering } from '../local-process.ts';
import { median, printTable } from '../table.ts';

const ROUNDS = Number(process.env.ROUNDS ?? 4);
const FLOWS = Number(process.env.FLOWS ?? 4);
const AT_ONCE = 2;
const ITEMS = 100;
const ITEMS_AT_ONCE = 10;

const kinds = {
  'by hand': { taskQueue: 'by-hand', file: 'minimal-each.ts' },
  'flow file': { taskQueue: 'files', file: '../../../workflows/index.ts' },
} as const;
type Kind = keyof typeof kinds;
const names = Object.keys(kinds) as Kind[];

const item = { type: 'object', required: ['item'], properties: { item: { type: 'integer' } } };
const files = [
  {
    name: 'BenchEach',
    meaning: 'Runs a flow for each item.',
    initial: 'going',
    states: {
      going: {
        invoke: {
          id: 'batch',
          src: 'each',
          input: {
            of: '${input.items}',
            atOnce: ITEMS_AT_ONCE,
            do: { src: 'BenchItem', input: { request: { item: '${item}' } } },
          },
          onDone: 'over',
        },
      },
      over: { type: 'final' },
    },
  },
  {
    name: 'BenchItem',
    meaning: 'Is over at once.',
    input: item,
    initial: 'over',
    states: { over: { type: 'final' } },
    output: '${input.item}',
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

const begin = (kind: Kind): Promise<WorkflowHandleWithFirstExecutionRunId> =>
  client.workflow.start('BenchEach', {
    ...{ taskQueue: kinds[kind].taskQueue, workflowId: randomUUID() },
    args: [{ request: { items: Array.from({ length: ITEMS }, (_, index) => index), atOnce: ITEMS_AT_ONCE } }],
  });

/** All its runs together; those of the children are their own. */
async function lengthsOf(kind: Kind): Promise<number> {
  const handle = await begin(kind);
  await handle.result();
  let length = 0;
  for (let runId = handle.firstExecutionRunId; runId; ) {
    const { events } = await client.workflow.getHandle(handle.workflowId, runId).fetchHistory();
    length += events?.length ?? 0;
    const continued = events?.at(-1)?.workflowExecutionContinuedAsNewEventAttributes;
    runId = continued?.newExecutionRunId ?? '';
  }
  return length;
}

async function round(kind: Kind): Promise<number> {
  const startedAt = performance.now();
  await inLanes(AT_ONCE, FLOWS, async () => (await begin(kind)).result());
  return FLOWS / ((performance.now() - startedAt) / 1_000);
}

for (const name of names) await round(name);
const lengths = new Map<Kind, number[]>(names.map((name) => [name, []]));
for (let count = 0; count < 3; count++)
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
      'events, without its flows': events,
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
