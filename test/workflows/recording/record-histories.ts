// Records the histories that the replay test replays: `npm run record-histories`. For the newest version of each flow it
// records its scenes. It never overwrites a recording: a changed definition is a new version, and the recordings of the old
// version must still replay.
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client, Connection, type WorkflowHandle } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import type { Progress } from '../../../contract/flows/flow-answers.ts';
import { searchAttributes } from '../../../contract/flows/search-attributes.ts';
import { TRACED, type TracedStep } from '../../../engine/temporal/trace.ts';
import type { Workflow } from '../../../engine/temporal/workflow.ts';
import { startTemporalServer } from '../../../local/temporal/server.ts';
import * as workflows from '../../../workflows/index.ts';
import { Outside, reportOf } from '../outside.ts';
import { activitiesOf } from '../outside-activities.ts';
import { type Scene, scenes } from './recorded-scenes.ts';
import { keep, recordings } from './recordings.ts';

const workflowsPath = fileURLToPath(new URL('../../../workflows/index.ts', import.meta.url));
// In place of the names of process and host, which are of no use and would be published.
const identity = 'recording';
const taskQueue = 'recording';
const memo = { [TRACED]: true };
/** Longer than a process takes from one of its tasks to a task that follows from it. */
const REST_MS = 400;

const present = new Set((await recordings()).map(({ name }) => name));
const server = await startTemporalServer({
  searchAttributes,
  // The number of events after which a process continues as a new run. Only the scenes about that have so many.
  dynamicConfiguration: { 'limit.historyCount.suggestContinueAsNew': '70' },
});
const connection = await Connection.connect({ address: server.address });
const client = new Client({ connection, identity });
const traces = new Map<string, TracedStep[]>();
const outsides = new Map<string, Outside>();

const worker = await Worker.create({
  connection: await NativeConnection.connect({ address: server.address }),
  identity,
  taskQueue,
  workflowsPath,
  activities: activitiesOf(outsides),
  sinks: {
    trace: {
      step: {
        fn: ({ runId }, step: TracedStep) => void traces.set(runId, [...(traces.get(runId) ?? []), step]),
        callDuringReplay: false,
      },
    },
  },
});

await worker.runUntil(async () => {
  for (const own of Map.groupBy(scenes(), ({ flow }) => flow).values()) await Promise.all(own.map(record));
});
await connection.close();
await server.stop();

/** The version on which new processes start. */
function newestVersion(flow: string): number {
  const { definitions } =
    (workflows as Partial<Record<string, Partial<Workflow<never, unknown>>>>)[flow] ?? {};
  if (!definitions) throw new TypeError(`workflows/index.ts exports no flow ${flow}`);
  return Math.max(...Object.keys(definitions).map(Number));
}

async function record({ flow, name, isBare = false, input, play }: Scene): Promise<void> {
  const path = `${flow}@${newestVersion(flow)}/${name}`;
  if (present.has(path)) return;
  const workflowId = `${flow}-${name}`;
  const outside = new Outside({ isBare });
  outsides.set(workflowId, outside);
  const handle = client.workflow.getHandle(workflowId);
  const args = [await input(outside)];
  outside.deliver = (report) => handle.signal('shipmentStatus', report).catch(ended);
  await client.workflow.start(flow, { workflowId, taskQueue, memo, args });
  await play({
    outside,
    waits: (where) => atRest(handle, where),
    does: ([role, action]) => outside.does(outside.uid(role), action),
    growsLong: () => growsLong(path, handle, outside),
    signal: (signal, payload) => handle.signal(signal, payload),
    update: async (update, payload) => void (await handle.executeUpdate(update, { args: [payload] })),
    cancel: async () => void (await handle.cancel()),
  });
  await handle.result().catch(() => undefined);
  await keepRun(path, workflowId, (await handle.describe()).runId);
}

async function keepRun(path: string, workflowId: string, runId: string): Promise<void> {
  const history = await client.workflow.getHandle(workflowId, runId).fetchHistory();
  await keep(path, workflowId, traces.get(runId) ?? [], history);
  process.stdout.write(`recorded ${path}\n`);
}

/** Sends the process the same report again and again, until it continues as a new run. Records the run before. */
async function growsLong(path: string, handle: WorkflowHandle, outside: Outside): Promise<void> {
  const { runId } = await handle.describe();
  const [uid = ''] = outside.roles.values();
  const repeated = reportOf(uid, 'Quarantined', null);
  while ((await handle.describe()).runId === runId) {
    await handle.signal('shipmentStatus', repeated);
    await pause(REST_MS / 4);
  }
  await keepRun(`${path}-first-run`, handle.workflowId, runId);
}

/** Waits until `where` is true and no more tasks come: each signal that was sent has had its task. */
async function atRest(handle: WorkflowHandle, where: (progress: Progress) => boolean): Promise<void> {
  for (let before = -1; ; ) {
    // Read before the query, because a query must not come in the middle of a task.
    const { historyLength, raw } = await handle.describe();
    const isQuiet = historyLength === before && !raw.pendingWorkflowTask;
    if (isQuiet && where(await handle.query<Progress>('progress'))) return;
    before = historyLength;
    await pause(REST_MS);
  }
}

function ended(error: Error): void {
  if (error.name !== 'WorkflowNotFoundError') throw error;
}
