// How long it takes to migrate many open processes on Temporal's production server and Postgres, while worker and server are
// killed; that each has exactly one outcome, and that none is stranded: afterwards each is driven to its end.
//   npm run bench -- migrations --open 10000
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Client, Connection } from '@temporalio/client';
import { publishFiles } from '../../../client/flow-files/publish.ts';
import type { MigrationInput, MigrationStatus } from '../../../contract/flows/migrations.ts';
import { obtainClusterPrograms } from '../../../local/cluster/programs.ts';
import { workflowBundle } from '../../../local/workflow-bundle.ts';
import { dryRun, followed, startBatch } from '../../../processes/migrations.ts';
import { cacheFolder } from '../../../runtime/terminal/user-cache.ts';
import { type ProductionServer, startProductionServer } from '../engines/temporal-engines.ts';
import { WorkerProcess } from '../engines/worker-process.ts';
import { inLanes } from '../in-lanes.ts';
import { printTable } from '../table.ts';
import { after, before, NAME, ONE_ASKS_OF } from './parcels.ts';

const { values } = parseArgs({
  options: { open: { type: 'string', default: '10000' }, rate: { type: 'string', default: '100' } },
});
const open = Number(values.open);
const LANES = 24;
const TASK_QUEUE = 'migrations';
/** Their histories are counted. */
const COUNTED = 20;

const begunAt = performance.now();
const say = (line: string) =>
  process.stderr.write(
    `${Math.round((performance.now() - begunAt) / 1_000)} s: ${line} (load ${loadavg()[0]?.toFixed(1)})\n`,
  );

/** The result, and the seconds that it took. */
async function timed<Result>(work: () => Promise<Result>): Promise<[Result, number]> {
  const begin = performance.now();
  const result = await work();
  return [result, (performance.now() - begin) / 1_000];
}

/** While the server or the worker is away, its clients try again. */
async function persistently<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries++)
    try {
      return await work();
    } catch (error) {
      if (tries === 100) throw error;
      await delay(500);
    }
}

function must(holds: boolean, what: string): void {
  if (!holds) throw new Error(what);
}

const home = await mkdtemp(join(tmpdir(), 'lockerflow-bench-'));
try {
  await using stack = new AsyncDisposableStack();
  const programs = await obtainClusterPrograms({ env: process.env, say });
  const server = stack.use(await startProductionServer(home, programs));
  const bundle = await workflowBundle(join(cacheFolder(process.env), 'cluster'));
  const file = join(import.meta.dirname, 'worker.ts');
  const worker = stack.use(new WorkerProcess({ file, args: [server.address, TASK_QUEUE, bundle] }));
  await worker.start();
  const connection = await Connection.connect({ address: server.address });
  stack.defer(() => connection.close());
  say("Temporal's production server and a worker are up");
  printTable([await figures(new Client({ connection }), server, worker)]);
} finally {
  await rm(home, { recursive: true, force: true });
}

async function figures(client: Client, server: ProductionServer, worker: WorkerProcess) {
  const [keys, started] = await timed(() => begun(client));
  say(`${keys.length} processes are open`);
  await publish(client, after);
  const input: MigrationInput = {
    ...{ flow: NAME, to: 2, by: 'bench', why: 'a figure', plan: {}, back: false, waits: false },
    ...{ held: false, query: null, first: 10, rate: Number(values.rate), mostRefused: 0.2 },
  };
  const counted = keys.slice(0, COUNTED);
  const [dry, drySeconds] = await timed(() => dryRun(client, input));
  must(dry.carried === open && dry.groups.length === 0, `the dry run carries ${dry.carried} of ${open}`);
  say('the dry run is over');
  const events = await eventsOf(client, counted);
  const [status, applySeconds] = await timed(() => applied(client, input, server, worker));
  const more = ((await eventsOf(client, counted)) - events) / COUNTED;
  must(
    status.phase === 'done' && status.migrated === open,
    `the batch is ${status.phase} with ${status.migrated} of ${open}: ${JSON.stringify(status.groups)}`,
  );
  await migratedOnce(client, keys);
  const [, endSeconds] = await timed(() => ended(client, keys));
  say('each has come to its end');
  return {
    'open processes': open,
    processors: availableParallelism(),
    'started, s': started.toFixed(0),
    'dry run, s': drySeconds.toFixed(0),
    'applied, killed meanwhile, s': applySeconds.toFixed(0),
    'events each': more.toFixed(1),
    'driven to the end, s': endSeconds.toFixed(0),
    stranded: 0,
  };
}

