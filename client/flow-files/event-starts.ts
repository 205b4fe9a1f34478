// `starts` of published flow files: for the type of each event, which flows it starts.
import { type Client, WithStartWorkflowOperation, WorkflowNotFoundError } from '@temporalio/client';
import { EVENT_STARTS } from '../../contract/flows/flow-types.ts';
import { internalIds } from '../../contract/flows/internal-ids.ts';
import { eventStartsId, STARTED_FLOWS_MEMO, STARTS_UPDATE } from '../../flows/language/correlation.ts';
import type { FlowFile } from '../../flows/language/flow-file.ts';

type EventStarts = () => Promise<void>;

/** Makes them those of the file; resolves when an event has that effect, for which a worker must run. */
export async function keepStarts(
  client: Client,
  { name, starts = {} }: FlowFile,
  before: FlowFile['starts'] = {},
  taskQueue: string,
): Promise<void> {
  for (const type of Object.keys(starts))
    await client.workflow.executeUpdateWithStart<EventStarts, void, [string, boolean]>(STARTS_UPDATE, {
      args: [name, true],
      startWorkflowOperation: new WithStartWorkflowOperation<EventStarts>(EVENT_STARTS, {
        workflowId: eventStartsId(type),
        taskQueue,
        args: [],
        workflowIdConflictPolicy: 'USE_EXISTING',
        staticSummary: `What ${type} starts`,
      }),
    });
  // Also if the version before had none: a publication whose answer was lost may have left what that one did not have.
  const there = new Set([...Object.keys(before), ...(await startedBy(client, name))]);
  for (const type of there) {
    if (Object.hasOwn(starts, type)) continue;
    try {
      await client.workflow
        .getHandle(eventStartsId(type))
        .executeUpdate(STARTS_UPDATE, { args: [name, false] });
    } catch (error) {
      if (!(error instanceof WorkflowNotFoundError)) throw error;
    }
  }
}

/** The types of events that start the flow, as Temporal lists them. */
async function startedBy(client: Client, flow: string): Promise<string[]> {
  const types: string[] = [];
  const query = `WorkflowType = '${EVENT_STARTS}' AND ExecutionStatus = 'Running'`;
  for await (const { workflowId, memo } of client.workflow.list({ query }))
    if ((memo?.[STARTED_FLOWS_MEMO] as readonly string[] | undefined)?.includes(flow))
      types.push(workflowId.slice(internalIds.starts.length));
  return types;
}
