// Whether a worker takes the steps of processes. Without one all stand still, and what has been read of them stays as it is: nothing
// else would show it.
import { t } from '../../shared/texts/text.ts';
import { callTemporal, type TemporalContext } from '../temporal-context.ts';
import type { Unread } from './inbox-entry.ts';

/** A worker asks Temporal anew at least once a minute. */
const ASKED_WITHIN_MS = 75_000;
/** Temporal's number for the queue of workflow tasks. */
const WORKFLOW_QUEUE = 1;

export async function missingWorkers(parts: TemporalContext, now = Date.now()): Promise<Unread[]> {
  const { client, taskQueue } = parts;
  const { pollers } = await callTemporal(parts, () =>
    client.workflowService.describeTaskQueue({
      namespace: client.options.namespace,
      taskQueue: { name: taskQueue },
      taskQueueType: WORKFLOW_QUEUE,
    }),
  );
  const asked = pollers.map(({ lastAccessTime }) => Number(lastAccessTime?.seconds ?? 0) * 1_000);
  return Math.max(0, ...asked) > now - ASKED_WITHIN_MS ? [] : [noWorker()];
}

const noWorker = (): Unread => ({
  kind: null,
  what: t`whether cases go on`,
  why: t`no worker has asked for work for more than a minute, so all cases stand still; start one, or check LOCKERFLOW_TASK_QUEUE`,
});
