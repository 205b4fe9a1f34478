// The published flow files, from the memos of the registry's workflows: reading them needs no worker.
import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import {
  definitionWorkflowId,
  FLOW_DEFINITION,
  NEWEST_MEMO,
  type Published,
} from '../../flow-files/registry.ts';

/** The newest version of each. */
export async function publishedFlows(client: Client): Promise<Published[]> {
  const query = `WorkflowType = '${FLOW_DEFINITION}' AND ExecutionStatus = 'Running'`;
  const all: Published[] = [];
  for await (const { memo } of client.workflow.list({ query })) {
    const newest = memo?.[NEWEST_MEMO] as Published | undefined;
    if (newest) all.push(newest);
  }
  return all.sort((one, other) => one.file.name.localeCompare(other.file.name));
}

/** Undefined if no published file has this name. */
export async function publishedFlow(client: Client, name: string): Promise<Published | undefined> {
  try {
    const { memo } = await client.workflow.getHandle(definitionWorkflowId(name)).describe();
    return memo?.[NEWEST_MEMO] as Published | undefined;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return undefined;
    throw error;
  }
}
