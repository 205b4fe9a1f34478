// Records what the replay test replays: `npm run record-histories`. For each flow one process on its newest version, its
// history taken while it waits in each state, and at its end; and one that is cancelled. What is there is never
// overwritten: a change of a definition is a new version, and what the old one's recordings say it must still do.
import { mkdir, stat, writeFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client, Connection, type WorkflowHandle } from '@temporalio/client';
import proto from '@temporalio/proto';
import { NativeConnection, Worker } from '@temporalio/worker';
import type { Progress } from '../../contract/flow-messages.ts';
import { searchAttributes } from '../../contract/search-attributes.ts';
import { startTemporalServer } from '../../local/temporal-server.ts';
import { declarations } from '../../workflows/declarations.ts';
import type { Workflow } from '../../workflows/driver/flow.ts';
import type { TracedStep } from '../../workflows/driver/trace.ts';
import * as workflows from '../../workflows/index.ts';
import { Outside } from './outside.ts';
import { type Recording, recordingFile } from './recordings.ts';
import { requestOf, type Story, stories } from './stories.ts';

const workflowsPath = fileURLToPath(new URL('../../workflows/index.ts', import.meta.url));
// In place of process and host, which tell nothing and would be published.
const identity = 'recording';
const taskQueue = 'recording';

const server = await startTemporalServer({ searchAttributes });
const connection = await Connection.connect({ address: server.address });
const client = new Client({ connection, identity });
const traces = new Map<string, TracedStep[]>();
let outside = new Outside();

const worker = await Worker.create({
  connection: await NativeConnection.connect({ address: server.address }),
  identity,
  taskQueue,
  workflowsPath,
  activities: Object.fromEntries(
    Object.keys(outside.activities).map((name) => [
      name,
      (input: never) => outside.activities[name as keyof Outside['activities']](input),
    ]),
  ),
  sinks: {
    trace: {
      step: {
        fn: ({ workflowId }, step: TracedStep) =>
          void traces.set(workflowId, [...(traces.get(workflowId) ?? []), step]),
        callDuringReplay: false,
      },
    },
  },
});

await worker.runUntil(async () => {
  for (const story of stories) {
    await record(story, story.deeds.length, 'done');
    await record(story, 0, 'cancelled');
  }
  await recordOnboarding();
});
await connection.close();
await server.stop();

async function record(story: Story, deeds: number, end: 'done' | 'cancelled'): Promise<void> {
  const version = newestVersion(story.flow);
  if (await exists(recordingFile(story.flow, version, end))) return;
  outside = new Outside();
  const workflowId = `${story.flow}-${end}`;
  const request = await requestOf(story, outside);
  const deadlines = end === 'done' ? {} : { deadlines: deadlinesOf(story) };
  const handle = client.workflow.getHandle(workflowId);
  outside.deliver = (report) => handle.signal('shipmentStatus', report).catch(ended);
  await client.workflow.start(story.flow, { workflowId, taskQueue, args: [{ request, ...deadlines }] });
  await settled(handle);
  await keep(story.flow, version, `${end}-waiting-0`, workflowId, handle);
  for (const [index, [role, deed]] of story.deeds.slice(0, deeds).entries()) {
    await outside.does(outside.uid(role), deed);
    await settled(handle);
    const isLast = index === story.deeds.length - 1;
    if (!isLast) await keep(story.flow, version, `${end}-waiting-${index + 1}`, workflowId, handle);
  }
  if (end === 'cancelled') await handle.cancel();
  await handle.result().catch(() => undefined);
  await keep(story.flow, version, end, workflowId, handle);
}

/** The one that new processes are started on. */
function newestVersion(flow: string): number {
  const { definitions } =
    (workflows as Partial<Record<string, Partial<Workflow<never, unknown>>>>)[flow] ?? {};
  if (!definitions) throw new TypeError(`workflows/index.ts exports no flow ${flow}`);
  return Math.max(...Object.keys(definitions).map(Number));
}

/** It waits for nobody: there is only its end. */
async function recordOnboarding(): Promise<void> {
  const flow = 'OnboardAccount';
  const version = newestVersion(flow);
  if (await exists(recordingFile(flow, version, 'done'))) return;
  const request = {
    emailAddress: 'a@example.com',
    firstName: 'A',
    lastName: 'B',
    pickUpPointUid: 'pup-central',
  };
  const workflowId = `${flow}-done`;
  const handle = await client.workflow.start(flow, { workflowId, taskQueue, args: [{ request }] });
  await handle.result();
  await keep(flow, version, 'done', workflowId, handle);
}

/** One deadline where the flow takes any, so that its timer is recorded too. */
function deadlinesOf({ flow }: Story): object {
  const legs = Object.entries(declarations.find(({ name }) => name === flow)?.legs ?? {});
  const [first] = legs.flatMap(([role, { deadlines }]) =>
    deadlines[0] ? [[role, { [deadlines[0]]: 'P1D' }]] : [],
  );
  return first ? Object.fromEntries([first]) : {};
}

/** Booked, and nothing more to come: every signal that was sent has had its task. */
async function settled(handle: WorkflowHandle): Promise<void> {
  for (let before = -1; ; ) {
    const progress = await handle.query<Progress>('progress');
    const { historyLength } = await handle.describe();
    if (progress.activity !== 'Booking' && historyLength === before) return;
    before = historyLength;
    await pause(300);
  }
}

async function keep(flow: string, version: number, name: string, workflowId: string, handle: WorkflowHandle) {
  const file = recordingFile(flow, version, name);
  await mkdir(new URL('.', file), { recursive: true });
  const history = await handle.fetchHistory();
  const encoded = proto.temporal.api.history.v1.History.encode(history).finish();
  const recording: Recording = {
    workflowId,
    trace: traces.get(workflowId) ?? [],
    history: Buffer.from(encoded).toString('base64'),
  };
  await writeFile(file, `${JSON.stringify(recording, null, 1)}\n`);
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
