// What people have added since a moment to cases that had ended: notes and messages.
import { AFTER_END_SUBJECT } from '../../contract/flows/after-end.ts';
import { type AtTemporal, callTemporal } from '../at-temporal.ts';
import { entryOfAdded, foundAfterEnd } from '../views/after-end.ts';
import { onTaskQueue } from '../views/flow-query.ts';
import { type EndedReader, entriesOfEnded } from './entries-of-ended.ts';
import type { LogEntry } from './log-entries.ts';

export const MOST_ADDED = 200;

interface Wanted {
  readonly since: string;
  readonly until?: string | undefined;
}

interface AfterEndLog {
  readonly entries: readonly LogEntry[];
  /** There may be more. */
  readonly isCut: boolean;
}

/** Throws CommandError (unreachable). */
export async function readAfterEndLog(
  parts: AtTemporal,
  { since, until }: Wanted,
  reader: EndedReader,
): Promise<AfterEndLog> {
  const which = [
    `LockerSubjects = '${AFTER_END_SUBJECT}'`,
    `StartTime >= '${since}'`,
    ...(until === undefined ? [] : [`StartTime < '${until}'`]),
    onTaskQueue(parts.taskQueue),
  ];
  const added = await callTemporal(parts, () => foundAfterEnd(parts.client, which.join(' AND '), MOST_ADDED));
  const told = added.map((each) => ({ key: each.memo.key, entry: entryOfAdded(each) }));
  return { entries: await entriesOfEnded(parts, told, reader), isCut: added.length === MOST_ADDED };
}
