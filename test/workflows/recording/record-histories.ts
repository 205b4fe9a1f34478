// Records the histories that the replay test replays: `npm run record-histories`. For the newest version of each flow it
// records every scene, while the process waits and at its end. It never overwrites a recording: a changed definition is a
// new version, and the recordings of the old version must still replay.
import { mkdir, stat, writeFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client, Connection, type WorkflowHandle } from '@temporalio/client';
import proto from '@temporalio/proto';
import { NativeConnection, Worker } from '@temporalio/worker';
import type { Progress } from '../../../contract/flows/flow-messages.ts';
import { searchAttributes } from '../../../contract/flows/search-attributes.ts';
import { TRACED, type TracedStep } from '../../../driver/temporal/trace.ts';
import type { Workflow } from '../../../driver/temporal/workflow.ts';
import { startTemporalServer } from '../../../local/temporal/server.ts';
import * as workflows from '../../../workflows/index.ts';
import { Outside, reportOf } from '../outside.ts';
import { activitiesOf } from '../outside-activities.ts';
import { requestOf, type Story, stories } from '../stories.ts';
import { type Scene, type Stage, scenesOf } from './recorded-scenes.ts';
import { type Recording, recordingFile } from './recordings.ts';

const workflowsPath = fileURLToPath(new URL('../../../workflows/index.ts', import.meta.url));
// In place of the names of process and host, which are of no use and would be published.
const identity = 'recording';
const taskQueue = 'recording';
const memo = { [TRACED]: true };
/** Longer than a process takes from one of its tasks to a task that follows from it. */
const REST_MS = 400;

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
  for (const story of stories) await Promise.all(scenesOf(story).map((scene) => record(story, scene)));
  await recordOnboarding('done', {});
  await recordOnboarding('applied', { applyDetails: true });
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

async function record(story: Story, { name, request, input, isBare = false, play }: Scene): Promise<void> {
  const { flow } = story;
  const version = newestVersion(flow);
  if (await exists(recordingFile(flow, version, name))) return;
  const workflowId = `${flow}-${name}`;
  const handle = client.workflow.getHandle(workflowId);
  const outside = new Outside({ isBare });
  outsides.set(workflowId, outside);
  const asked = { ...(await requestOf(story, outside)), ...request };
  outside.deliver = (report) => handle.signal('shipmentStatus', report).catch(ended);
  let waits = 0;
  const stage: Stage = {
    outside,
    waits: async (where) => {
      await atRest(handle, where);
      await keep(flow, version, `${name}-waiting-${waits++}`, handle);
    },
    does: ([role, action]) => outside.does(outside.uid(role), action),
    growsLong: () => growsLong(handle, outside),
    signal: (signal, payload) => handle.signal(signal, payload),
    update: async (update, payload) => void (await handle.executeUpdate(update, { args: [payload] })),
    cancel: async () => void (await handle.cancel()),
  };
  const start = { workflowId, taskQueue, memo, args: [{ request: asked, ...input }] };
  await client.workflow.start(flow, start);
  await play(stage);
  await handle.result().catch(() => undefined);
  await keep(flow, version, name, handle);
}

/** Sends the process the same report again and again, until it continues as a new run. */
async function growsLong(handle: WorkflowHandle, outside: Outside): Promise<void> {
  const { runId } = await handle.describe();
  const [uid = ''] = outside.roles.values();
  const repeated = reportOf(uid, 'Quarantined', null);
  while ((await handle.describe()).runId === runId) {
    await handle.signal('shipmentStatus', repeated);
    await pause(REST_MS / 4);
  }
}

/**
 * An onboarding waits for nobody, so only its end is recorded: once with an account whose details it only reports, and once
 * with an account whose details it sets.
 */
async function recordOnboarding(name: string, given: object): Promise<void> {
  const flow = 'OnboardAccount';
  const version = newestVersion(flow);
  if (await exists(recordingFile(flow, version, name))) return;
  const request = {
    emailAddress: 'a@example.com',
    firstName: 'A',
    lastName: 'B',
    pickUpPointUid: 'pup-central',
  };
  const workflowId = `${flow}-${name}`;
  outsides.set(workflowId, new Outside());
  const args = [{ request, ...given }];
  const handle = await client.workflow.start(flow, { workflowId, taskQueue, memo, args });
  await handle.result();
  await keep(flow, version, name, handle);
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

async function keep(flow: string, version: number, name: string, handle: WorkflowHandle): Promise<void> {
  const { workflowId } = handle;
  const file = recordingFile(flow, version, name);
  await mkdir(new URL('.', file), { recursive: true });
  const history = await handle.fetchHistory();
  const { runId } = await handle.describe();
  const encoded = proto.temporal.api.history.v1.History.encode(history).finish();
  const recording: Recording = {
    workflowId,
    trace: traces.get(runId) ?? [],
    history: Buffer.from(encoded).toString('base64'),
  };
  await writeFile(file, `${JSON.stringify(recording, null, 1)}\n`, { flag: 'wx' });
}

async function exists(file: URL): Promise<boolean> {
  return await stat(file).then(
    () => true,
    () => false,
  );
}

function ended(error: Error): void {
  if (error.name !== 'WorkflowNotFoundError') throw error;
}
