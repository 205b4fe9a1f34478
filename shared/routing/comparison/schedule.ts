// The comparison of flows with the locker service as a Temporal Schedule, which the workers carry out.
import {
  type Client,
  ScheduleAlreadyRunning,
  ScheduleNotFoundError,
  ScheduleOverlapPolicy,
} from '@temporalio/client';
import { COMPARE_STORES } from '../../../contract/flows/flow-types.ts';
import { internalIds } from '../../../contract/flows/internal-ids.ts';
import type { Comparison } from './compare.ts';

/** One for all workers of a task queue. */
export const comparisonScheduleId = (taskQueue: string): string => `${internalIds.comparison}${taskQueue}`;

export interface ComparisonPlan {
  readonly taskQueue: string;
  readonly everyMs: number;
  readonly input: { readonly endedWithinMs: number; readonly perSecond: number; readonly settleMs: number };
}

const HOUR_MS = 3_600_000;

/** How far a comparison looks back if there is one so often: what ended between two is seen by the second. */
export const lookBackMs = (everyMs: number): number => everyMs + HOUR_MS;

/** If a person asks for no others. A comparison that is due every day leaves no gap with them. */
export const usualComparison = {
  endedWithinMs: lookBackMs(24 * HOUR_MS),
  perSecond: 20,
  settleMs: 5_000,
} satisfies ComparisonPlan['input'];

/** Makes it, or sets the one that is there to this plan. */
export async function ensureComparison(client: Client, plan: ComparisonPlan): Promise<string> {
  const { taskQueue, everyMs, input } = plan;
  const scheduleId = comparisonScheduleId(taskQueue);
  const spec = { intervals: [{ every: everyMs }] };
  const action = {
    type: 'startWorkflow' as const,
    workflowType: COMPARE_STORES,
    workflowId: scheduleId,
    taskQueue,
    args: [input],
  };
  const policies = { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1 minute' as const };
  try {
    const state = { triggerImmediately: true };
    await client.schedule.create({ scheduleId, spec, action, policies, state });
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    await client.schedule.getHandle(scheduleId).update((schedule) => ({ ...schedule, spec, action }));
  }
  return scheduleId;
}

/** False: there was none. */
export async function deleteComparison(client: Client, taskQueue: string): Promise<boolean> {
  try {
    await client.schedule.getHandle(comparisonScheduleId(taskQueue)).delete();
    return true;
  } catch (error) {
    if (error instanceof ScheduleNotFoundError) return false;
    throw error;
  }
}

export async function isComparisonPlanned(client: Client, taskQueue: string): Promise<boolean> {
  try {
    await client.schedule.getHandle(comparisonScheduleId(taskQueue)).describe();
    return true;
  } catch (error) {
    if (error instanceof ScheduleNotFoundError) return false;
    throw error;
  }
}

export async function lastComparison(
  client: Client,
  taskQueue: string,
): Promise<Comparison | 'noSchedule' | 'notYet'> {
  try {
    const { info } = await client.schedule.getHandle(comparisonScheduleId(taskQueue)).describe();
    for (const { action } of info.recentActions.toReversed()) {
      const { workflowId, firstExecutionRunId } = action.workflow;
      const run = client.workflow.getHandle<() => Promise<Comparison>>(workflowId, firstExecutionRunId);
      // The newest may be under way, for minutes: nobody waits for it.
      if ((await run.describe()).status.name !== 'RUNNING') return await run.result();
    }
    return 'notYet';
  } catch (error) {
    if (error instanceof ScheduleNotFoundError) return 'noSchedule';
    throw error;
  }
}
