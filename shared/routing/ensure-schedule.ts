// A Temporal Schedule that runs a workflow of lockerflow itself every so many seconds: one for all workers of a task queue.
import {
  type Client,
  ScheduleAlreadyRunning,
  ScheduleNotFoundError,
  ScheduleOverlapPolicy,
} from '@temporalio/client';

export interface EverySeconds {
  readonly scheduleId: string;
  readonly workflowType: string;
  readonly taskQueue: string;
  /** 0: it is taken away. */
  readonly everySeconds: number;
}

/** The first worker makes it; the others find it and set it to their own interval. */
export async function ensureSchedule(
  client: Client,
  { scheduleId, workflowType, taskQueue, everySeconds }: EverySeconds,
): Promise<void> {
  if (everySeconds === 0) return await removeSchedule(client, scheduleId);
  const spec = { intervals: [{ every: everySeconds * 1_000 }] };
  const action = {
    type: 'startWorkflow' as const,
    workflowType,
    workflowId: scheduleId,
    taskQueue,
    args: [],
  };
  try {
    await client.schedule.create({
      scheduleId,
      spec,
      action,
      // Runs never overlap, also if one takes longer than the interval: both would send the same.
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
