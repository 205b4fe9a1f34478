// `starts` of published flow files: for the type of each event, which flows it starts.
import { type Client, WorkflowIdConflictPolicy, WorkflowNotFoundError } from '@temporalio/client';
import { EVENT_STARTS } from '../../contract/flows/flow-types.ts';
import { eventStartsId, startsSignal } from '../../flow-files/correlation.ts';
import type { FlowFile } from '../../flow-files/flow-file.ts';

/** Makes them those of the file. */
export async function keepStarts(
  client: Client,
  { name, starts = {} }: FlowFile,
  before: FlowFile['starts'] = {},
  taskQueue: string,
): Promise<void> {
  for (const type of Object.keys(starts))
    await client.workflow.signalWithStart(EVENT_STARTS, {
      ...{ workflowId: eventStartsId(type), taskQueue, args: [] },
      ...{ signal: startsSignal, signalArgs: [name, true] },
      workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
      staticSummary: `What ${type} starts`,
    });
  for (const type of Object.keys(before)) {
    if (Object.hasOwn(starts, type)) continue;
    try {
      await client.workflow.getHandle(eventStartsId(type)).signal(startsSignal, name, false);
    } catch (error) {
      if (!(error instanceof WorkflowNotFoundError)) throw error;
    }
  }
}
