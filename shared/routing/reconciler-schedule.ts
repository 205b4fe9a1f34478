// The second way of a report: a Temporal Schedule that lists changed shipments, to find lost callbacks (architecture:
// Silence). Only for a service that can list its shipments.
import {
  type Client,
  ScheduleAlreadyRunning,
  ScheduleNotFoundError,
  ScheduleOverlapPolicy,
} from '@temporalio/client';
import { RECONCILE_SHIPMENTS } from '../../contract/flows/flow-types.ts';
import { internalIds } from '../../contract/flows/internal-ids.ts';
import type { ServiceProfile } from '../../contract/wire/service-profile.ts';

/** One for all workers of a task queue. */
export const reconcilerScheduleId = (taskQueue: string): string => `${internalIds.reconciler}${taskQueue}`;

export interface ReconcilerOptions {
  readonly taskQueue: string;
  /** 0: no reconciler. */
  readonly everySeconds: number;
  /** What the locker service can do: without getShipments it cannot list, and there is no reconciler. */
  readonly serviceProfile: Pick<ServiceProfile, 'capabilities'>;
}

/**
 * The first worker makes it; the others find it and set it to their own interval. It goes with the capability: a worker of a
 * service that cannot list any more takes it away.
 */
export async function ensureReconciler(
  client: Client,
  { taskQueue, everySeconds, serviceProfile }: ReconcilerOptions,
): Promise<void> {
  const scheduleId = reconcilerScheduleId(taskQueue);
  if (everySeconds === 0 || !serviceProfile.capabilities.has('getShipments'))
    return await removeSchedule(client, scheduleId);
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

async function removeSchedule(client: Client, scheduleId: string): Promise<void> {
  try {
    await client.schedule.getHandle(scheduleId).delete();
  } catch (error) {
    if (!(error instanceof ScheduleNotFoundError)) throw error;
  }
}
