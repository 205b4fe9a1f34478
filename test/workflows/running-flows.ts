// The project's workflows on one real worker for a file of tests; each process has an outside of its own.
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { Context } from '@temporalio/activity';
import { type WorkflowHandle, WorkflowNotFoundError, type WorkflowStartOptions } from '@temporalio/client';
import { afterAll, beforeAll, vi } from 'vitest';
import type { FlowActivities } from '../../activities/flow-activities.ts';
import type { Progress, ShipmentReport } from '../../contract/flow-messages.ts';
import {
  connectClient,
  newTaskQueue,
  type RunningClient,
  type RunningWorker,
  runWorker,
} from '../support/temporal.ts';
import type { Outside } from './outside.ts';

const workflows = fileURLToPath(new URL('../../workflows/index.ts', import.meta.url));

export interface RunningFlows {
  /** Callbacks of the outside reach every flow that was started with it. */
  start(
    outside: Outside,
    type: string,
    input: object,
    options?: Partial<WorkflowStartOptions>,
  ): Promise<WorkflowHandle>;
}

export function runningFlows(file = workflows): RunningFlows {
  const taskQueue = newTaskQueue();
  const outsides = new Map<string, Outside>();
  let worker: RunningWorker;
  let connected: RunningClient;
  beforeAll(async () => {
    connected = await connectClient();
    worker = await runWorker({ taskQueue, workflows: file, activities: activitiesOf(outsides) });
  });
  afterAll(async () => {
    await worker.stop();
    await connected.close();
  });
  return {
    start: async (outside, type, input, options = {}) => {
      const workflowId = `${type}-${randomUUID()}`;
      outsides.set(workflowId, outside);
      const { deliver } = outside;
      const handle = connected.client.workflow.getHandle(workflowId);
      outside.deliver = async (report) => {
        await deliver(report);
        await tell(handle, report);
      };
      return await connected.client.workflow.start(type, {
        taskQueue,
        workflowId,
        args: [input],
        ...options,
      });
    },
  };
}

const names: readonly (keyof Outside['activities'])[] = [
  'book',
  'undo',
  'changeReceiver',
  'parkReports',
  'createOrGetAccount',
  'setAccountPickUpPoint',
  'setAccountMutationConfig',
];

/** Each call goes to the outside of the process that makes it. */
function activitiesOf(outsides: ReadonlyMap<string, Outside>): Partial<FlowActivities> {
  const call = (name: keyof Outside['activities']) => async (input: never) => {
    const { workflowId = '' } = Context.current().info.workflowExecution ?? {};
    const outside = outsides.get(workflowId);
    if (!outside) throw new TypeError(`no outside for ${workflowId}`);
    return await outside.activities[name](input);
  };
  return Object.fromEntries(names.map((name) => [name, call(name)]));
}

/** As the receiver does; a flow that has ended does not mind. */
export async function tell(handle: WorkflowHandle, report: ShipmentReport): Promise<void> {
  await handle.signal('shipmentStatus', report).catch((error) => {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  });
}

export async function untilProgress(
  handle: WorkflowHandle,
  holds: (progress: Progress) => boolean,
): Promise<Progress> {
  return await vi.waitUntil(
    async () => {
      const progress = await handle.query<Progress>('progress').catch(() => undefined);
      return progress && holds(progress) ? progress : false;
    },
    { timeout: 20_000, interval: 30 },
  );
}

export const follows = (handle: WorkflowHandle): Promise<Progress> =>
  untilProgress(handle, ({ activity }) => activity === 'Following' || activity === 'Ended');
