// The second way of a report: a Temporal Schedule that lists changed shipments, to find lost callbacks (architecture:
// Silence). Only for a service that can list its shipments.
import type { Client } from '@temporalio/client';
import { RECONCILE_SHIPMENTS } from '../../contract/flows/flow-types.ts';
import { internalIds } from '../../contract/flows/internal-ids.ts';
import type { ServiceProfile } from '../../contract/wire/service-profile.ts';
import { ensureSchedule } from './ensure-schedule.ts';

/** One for all workers of a task queue. */
export const reconcilerScheduleId = (taskQueue: string): string => `${internalIds.reconciler}${taskQueue}`;

export interface ReconcilerOptions {
  readonly taskQueue: string;
  /** 0: no reconciler. */
  readonly everySeconds: number;
  /** What the locker service can do: without getShipments it cannot list, and there is no reconciler. */
  readonly serviceProfile: Pick<ServiceProfile, 'capabilities'>;
}

/** It goes with the capability: a worker of a service that cannot list any more takes it away. */
export async function ensureReconciler(
  client: Client,
  { taskQueue, everySeconds, serviceProfile }: ReconcilerOptions,
): Promise<void> {
  await ensureSchedule(client, {
    scheduleId: reconcilerScheduleId(taskQueue),
    workflowType: RECONCILE_SHIPMENTS,
    taskQueue,
    everySeconds: serviceProfile.capabilities.has('getShipments') ? everySeconds : 0,
  });
}
