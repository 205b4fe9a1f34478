// Lists the open processes of a flow that a migration must move to a version, page by page.
import type { Client } from '@temporalio/client';
import { defaultPayloadConverter } from '@temporalio/common';
import type { FoundProcess, MigrationInput, ProcessesFound } from '../../contract/flows/migrations.ts';
import { literal } from '../../shared/routing/owners.ts';

export function queryFor({
  flow,
  to,
  halted,
  query,
}: Pick<MigrationInput, 'flow' | 'to' | 'halted' | 'query'>): string {
  const conditions = [
    `WorkflowType = ${literal(flow)}`,
    "ExecutionStatus = 'Running'",
    `LockerFlowVersion != ${literal(`${flow}@${to}`)}`,
    ...(halted ? ["LockerPhase = 'NeedsPerson'"] : []),
    ...(query === null ? [] : [`(${query})`]),
  ];
  return conditions.join(' AND ');
}

export async function processesOf(
  client: Client,
  query: string,
  size: number,
  from: string | null,
): Promise<ProcessesFound> {
  const { executions, nextPageToken } = await client.workflowService.listWorkflowExecutions({
    namespace: client.options.namespace,
    query,
    pageSize: size,
    nextPageToken: from === null ? null : Buffer.from(from, 'base64url'),
  });
  const next =
    nextPageToken && nextPageToken.length > 0 ? Buffer.from(nextPageToken).toString('base64url') : null;
  const processes = (executions ?? []).map(({ execution, searchAttributes }): FoundProcess => {
    const payload = searchAttributes?.indexedFields?.LockerFlowVersion;
    const value = payload ? String(defaultPayloadConverter.fromPayload(payload)) : '';
    const version = Number(value.slice(value.lastIndexOf('@') + 1));
    return {
      key: execution?.workflowId ?? '',
      version: Number.isSafeInteger(version) && version > 0 ? version : null,
    };
  });
  return { processes, next };
}
