// The queues of locks and rate limits, for the processes that ask them for permits. A request starts its queue if it is not there:
// once it has an answer it is not lost, whether a worker runs or not.
import { type Client, WorkflowIdConflictPolicy, WorkflowNotFoundError } from '@temporalio/client';
import type { ListeningProcess } from '../../contract/flows/correlation.ts';
import { PROCESS_LOCK, RATE_LIMIT } from '../../contract/flows/flow-types.ts';
import { internalIds } from '../../contract/flows/internal-ids.ts';
import {
  PERMIT_SIGNAL,
  type Permit,
  type PermitRequest,
  type PermitSource,
  permitSignals,
} from '../../contract/flows/permits.ts';
import { handTo } from './mailboxes.ts';
import { readable } from './park.ts';

export const queueTypes: Readonly<Record<PermitSource, string>> = { lock: PROCESS_LOCK, rate: RATE_LIMIT };

export const permitQueueId = (src: PermitSource, key: string): string =>
  `${internalIds[src]}${readable(key)}`;

export async function requestPermit(
  client: Client,
  taskQueue: string,
  process: ListeningProcess,
  request: PermitRequest,
): Promise<void> {
  const { src, key } = request;
  await client.workflow.signalWithStart(queueTypes[src], {
    workflowId: permitQueueId(src, key),
    taskQueue,
    args: [],
    signal: permitSignals.request,
    signalArgs: [process, request],
    workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
    staticSummary: src === 'lock' ? 'A lock of flow files' : 'A rate limit of flow files',
  });
}

/** A queue that has ended knows of no permit. */
export async function releasePermit(
  client: Client,
  process: ListeningProcess,
  { src, key, id }: PermitRequest,
): Promise<void> {
  try {
    await client.workflow.getHandle(permitQueueId(src, key)).signal(permitSignals.release, process, { id });
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
}

/** False: that process has ended. */
export const givePermit = (client: Client, process: ListeningProcess, permit: Permit): Promise<boolean> =>
  handTo(client, process, permit, PERMIT_SIGNAL);
