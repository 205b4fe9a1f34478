// The second way of a report: a Temporal Schedule that lists changed shipments, to find lost callbacks (architecture:
// Silence). Only for a service that can list its shipments.
import { type Client, ScheduleAlreadyRunning, ScheduleOverlapPolicy } from '@temporalio/client';
import { RECONCILE_SHIPMENTS } from '../contract/flows/flow-types.ts';

/** One for all workers of a task queue. */
export const reconcilerScheduleId = (taskQueue: string): string => `reconciler of ${taskQueue}`;

export interface ReconcilerOptions {
  readonly taskQueue: string;
  readonly everySeconds: number;
}

/** The first worker makes it; the others find it and set it to their own interval. */
export async function ensureReconciler(
  client: Client,
  { taskQueue, everySeconds }: ReconcilerOptions,
): Promise<void> {
  const scheduleId = reconcilerScheduleId(taskQueue);
  const spec = { intervals: [{ every: everySeconds * 1_000 }] };
  const action = {
    type: 'startWorkflow' as const,
    workflowType: RECONCILE_SHIPMENTS,
    workflowId: scheduleId,
    taskQueue,
    args: [],
  };
  try {
    await client.schedule.create({
      scheduleId,
      spec,
      action,
      // Runs never overlap, also if one takes longer than the interval: both would send the same reports.
      policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1 minute' },
    });
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    await client.schedule.getHandle(scheduleId).update((schedule) => ({ ...schedule, spec, action }));
  }
}
