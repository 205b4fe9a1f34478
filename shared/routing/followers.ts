// Which processes follow a shipment, as the workflow knows that keeps its callbacks: the id of that workflow is made of the
// shipmentUid, so nobody has to search. It has given them what it kept, or a process has left its key there.
import { type Client, WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError } from '@temporalio/client';
import { UNMATCHED_CALLBACK } from '../../contract/flows/flow-types.ts';
import type {
  UnmatchedInput,
  UnmatchedMemo,
  UnmatchedResult,
} from '../../contract/flows/unmatched-callback.ts';
import { type KeepOptions, unmatchedId } from './keep-unmatched.ts';

export interface Follower {
  /** The key of the process. */
  readonly workflowId: string;
  /** One that it had when it came to know the shipment, if that is known. */
  readonly runId?: string | undefined;
}

/** Its processes; none while callbacks are kept, or if nothing is known of the shipment. */
export async function followersOf(client: Client, shipmentUid: string): Promise<readonly Follower[]> {
  try {
    const keeper = client.workflow.getHandle(unmatchedId(shipmentUid));
    const { runId, status, memo } = await keeper.describe();
    if (status.name !== 'COMPLETED') return [];
    const { followedBy, runId: runOfLast } = (memo ?? {}) as Partial<UnmatchedMemo>;
    if (followedBy)
      return followedBy.map((workflowId, index) =>
        index === followedBy.length - 1 ? { workflowId, runId: runOfLast } : { workflowId },
      );
    const result: UnmatchedResult = await client.workflow.getHandle(keeper.workflowId, runId).result();
    // What a person has claimed may be another's: the process hands it on.
    return result.ended === 'Delivered' ? result.to.map((workflowId) => ({ workflowId })) : [];
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return [];
    throw error;
  }
}

export interface Following {
  readonly shipmentUid: string;
  /** The keys of its processes: last the one that has come to know it. */
  readonly by: readonly string[];
  /** The run of that one, if it is known. */
  readonly runId?: string | undefined;
  /** Its callbacks carry the key of its process as their case number: nothing else is needed to find it. */
  readonly isFoundByCase: boolean;
}

/**
 * A process has come to know its shipment: what is kept of it goes there, and so does what comes later. Where nothing is kept, and
 * a case number leads to the process, it costs no action of Temporal.
 */
export async function follow(
  client: Client,
  { taskQueue, keepFor }: KeepOptions,
  { shipmentUid, by, runId, isFoundByCase }: Following,
): Promise<void> {
  const workflowId = unmatchedId(shipmentUid);
  const keeper = client.workflow.getHandle(workflowId);
  try {
    await keeper.signal('follow', by);
    return;
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
  if (isFoundByCase) return;
  const input: UnmatchedInput = { kind: 'shipment', shipmentUid, keepFor, followedBy: by };
  try {
    await client.workflow.start(UNMATCHED_CALLBACK, {
      workflowId,
      taskQueue,
      args: [input],
      memo: { followedBy: by, ...(runId !== undefined && { runId }) } satisfies Partial<UnmatchedMemo>,
      workflowIdConflictPolicy: 'FAIL',
      staticSummary: 'Says which process follows a shipment',
    });
  } catch (error) {
    // A callback has been kept meanwhile.
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    await keeper.signal('follow', by);
  }
}
