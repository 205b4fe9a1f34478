// Checks that a process can still receive messages. Temporal silently accepts the cancellation of a process that has ended, and
// answers any other message as if the process had never existed.
import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { FlowNotFound } from '../client/flow-errors.ts';
import { internalWorkflows } from '../contract/flows/flow-types.ts';
import { Refusal } from './outcome.ts';

/**
 * Returns the process's flow. Throws FlowNotFound or Refusal, also for a workflow that is not a process: cancelling the one of
 * a parked callback would lose an acknowledged callback.
 */
export async function requireOpen(client: Client, workflowId: string): Promise<string> {
  const describing = client.workflow.getHandle(workflowId).describe();
  const { status, type } = await describing.catch((cause: unknown) => {
    throw cause instanceof WorkflowNotFoundError ? new FlowNotFound(workflowId, { cause }) : cause;
  });
  if (internalWorkflows.includes(type))
    throw new Refusal(
      'refused',
      'NoProcess',
      `${workflowId} is no process but a workflow ${type} of lockerflow itself; expected the business key of a process`,
    );
  if (status.name !== 'RUNNING')
    throw new Refusal('refused', 'FlowEnded', `${workflowId} has ended; expected a running flow`);
  return type;
}
