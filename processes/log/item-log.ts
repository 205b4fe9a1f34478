// What people have said since a moment of items that no process waits for any more: as entries of the process that waited for each, which
// has ended and so is not found by itself.
import { ITEM_OUT } from '../../contract/flows/flow-types.ts';
import { UIDS_PER_QUERY } from '../../shared/routing/owners.ts';
import { callTemporal, type TemporalContext } from '../temporal-context.ts';
import { onTaskQueue, type Span, within } from '../views/flow-query.ts';
import { foundPage } from '../views/found-flows.ts';
import { entryOfSettled, itemOutOf, settledOf } from '../views/items-out.ts';
import { type EndedReader, entriesOfEnded, type LogOfEnded } from './entries-of-ended.ts';

/** Of each two calls of Temporal, the first time that it is read. */
export const MOST_ITEMS = UIDS_PER_QUERY;

/** Throws CommandError (unreachable). */
export async function readItemLog(
  parts: TemporalContext,
  span: Span,
  reader: EndedReader,
): Promise<LogOfEnded> {
  const { client } = parts;
  const { flows, next } = await callTemporal(parts, () =>
    foundPage(client, queryOf(parts, span), { size: MOST_ITEMS }),
  );
  const settled = await callTemporal(parts, () => settledOf(client, flows));
  const told = settled.map(async (item) => {
    const flow = flows.find(({ runId }) => runId === item.runId);
    return { key: flow ? (await itemOutOf(client, flow)).key : '', entry: entryOfSettled(item) };
  });
  const entries = await entriesOfEnded(parts, await Promise.all(told), reader);
  return { entries, isCut: next !== null };
}

const queryOf = ({ taskQueue }: TemporalContext, span: Span): string =>
  [
    `WorkflowType = '${ITEM_OUT}'`,
    "ExecutionStatus = 'Completed'",
    ...within('CloseTime', span),
    onTaskQueue(taskQueue),
  ].join(' AND ');
