// The newest run of each key, and which of the runs that a search finds are older: Temporal lists each run, and a process that was
// started again is found as the failed one that it was, too.
import type { Client } from '@temporalio/client';
import { isSearchable, literal, UIDS_PER_QUERY } from '../../shared/routing/owners.ts';
import { everyFound, type FoundFlow } from './found-flows.ts';

type Run = Pick<FoundFlow, 'workflowId' | 'runId' | 'status' | 'startedAt'>;

/** Only what has ended without a result may have been started again. */
const mayHaveNewer = ({ status }: Run): boolean => status !== 'Running' && status !== 'Completed';

/** The ids of those runs whose key has a newer one. */
export async function olderRunsOf(client: Client, found: readonly Run[]): Promise<ReadonlySet<string>> {
  const ended = found.filter(mayHaveNewer);
  const keys = [...new Set(ended.map(({ workflowId }) => workflowId))];
  const newest = await newestRunsOf(client, keys);
  const isOlder = ({ workflowId, runId }: Run) => (newest.get(workflowId)?.runId ?? runId) !== runId;
  return new Set(ended.filter(isOlder).map(({ runId }) => runId));
}

/** By key. Those whose key no search can be made with are left out. */
export async function newestRunsOf(
  client: Client,
  keys: readonly string[],
): Promise<ReadonlyMap<string, FoundFlow>> {
  const all = await runsByKey(client, keys);
  return new Map([...all].flatMap(([key, [newest]]) => (newest ? [[key, newest]] : [])));
}

/** The newest first. Those whose key no search can be made with are left out. */
export async function runsByKey(
  client: Client,
  keys: readonly string[],
): Promise<ReadonlyMap<string, readonly FoundFlow[]>> {
  const runs = new Map<string, FoundFlow[]>();
  const all = keys.filter(isSearchable);
  for (let from = 0; from < all.length; from += UIDS_PER_QUERY) {
    const literals = all.slice(from, from + UIDS_PER_QUERY).map(literal);
    for await (const run of everyFound(client, `WorkflowId IN (${literals.join(', ')})`)) {
      const ofKey = runs.get(run.workflowId);
      if (ofKey) ofKey.push(run);
      else runs.set(run.workflowId, [run]);
    }
  }
  for (const ofKey of runs.values())
    ofKey.sort((one, other) => (other.startedAt ?? '').localeCompare(one.startedAt ?? ''));
  return runs;
}
