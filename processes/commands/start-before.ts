// What has become of the start before one: the new process keeps it, because lists and timelines know only the newest start of a key.
import { WorkflowNotFoundError } from '@temporalio/client';
import { FlowFailed } from '../../client/flow-errors.ts';
import type { StartedAgainAfter } from '../../contract/flows/search-attributes.ts';
import { type RefusedCall, refusedCallIn } from '../../contract/wire/refused-call.ts';
import { type CommandContext, callTemporal, withDeadline } from '../temporal-context.ts';
import { statusNamed } from '../views/process-fields.ts';
import type { ShownProcess } from '../views/shown-process.ts';

/** From a process that has ended. */
export function startBeforeOf({ key, runId, closedAt, status, failure }: ShownProcess): StartedAgainAfter {
  const ended = { key, runId, at: closedAt, status };
  if (status !== 'Failed' || !failure) return { ...ended, failure: null };
  const { code, message, fault: _, ...refused } = failure;
  return { ...ended, failure: failureWith(code, message, refused) };
}

/** Undefined: nothing has ended with this key, or another flow. */
export async function startBefore(
  commandContext: CommandContext,
  flow: string,
  key: string,
): Promise<StartedAgainAfter | undefined> {
  const described = await newestRun(commandContext, key);
  const status = described && statusNamed(described.status.name);
  if (!status || status === 'Running' || described.type !== flow) return undefined;
  const { runId, closeTime } = described;
  const failure = status === 'Failed' ? await failureOf(commandContext, key, runId) : null;
  return { key, runId, at: closeTime?.toISOString() ?? null, status, failure };
}

async function newestRun({ client, ...temporal }: CommandContext, key: string) {
  try {
    return await callTemporal({ client, ...temporal }, () => client.workflow.getHandle(key).describe());
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return undefined;
    throw error;
  }
}

/** Null: it cannot be read, which hinders no start. */
async function failureOf(
  commandContext: CommandContext,
  key: string,
  runId: string,
): Promise<StartedAgainAfter['failure']> {
  try {
    await withDeadline(commandContext, () => commandContext.flows.handle(key, runId).result());
  } catch (error) {
    if (!(error instanceof FlowFailed)) return null;
    const { code, message, details } = error;
    return failureWith(code, message, refusedCallIn(code, details[0]));
  }
  return null;
}

/** It is kept in Temporal's memo, which must stay small. */
const MAX_MESSAGE = 500;

function failureWith(code: string, message: string, refused: RefusedCall): StartedAgainAfter['failure'] {
  return { code, message: message.slice(0, MAX_MESSAGE), ...refused };
}
