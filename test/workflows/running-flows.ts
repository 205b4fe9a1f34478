// Runs the project's workflows on one real worker for each test file. Each process has its own outside.
import { randomUUID } from 'node:crypto';
import {
  WithStartWorkflowOperation,
  type WorkflowHandle,
  WorkflowNotFoundError,
  type WorkflowStartOptions,
} from '@temporalio/client';
import { afterAll, beforeAll } from 'vitest';
import type { Progress } from '../../contract/flows/flow-answers.ts';
import type { ShipmentReport } from '../../contract/flows/flow-messages.ts';
import {
  connectClient,
  newTaskQueue,
  type RunningClient,
  type RunningWorker,
  runWorker,
  untilProgress as untilItsProgress,
} from '../support/temporal.ts';
import type { Outside } from './outside.ts';
import { activitiesOf } from './outside-activities.ts';

export function runningFlows() {
  const taskQueue = newTaskQueue();
  const outsides = new Map<string, Outside>();
  let worker: RunningWorker;
  let connected: RunningClient;
  beforeAll(async () => {
    connected = await connectClient();
    worker = await runWorker({
      taskQueue,
      activities: activitiesOf(outsides),
      // No other worker takes over. So a task that this worker takes late is not offered again, which would add events.
      stickyQueueScheduleToStartTimeout: '30 s',
    });
  });
  afterAll(async () => {
    await worker.stop();
    await connected.close();
  });
  /** The callbacks of the outside reach it. */
  const attend = (outside: Outside, workflowId: string) => {
    outsides.set(workflowId, outside);
    const { deliver } = outside;
    const handle = connected.client.workflow.getHandle(workflowId);
    outside.deliver = async (report) => {
      await deliver(report);
      await sendReport(handle, report);
    };
  };
  return {
    /** Starts a flow together with an update. */
    startWithUpdate: async (
      outside: Outside,
      type: string,
      input: object,
      update: readonly [name: string, payload: object],
    ) => {
      const workflowId = `${type}-${randomUUID()}`;
      attend(outside, workflowId);
      const startWorkflowOperation = new WithStartWorkflowOperation(type, {
        taskQueue,
        workflowId,
        workflowIdConflictPolicy: 'FAIL',
        args: [input],
      });
      const [name, payload] = update;
      await connected.client.workflow.executeUpdateWithStart(name, {
        startWorkflowOperation,
        args: [payload],
      });
      return await startWorkflowOperation.workflowHandle();
    },
    /** Starts a flow. The callbacks of the outside reach every flow that was started with it. */
    start: async (
      outside: Outside,
      type: string,
      input: object,
      options: Partial<WorkflowStartOptions> = {},
    ): Promise<WorkflowHandle> => {
      const workflowId = `${type}-${randomUUID()}`;
      attend(outside, workflowId);
      return await connected.client.workflow.start(type, {
        taskQueue,
        workflowId,
        args: [input],
        ...options,
      });
    },
  };
}

/** Sends a report to a flow as the receiver does. If the flow has ended, nothing happens. */
export async function sendReport(handle: WorkflowHandle, report: ShipmentReport): Promise<void> {
  await handle.signal('shipmentStatus', report).catch((error) => {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  });
}

export const untilProgress = untilItsProgress<Progress>;

export const follows = (handle: WorkflowHandle): Promise<Progress> =>
  untilProgress(handle, ({ activity }) => activity === 'Following' || activity === 'Ended');
