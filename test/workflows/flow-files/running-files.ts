// Runs flow files on a real Temporal: they are published as a user publishes them, and the project's own workflows run them.
import { randomUUID } from 'node:crypto';
import { type Client, type WorkflowHandle, WorkflowUpdateFailedError } from '@temporalio/client';
import { Worker } from '@temporalio/worker';
import { afterAll, beforeAll, describe } from 'vitest';
import { callConnector } from '../../../activities/connectors/call-connector.ts';
import { Connectors } from '../../../activities/connectors/connectors.ts';
import { emitEvent } from '../../../activities/connectors/emit-event.ts';
import type { ConnectorCall, EmittedEvent, LockerApiCall } from '../../../activities/flow-file-activities.ts';
import { correlationActivities } from '../../../activities/flow-files/correlation-activities.ts';
import { fetchFlowDefinition } from '../../../activities/flow-files/fetch-flow-definition.ts';
import { migrationActivities } from '../../../activities/migrations/migration-activities.ts';
import { publishFiles } from '../../../client/flow-files/publish.ts';
import { isAccountOperation } from '../../../contract/flows/account-operations.ts';
import type { Json } from '../../../flows/language/flow-file.ts';
import type { FlowFileProgress } from '../../../flows/language/machine/progress.ts';
import type { PublishResult } from '../../../flows/language/registry.ts';
import type { TemporalServer } from '../../../local/temporal/server.ts';
import { batchActivities } from '../../../processes/batches/batch-activities.ts';
import { bundleOf } from '../../support/bundles.ts';
import {
  connectClient,
  newTaskQueue,
  type RunningClient,
  type RunningWorker,
  runWorker,
  startServerOfShortRuns,
  untilProgress as untilItsProgress,
} from '../../support/temporal.ts';
import type { Outside } from '../outside.ts';
import { activitiesOf } from '../outside-activities.ts';
import { sendReport } from '../running-flows.ts';

/**
 * @param address of the Temporal on which the files run, if it is not the shared one. It is known when the tests begin.
 * @param namespace of it
 */
export function runningFiles(address?: () => string, namespace = 'default') {
  const taskQueue = newTaskQueue();
  /** The outside of each child flow that books, by its workflow id. */
  const outsides = new Map<string, Outside>();
  const calls: LockerApiCall[] = [];
  let worker: RunningWorker;
  let connected: RunningClient;
  const files = {
    taskQueue,
    get client(): Client {
      return connected.client;
    },
    outsides,
    calls,
    /** Answers a call of the locker API. Throws if the API refuses it. */
    answer: (_: LockerApiCall): Json => ({}),
    /** The registry answers only after this promise. */
    definitionsAreAt: Promise.resolve(),
    /** The connectors that files use for calls; none unless a test sets some. */
    connectors: new Connectors({ connectors: [], events: null }),
    publish: async (text: string): Promise<PublishResult> => {
      const [result] = await publishFiles(connected.client, [{ path: 'flow.yaml', text }], taskQueue);
      return result as PublishResult;
    },
    start: (name: string, input: object): Promise<WorkflowHandle> =>
      connected.client.workflow.start(name, {
        taskQueue,
        workflowId: `${name}-${randomUUID()}`,
        args: [input],
      }),
    /** Stops the worker and starts another one. `meanwhile` runs in between, without a worker. */
    restartWorker: async (meanwhile: () => Promise<void> = async () => {}) => {
      await worker.stop();
      await meanwhile();
      worker = await startWorker();
    },
    /** Replays every run of the process; gives how many events each has. */
    replays: async (workflowId: string) => {
      const lengths: number[] = [];
      const { workflow } = connected.client;
      for await (const { runId } of workflow.list({ query: `WorkflowId = "${workflowId}"` })) {
        const history = await workflow.getHandle(workflowId, runId).fetchHistory();
        await Worker.runReplayHistory({ workflowBundle: await bundleOf() }, history, workflowId);
        lengths.push(history.events?.length ?? 0);
      }
      return lengths;
    },
    /** The callbacks of this outside reach the child flow. */
    attend: (workflowId: string, outside: Outside) => {
      outsides.set(workflowId, outside);
      outside.deliver = (report) => sendReport(connected.client.workflow.getHandle(workflowId), report);
    },
  };
  beforeAll(async () => {
    connected = await connectClient(address?.(), namespace);
    worker = await startWorker();
  });
  const ofOutside = activitiesOf(outsides);
  const startWorker = () =>
    runWorker({
      taskQueue,
      namespace,
      ...(address && { address: address() }),
      activities: {
        ...ofOutside,
        ...migrationActivities(),
        ...batchActivities(),
        ...correlationActivities,
        fetchFlowDefinition: async (asked: Parameters<typeof fetchFlowDefinition>[0]) => {
          await files.definitionsAreAt;
          return fetchFlowDefinition(asked);
        },
        callLockerApi: async (call: LockerApiCall) => {
          if (isAccountOperation(call.operation)) return await ofOutside.callLockerApi?.(call);
          calls.push(call);
          return files.answer(call);
        },
        emitEvent: (event: EmittedEvent) => emitEvent(files.connectors, event),
        callConnector: (call: ConnectorCall) => callConnector(files.connectors, call),
      },
    });
  afterAll(async () => {
    await worker.stop();
    await connected.close();
  });
  return files;
}

/** Files on a separate Temporal, where a process continues as a new run after about 20 events. */
export function runningFilesOfShortRuns() {
  let server: TemporalServer;
  // This hook is before the hooks of `runningFiles`, because they need the address.
  beforeAll(async () => {
    server = await startServerOfShortRuns();
  });
  // vitest runs the hooks after the tests in reverse order. So the server stops after the worker, which needs it.
  afterAll(() => server.stop());
  return runningFiles(() => server.address);
}

type RunningFiles = ReturnType<typeof runningFiles>;

/** The same tests with processes of one run and, in the long suite, with processes that continue all the time. */
export function withShortRunsToo(tests: (files: RunningFiles, hasShortRuns: boolean) => void): void {
  describe('of one run', () => tests(runningFiles(), false));
  describe('that continues all the time', { tags: 'long' }, () => tests(runningFilesOfShortRuns(), true));
}

export const untilProgress = untilItsProgress<FlowFileProgress>;

/** The waits for a time among what it waits for. */
export const timesOf = ({ waitingFor }: FlowFileProgress) => waitingFor.filter(({ kind }) => kind === 'time');

/** How many items of its `each` are done. */
export const itemsDoneOf = ({ waitingFor }: FlowFileProgress): number =>
  Number(waitingFor.find(({ code }) => code === 'Batch')?.params?.done ?? 0);

/** The message with which an update is refused. */
export async function refusalOf(update: Promise<unknown>): Promise<string> {
  return await update.then(
    () => 'not refused',
    (error: unknown) =>
      error instanceof WorkflowUpdateFailedError ? (error.cause?.message ?? '') : String(error),
  );
}

export const uniqueName = (name: string): string => `${name}${randomUUID().slice(0, 8)}`;
