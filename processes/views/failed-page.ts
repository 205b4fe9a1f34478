// What has failed and was not started again since: Temporal lists each run, and no search says whether its key has a newer one. So
// all that are found are read, as long as they are not too many.
import type { TemporalContext } from '../temporal-context.ts';
import { type CountedPage, type FoundFlow, foundPage, type PageWanted } from './found-flows.ts';
import { olderRunsOf } from './newest-runs.ts';

/** Of more it would take too long. */
export const MAX_FAILED = 500;

/** Those that have failed and were not started again since; of too many, how many have failed. */
export async function notStartedAgain(
  { client }: TemporalContext,
  query: string,
): Promise<readonly FoundFlow[] | number> {
  const { flows, next } = await foundPage(client, query, { size: MAX_FAILED });
  if (flows.length === MAX_FAILED && next !== null) return (await client.workflow.count(query)).count;
  const older = await olderRunsOf(client, flows);
  return flows.filter(({ runId }) => !older.has(runId));
}

const CURSOR = /^failed-(\d{1,3})$/;

/** A page of those that have failed, the last first, without those that were started again since. Undefined: they are too many. */
export async function failedPage(
  parts: TemporalContext,
  query: string,
  { size, from }: PageWanted,
): Promise<CountedPage | undefined> {
  const left = isFailedCursor(from) || from === undefined ? await notStartedAgain(parts, query) : 0;
  if (typeof left === 'number') return undefined;
  const begin = Number(CURSOR.exec(from ?? '')?.[1] ?? 0);
  const end = begin + size;
  return {
    flows: left.slice(begin, end),
    next: end < left.length ? `failed-${end}` : null,
    count: left.length,
    older: new Set(),
  };
}

const isFailedCursor = (from: string | undefined): boolean => from !== undefined && CURSOR.test(from);
