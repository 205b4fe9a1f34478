// The notifier as Temporal runs it: a schedule that goes round once a minute for all workers of a task queue, and a run by hand for
// somebody who tries it out.
import { randomUUID } from 'node:crypto';
import { type Client, ScheduleNotFoundError, WorkflowFailedError } from '@temporalio/client';
import { ApplicationFailure, TimeoutFailure } from '@temporalio/common';
import { NOTIFY_OF_WORK } from '../../contract/flows/flow-types.ts';
import { internalIds } from '../../contract/flows/internal-ids.ts';
import type { NotifierState, NotifyInput, NotifyResult } from '../../contract/flows/notifications.ts';
import { ensureSchedule } from '../../shared/routing/ensure-schedule.ts';
import { CommandError } from '../outcome.ts';
import type { TemporalContext } from '../temporal-context.ts';

export const notifierId = (taskQueue: string): string => `${internalIds.notifier}${taskQueue}`;

const EVERY_SECONDS = 60;

/** @param isOn whether the worker has a connector for it; without one the schedule is taken away */
export const ensureNotifier = (client: Client, taskQueue: string, isOn: boolean): Promise<void> =>
  ensureSchedule(client, {
    scheduleId: notifierId(taskQueue),
    workflowType: NOTIFY_OF_WORK,
    taskQueue,
    everySeconds: isOn ? EVERY_SECONDS : 0,
  });

type Temporal = Pick<TemporalContext, 'client' | 'taskQueue'>;

/** A worker reads Work for it, and whoever waits is a person. */
const WITHIN = '90 seconds';

/** Throws CommandError. */
export async function tryNotifier(
  { client, taskQueue }: Temporal,
  mode: NotifyInput['mode'],
): Promise<NotifyResult> {
  const input: NotifyInput = { mode, state: await lastState({ client, taskQueue }) };
  try {
    return await client.workflow.execute<(input: NotifyInput) => Promise<NotifyResult>>(NOTIFY_OF_WORK, {
      taskQueue,
      workflowId: `${notifierId(taskQueue)} by hand ${randomUUID()}`,
      workflowExecutionTimeout: WITHIN,
      args: [input],
    });
  } catch (error) {
    throw error instanceof WorkflowFailedError ? notSent(error) : error;
  }
}

function notSent(error: WorkflowFailedError): CommandError {
  if (error.cause instanceof TimeoutFailure)
    return new CommandError('unreachable', 'NoWorker', `no worker has done it within ${WITHIN}`, {
      cause: error,
    });
  const failure = innermost(error);
  const code = failure instanceof ApplicationFailure ? (failure.type ?? 'Failed') : 'Failed';
  return new CommandError('failed', code, failure.message, { cause: error });
}

function innermost(error: Error): Error {
  const { cause } = error;
  return cause instanceof Error ? innermost(cause) : error;
}

/** What the last round of the schedule left. */
async function lastState({ client, taskQueue }: Temporal): Promise<NotifierState | null> {
  for (const runId of await lastRuns({ client, taskQueue })) {
    const handle = client.workflow.getHandle<() => Promise<NotifyResult>>(runId);
    const { status } = await handle.describe();
    if (status.name === 'COMPLETED') return (await handle.result()).state;
  }
  return null;
}

/** The ids of the workflows, the newest first. */
async function lastRuns({ client, taskQueue }: Temporal): Promise<string[]> {
  try {
    const { info } = await client.schedule.getHandle(notifierId(taskQueue)).describe();
    return info.recentActions.map(({ action }) => action.workflow.workflowId).reverse();
  } catch (error) {
    if (error instanceof ScheduleNotFoundError) return [];
    throw error;
  }
}
