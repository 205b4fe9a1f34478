// To which process the item of a cancelled one was moved: whoever moved it has said so in the reason of the cancellation.
import type { Client } from '@temporalio/client';

/** In the reason of a cancellation, beside who asked for it and why. */
export interface MovedTo {
  readonly movedTo: string;
}

/** Null: it was cancelled for another reason. */
export function movedToIn(reason: string | null | undefined): string | null {
  try {
    const { movedTo } = (JSON.parse(reason ?? '') ?? {}) as Partial<MovedTo>;
    return typeof movedTo === 'string' ? movedTo : null;
  } catch {
    // Anybody may cancel a workflow, with any text for a reason.
    return null;
  }
}

/** Between the cancellation and the end are only the tries of undoing it. */
const NEWEST_EVENTS = 500;

/** Of a process that has ended as cancelled. */
export async function movedToOf(client: Client, workflowId: string, runId: string): Promise<string | null> {
  const { history } = await client.workflowService.getWorkflowExecutionHistoryReverse({
    namespace: client.options.namespace,
    execution: { workflowId, runId },
    maximumPageSize: NEWEST_EVENTS,
  });
  const reasons = (history?.events ?? []).flatMap(
    ({ workflowExecutionCancelRequestedEventAttributes: asked }) => movedToIn(asked?.cause) ?? [],
  );
  return reasons[0] ?? null;
}
