// Which of the runs that a search finds are not the newest of their key any more: Temporal lists each run, and a process that was
// started again is found as the failed one that it was, too.
import type { Client } from '@temporalio/client';
import { isSearchable, literal, UIDS_PER_QUERY } from '../../shared/routing/owners.ts';
import { everyFound, type FoundFlow } from './found-flows.ts';

type Run = Pick<FoundFlow, 'workflowId' | 'runId' | 'status' | 'startedAt'>;

/** Only what has ended without a result may have been started again. */
const mayHaveNewer = ({ status }: Run): boolean => status !== 'Running' && status !== 'Completed';

/** The ids of those runs whose key has a newer one. */
export async function olderRunsOf(client: Client, found: readonly Run[]): Promise<ReadonlySet<string>> {
  const ended = found.filter((run) => mayHaveNewer(run) && isSearchable(run.workflowId));
  const keys = [...new Set(ended.map(({ workflowId }) => workflowId))];
  const newest = new Map<string, Run>();
  for (let from = 0; from < keys.length; from += UIDS_PER_QUERY) {
    const literals = keys.slice(from, from + UIDS_PER_QUERY).map(literal);
    for await (const run of everyFound(client, `WorkflowId IN (${literals.join(', ')})`)) {
      const before = newest.get(run.workflowId);
      if (!before || (run.startedAt ?? '') > (before.startedAt ?? '')) newest.set(run.workflowId, run);
    }
  }
  const isOlder = ({ workflowId, runId }: Run) => (newest.get(workflowId)?.runId ?? runId) !== runId;
  return new Set(ended.filter(isOlder).map(({ runId }) => runId));
}
