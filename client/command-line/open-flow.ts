// Whether a flow can still get messages, and which. Temporal accepts the cancellation of a flow that has ended, without effect;
// for any other message it says that there is no such flow.
import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { internalWorkflows } from '../../contract/flows/flow-types.ts';
import { CommandFailed } from '../../runtime/terminal/exit-codes.ts';
import { FlowNotFound } from '../flow-errors.ts';
import { type AtTemporal, answered } from './temporal.ts';

/** Also that it is a flow at all: with a parked callback its cancellation would lose what was accepted. */
export async function requireOpen(client: Client, workflowId: string): Promise<void> {
  const describing = client.workflow.getHandle(workflowId).describe();
  const { status, type } = await describing.catch((cause: unknown) => {
    throw cause instanceof WorkflowNotFoundError ? new FlowNotFound(workflowId, { cause }) : cause;
  });
  if (internalWorkflows.includes(type))
    throw new CommandFailed(
      'failed',
      `${workflowId} is no process but a workflow ${type} of lockerflow itself; expected the business key of a process (lockerflow parked decides about parked callbacks)`,
    );
  if (status.name !== 'RUNNING')
    throw new CommandFailed('failed', `${workflowId} has ended; expected a running flow`);
}

/**
 * Why nobody outside may tell a process of a flow file this event; undefined: nothing is known against it. Without a worker
 * nobody can say: the process itself drops such an event later.
 */
export async function refusalOfEvent(
  temporal: AtTemporal,
  key: string,
  type: string,
): Promise<string | undefined> {
  const asked = answered(temporal, () => temporal.flows.fileHandle(key).progress());
  const { childEvents = [] } = await asked.catch(() => ({ childEvents: [] as readonly string[] }));
  const isOfChild = childEvents.some(
    (taken) => taken === type || (taken.endsWith('.*') && type.startsWith(taken.slice(0, -1))),
  );
  if (!isOfChild) return undefined;
  return 'comes only from the flow that the process has started: nobody else may send it';
}
