// Whether a worker takes the steps of processes. Without one all stand still, and what has been read of them stays as it is: nothing
// else would show it.
import { t } from '../../shared/texts/text.ts';
import { callTemporal, type TemporalContext } from '../temporal-context.ts';
import type { Unread } from './inbox-entry.ts';

/** A worker asks Temporal anew at least once a minute. */
const ASKED_WITHIN_MS = 75_000;
/** Temporal's number for the queue of workflow tasks. */
const WORKFLOW_QUEUE = 1;

interface Poller {
  readonly lastAccessTime?: { readonly seconds?: { toString(): string } | null } | null;
}

export async function missingWorkers(parts: TemporalContext, now = Date.now()): Promise<Unread[]> {
  const isRecent = ({ lastAccessTime }: Poller) =>
    Number(lastAccessTime?.seconds ?? 0) * 1_000 > now - ASKED_WITHIN_MS;
  const isThere =
    (await pollersOf(parts)).some(isRecent) || (await pollersOfAllPartitions(parts)).some(isRecent);
  return isThere ? [] : [noWorker()];
}

const pollersOf = async (parts: TemporalContext): Promise<readonly Poller[]> =>
  (await described(parts, {})).pollers ?? [];

/** A busy queue has several, and the first one's pollers are not all. */
async function pollersOfAllPartitions(parts: TemporalContext): Promise<readonly Poller[]> {
  const { versionsInfo } = await described(parts, {
    apiMode: 1,
    reportPollers: true,
    versions: { allActive: true, unversioned: true },
    taskQueueTypes: [WORKFLOW_QUEUE],
  });
  return Object.values(versionsInfo ?? {}).flatMap(({ typesInfo }) =>
    Object.values(typesInfo ?? {}).flatMap(({ pollers }) => pollers ?? []),
  );
}

const described = (parts: TemporalContext, more: object) =>
  callTemporal(parts, () =>
    parts.client.workflowService.describeTaskQueue({
      namespace: parts.client.options.namespace,
      taskQueue: { name: parts.taskQueue },
      taskQueueType: WORKFLOW_QUEUE,
      ...more,
    }),
  );

const noWorker = (): Unread => ({
  kind: null,
  what: t`whether cases go on`,
  why: t`no worker has asked for work for more than a minute, so all cases stand still; start one, or check LOCKERFLOW_TASK_QUEUE`,
});
