// Whether a flow can still get messages. Temporal accepts the cancellation of a flow that has ended, without effect;
// for any other message it says that there is no such flow.
import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { CommandFailed } from '../../runtime/terminal/exit-codes.ts';
import { FlowNotFound } from '../flow-errors.ts';

export async function requireOpen(client: Client, workflowId: string): Promise<void> {
  const describing = client.workflow.getHandle(workflowId).describe();
  const { status } = await describing.catch((cause: unknown) => {
    throw cause instanceof WorkflowNotFoundError ? new FlowNotFound(workflowId, { cause }) : cause;
  });
  if (status.name !== 'RUNNING')
    throw new CommandFailed('failed', `${workflowId} has ended; expected a running flow`);
}
