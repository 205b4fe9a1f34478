// A page of processes by what waits longest or is due first. Temporal sorts by start and end alone, so all that are found are read,
// as long as they are not too many.
import type { Client } from '@temporalio/client';
import { wrongInput } from '../outcome.ts';
import { type CountedPage, type FoundFlow, foundPage } from './found-flows.ts';
import type { ProcessSummaries, RowSummary } from './summaries.ts';

/** With more, the newest come first: each is asked where it stands before it has a place. */
const MAX_SORTED = 500;

const CURSOR = /^due-(\d{1,4})$/;

interface SortedPageWanted {
  readonly size: number;
  readonly from?: string | undefined;
  readonly summaries: Pick<ProcessSummaries, 'known'>;
}

/** Undefined: too many are found. */
export async function sortedPage(
  client: Client,
  query: string,
  { size, from, summaries }: SortedPageWanted,
): Promise<CountedPage | undefined> {
  const { flows, next: more } = await foundPage(client, query, { size: MAX_SORTED });
  if (more !== null && flows.length === MAX_SORTED) return undefined;
  const begin = offsetOf(from);
  const known = await summaries.known(flows.map(({ workflowId: key, runId }) => ({ key, runId })));
  const moments = new Map(flows.map((flow) => [flow, momentOf(flow, known.get(flow.runId))]));
  const sorted = flows.toSorted((one, other) => compare(moments.get(one), moments.get(other)));
  const end = begin + size;
  return {
    flows: sorted.slice(begin, end),
    next: end < sorted.length ? `due-${end}` : null,
    count: sorted.length,
    sorted: 'due',
  };
}

export const isSortedCursor = (cursor: string | undefined): boolean =>
  cursor !== undefined && CURSOR.test(cursor);

function offsetOf(from: string | undefined): number {
  if (from === undefined) return 0;
  const [, offset] = CURSOR.exec(from) ?? [];
  if (offset === undefined)
    throw wrongInput(`${from} is not a page; expected the value of next from the previous page`);
  return Number(offset);
}

/** Since when a person is waited for, or when it is due; null: neither. */
function momentOf({ startedAt }: FoundFlow, row: RowSummary | undefined): string | null {
  const { next, until } = row?.summary ?? { next: null, until: null };
  return next?.isForUs ? (next.since ?? startedAt) : (next?.until ?? until);
}

/** Those without a moment come last; of the same, the newest first, as they were. */
function compare(one: string | null | undefined, other: string | null | undefined): number {
  if (one === other) return 0;
  if (!one || !other) return one ? -1 : 1;
  return one < other ? -1 : 1;
}
