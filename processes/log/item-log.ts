// What people have said since a moment of items that no process waits for any more: as entries of the process that waited for each, which
// has ended and so is not found by itself.
import { ITEM_OUT } from '../../contract/flows/flow-types.ts';
import { UIDS_PER_QUERY } from '../../shared/routing/owners.ts';
import { type AtTemporal, callTemporal } from '../at-temporal.ts';
import { onTaskQueue } from '../views/flow-query.ts';
import { formatFlowName } from '../views/format-names.ts';
import { foundPage } from '../views/found-flows.ts';
import { entryOfSettled, itemOutOf, settledOf } from '../views/items-out.ts';
import { newestRunsOf } from '../views/newest-runs.ts';
import type { RowReaders } from '../views/process-list.ts';
import { type LogEntry, logEntriesOf } from './log-entries.ts';

/** Of each two calls of Temporal, the first time that it is read. */
export const MOST_ITEMS = UIDS_PER_QUERY;

interface Wanted {
  readonly since: string;
  readonly until?: string | undefined;
}

interface Reader extends Pick<RowReaders, 'subjects'> {
  mayRead(flow: string): boolean;
}

interface ItemLog {
  readonly entries: readonly LogEntry[];
  /** There are more, which are older. */
  readonly isCut: boolean;
}

/** Throws CommandError (unreachable). */
export async function readItemLog(parts: AtTemporal, wanted: Wanted, reader: Reader): Promise<ItemLog> {
  const { client } = parts;
  const { flows, next } = await callTemporal(parts, () =>
    foundPage(client, queryOf(parts, wanted), { size: MOST_ITEMS }),
  );
  const settled = await callTemporal(parts, () => settledOf(client, flows));
  const kept = settled.map(async (item) => {
    const flow = flows.find(({ runId }) => runId === item.runId);
    return { item, key: flow ? (await itemOutOf(client, flow)).key : '' };
  });
  const items = await Promise.all(kept);
  const keys = [...new Set(items.map(({ key }) => key))];
  const processes = await callTemporal(parts, () => newestRunsOf(client, keys));
  const abouts = await reader.subjects?.of([...processes.values()]);
  const entries = items.map(async ({ item, key }) => {
    const process = processes.get(key);
    // One that Temporal has forgotten is shown to who may read every flow.
    const flow = process?.flow ?? '';
    if (!reader.mayRead(flow)) return [];
    const about = (process && abouts?.get(process.runId)) ?? null;
    const named = { key, flow, flowName: process ? formatFlowName(flow) : '', about };
    return await logEntriesOf(named, [entryOfSettled(item)], false);
  });
  return { entries: (await Promise.all(entries)).flat(), isCut: next !== null };
}

const queryOf = ({ taskQueue }: AtTemporal, { since, until }: Wanted): string =>
  [
    `WorkflowType = '${ITEM_OUT}'`,
    "ExecutionStatus = 'Completed'",
    `CloseTime >= '${since}'`,
    ...(until === undefined ? [] : [`CloseTime < '${until}'`]),
    onTaskQueue(taskQueue),
  ].join(' AND ');
