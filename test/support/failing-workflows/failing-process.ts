// A process at which a worker fails again and again.
import { fileURLToPath } from 'node:url';
import type { Client, WorkflowHandle } from '@temporalio/client';
import { vi } from 'vitest';
import { newTaskQueue, startWorker } from '../temporal.ts';

const workflows = fileURLToPath(new URL('./workflows.ts', import.meta.url));

/** Its worker is stopped with the test. */
export async function startFailing(
  client: Client,
  flow: 'Issue' | 'Intake',
  workflowId: string,
  { taskQueue = newTaskQueue(), address }: { taskQueue?: string; address?: string } = {},
): Promise<WorkflowHandle> {
  await startWorker({ taskQueue, workflows, ...(address && { address }) });
  return await client.workflow.start(flow, { taskQueue, workflowId, args: [{ request: {} }] });
}

/** Until a worker has failed at it. */
export const untilFailing = (handle: WorkflowHandle): Promise<unknown> =>
  vi.waitUntil(
    async () => {
      const { events } = await handle.fetchHistory();
      return events?.some(({ workflowTaskFailedEventAttributes: failed }) => failed);
    },
    { timeout: 60_000, interval: 100 },
  );
