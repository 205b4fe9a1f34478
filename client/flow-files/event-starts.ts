// `starts` of published flow files: for the type of an event, the processes that it starts.
import { type Client, WithStartWorkflowOperation, WorkflowNotFoundError } from '@temporalio/client';
import { EVENT_STARTS } from '../../contract/flows/flow-types.ts';
import { businessKeyIssues, internalIds } from '../../contract/flows/internal-ids.ts';
import { ContractError } from '../../contract/wire/contract-error.ts';
import { STARTED_FLOWS_MEMO, startsUpdate } from '../../flows/language/correlation.ts';
import type { FlowFile } from '../../flows/language/flow-file.ts';
import { type EventStart, type StartingEvent, startOf } from '../../flows/language/reading/event-start.ts';
import { type Published, publishedOf } from '../../flows/language/registry.ts';
import { shownAsText } from '../../shared/markdown/shown-as-text.ts';
import { publishedFlow } from './published-flows.ts';

export const eventStartsId = (type: string): string => `${internalIds.eventStarts}${type}`;

/** Makes the files known to the events that start them. A worker must answer for a type that is new. */
export async function keepStarts(
  client: Client,
  files: readonly FlowFile[],
  taskQueue: string,
): Promise<void> {
  for (const { name, starts = {} } of files)
    for (const type of Object.keys(starts)) {
      if ((await startedFlows(client, type)).includes(name)) continue;
      await client.workflow.executeUpdateWithStart<() => Promise<void>, void, [string]>(startsUpdate, {
        args: [name],
        startWorkflowOperation: new WithStartWorkflowOperation<() => Promise<void>>(EVENT_STARTS, {
          workflowId: eventStartsId(type),
          args: [],
          taskQueue,
          workflowIdConflictPolicy: 'USE_EXISTING',
          staticSummary: `what ${shownAsText(type)} starts`,
        }),
      });
    }
}

/** The flows whose files start by it, or did in a former version. */
async function startedFlows(client: Client, type: string): Promise<readonly string[]> {
  try {
    const { memo } = await client.workflow.getHandle(eventStartsId(type)).describe();
    return (memo?.[STARTED_FLOWS_MEMO] as readonly string[] | undefined) ?? [];
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return [];
    throw error;
  }
}

export interface PublishedStart extends EventStart {
  readonly published: Published;
}

/** What the current versions say. Throws ContractError (InvalidRequest) if the event does not fit one of them. */
export async function startsBy(client: Client, event: StartingEvent): Promise<readonly PublishedStart[]> {
  const flows = await startedFlows(client, event.type);
  const found = await Promise.all(flows.map((flow) => publishedFlow(client, flow)));
  return found.flatMap((published) => {
    if (!published) return [];
    const start = startOf(published.file, event);
    if (start === undefined) return [];
    const problems =
      'key' in start ? businessKeyIssues(start.key).map(({ message }) => `its key ${message}`) : start;
    if (problems.length === 0) return [{ ...(start as EventStart), published: publishedOf(published) }];
    const message = `does not fit ${published.file.name}, which it would start: ${problems.join('; ')}`;
    throw new ContractError('InvalidRequest', [{ field: 'data', message }]);
  });
}
