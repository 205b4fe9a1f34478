// A process at which a worker fails again and again: a defect, which Temporal tries until other code is there. Until then it answers
// nothing and takes no command.
import type { Client } from '@temporalio/client';
import { grpcFailureOf, isOutOfTime, isTaskFailed } from './grpc-failure.ts';
import { decoded } from './started-with.ts';

/** A client, or its part for workflows. */
interface Service extends Pick<Client, 'workflowService'> {
  readonly options: Pick<Client['options'], 'namespace' | 'loadedDataConverter'>;
}

/** The text of the failure for which a question or an update was in vain; null: it was for another reason. */
export async function workerFailureBehind(
  error: unknown,
  client: Service,
  workflowId: string,
  runId?: string,
): Promise<string | null> {
  const refusal = grpcFailureOf(error);
  // Before its fourth try Temporal lets whoever asks wait.
  if (!refusal || !(isTaskFailed(refusal) || isOutOfTime(refusal))) return null;
  return await lastWorkerFailure(client, workflowId, runId);
}

const PAGE = 100;

type Page = Awaited<ReturnType<Service['workflowService']['getWorkflowExecutionHistoryReverse']>>;
type HistoryEvent = NonNullable<NonNullable<Page['history']>['events']>[number];

/** What the server itself refused is tried anew, and no defect. */
export function workerFailureIn({
  workflowTaskFailedEventAttributes: failed,
}: Pick<HistoryEvent, 'workflowTaskFailedEventAttributes'>) {
  const { failure } = failed ?? {};
  return failure && !failure.serverFailureInfo ? failure : undefined;
}

/** Null: its last task was done. */
export async function lastWorkerFailure(
  client: Service,
  workflowId: string,
  runId = '',
): Promise<string | null> {
  let nextPageToken: Uint8Array | null = null;
  do {
    const page: Page = await client.workflowService.getWorkflowExecutionHistoryReverse({
      namespace: client.options.namespace,
      execution: { workflowId, runId },
      maximumPageSize: PAGE,
      nextPageToken,
    });
    for (const event of page.history?.events ?? []) {
      if (event.workflowTaskCompletedEventAttributes) return null;
      const failure = workerFailureIn(event);
      if (failure) return await messageOf(client, failure);
    }
    nextPageToken = page.nextPageToken?.length ? page.nextPageToken : null;
  } while (nextPageToken !== null);
  return null;
}

type Decoded = Parameters<typeof decoded>[1];

/** With encrypted payloads it is a payload, too. */
async function messageOf(
  client: Service,
  { message, encodedAttributes }: { message?: string | null; encodedAttributes?: Decoded },
): Promise<string> {
  const attributes = (await decoded(client, encodedAttributes)) as { message?: unknown } | undefined;
  return String(attributes?.message ?? message ?? '');
}