function publish(client: Client, flow: typeof before): Promise<unknown> {
  return publishFiles(client, [{ path: 'parcel.flow.yaml', text: JSON.stringify(flow) }], TASK_QUEUE);
}

function asks(index: number): boolean {
  return index % ONE_ASKS_OF === 0;
}

async function begun(client: Client): Promise<string[]> {
  await publish(client, before);
  const keys = Array.from({ length: open }, () => `parcel-${randomUUID()}`);
  await inLanes(LANES, open, async (index) => {
    const workflowId = keys[index] as string;
    const options = { taskQueue: TASK_QUEUE, workflowId, args: [{}] };
    if (!asks(index)) await client.workflow.start(NAME, options);
    else
      await client.workflow.signalWithStart(NAME, {
        ...options,
        ...{ signal: 'event', signalArgs: [{ type: 'returned' }] },
      });
  });
  await listed(client, 1);
  return keys;
}

/** Until lists show all on the version. */
async function listed(client: Client, version: number): Promise<void> {
  const query = `LockerFlowVersion = '${NAME}@${version}' AND ExecutionStatus = 'Running'`;
  while ((await persistently(() => client.workflow.count(query))).count < open) await delay(500);
}

/** The worker is killed at a third, the server at two thirds. */
async function applied(
  client: Client,
  input: MigrationInput,
  server: ProductionServer,
  worker: WorkerProcess,
): Promise<MigrationStatus> {
  await startBatch(client, input, TASK_QUEUE);
  const kills = [
    async () => {
      await worker.kill();
      await worker.start();
      say('the worker was killed');
    },
    async () => {
      await server.kill();
      say('the server was killed');
    },
  ];
  let killing: Promise<void> = Promise.resolve();
  const look = ({ migrated }: MigrationStatus): void => {
    const next = (3 - kills.length) / 3;
    if (kills.length === 0 || migrated < open * next) return;
    const kill = kills.shift() as () => Promise<void>;
    killing = killing.then(kill);
  };
  const status = await persistently(() => followed(client, input, look));
  await killing;
  must(kills.length === 0, 'the batch was over before all was killed: open more processes');
  return status;
}

interface Seen {
  readonly version: number;
  readonly migrations?: readonly unknown[];
}

/** Every process says so itself. */
async function migratedOnce(client: Client, keys: readonly string[]): Promise<void> {
  await inLanes(LANES, keys.length, async (index) => {
    const handle = client.workflow.getHandle(keys[index] as string);
    const { version, migrations = [] } = await persistently(() => handle.query<Seen>('progress'));
    must(version === 2 && migrations.length === 1, `${keys[index]} was migrated ${migrations.length} times`);
  });
  say('each says that it was migrated once');
}

async function eventsOf(client: Client, keys: readonly string[]): Promise<number> {
  const lengths = keys.map(async (key) => (await client.workflow.getHandle(key).describe()).historyLength);
  return (await Promise.all(lengths)).reduce((sum, length) => sum + length, 0);
}

/** By the former name of the event, and by an answer to the question as it is asked now. */
async function ended(client: Client, keys: readonly string[]): Promise<void> {
  await inLanes(LANES, keys.length, async (index) => {
    const handle = client.workflow.getHandle(keys[index] as string);
    if (asks(index)) {
      const args: [object] = [{ question: 'look', values: { whole: true }, by: 'bench' }];
      await handle.executeUpdate('answer', { args });
    } else await handle.signal('event', { type: 'fetched', id: 'the end' });
    const result = await handle.result();
    must(result === 2, `${keys[index]} ended with ${JSON.stringify(result)}`);
  });
}
