// Whether a process can still get messages. Temporal accepts the cancellation of a process that has ended, without effect; for
// any other message it says that there is no such process.
import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { FlowNotFound } from '../client/flow-errors.ts';
import { internalWorkflows } from '../contract/flows/flow-types.ts';
import { Refusal } from './outcome.ts';

/**
 * Gives its flow. Throws FlowNotFound or Refusal, also where it is no process at all: the cancellation of a parked callback
 * would lose what was accepted.
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
