// The second road of a report: a Temporal Schedule that looks up what callbacks may have failed to tell (architecture: Silence).
// Only for a service that can list its shipments.
import { type Client, ScheduleAlreadyRunning, ScheduleOverlapPolicy } from '@temporalio/client';
import { RECONCILE_SHIPMENTS } from '../contract/flows/flow-types.ts';

/** One for all workers of a task queue. */
export const reconcilerScheduleId = (taskQueue: string): string => `reconciler of ${taskQueue}`;

export interface ReconcilerOptions {
  readonly taskQueue: string;
  readonly everySeconds: number;
}

/** Made by whichever worker comes first; the others find it there, and set its pace to their own. */
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
      // A run that takes longer than the pace is not overtaken by the next: they would tell the same twice.
      policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1 minute' },
    });
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    await client.schedule.getHandle(scheduleId).update((schedule) => ({ ...schedule, spec, action }));
  }
}
