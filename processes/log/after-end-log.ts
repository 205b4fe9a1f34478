// What people have added since a moment to cases that had ended: notes and messages.
import { AFTER_END_SUBJECT } from '../../contract/flows/after-end.ts';
import { callTemporal, type TemporalContext } from '../temporal-context.ts';
import { entryOfAdded, foundAfterEnd } from '../views/after-end.ts';
import { onTaskQueue, type Span, within } from '../views/flow-query.ts';
import { type EndedReader, entriesOfEnded, type LogOfEnded } from './entries-of-ended.ts';

export const MOST_ADDED = 200;

/** Throws CommandError (unreachable). */
export async function readAfterEndLog(
  parts: TemporalContext,
  span: Span,
  reader: EndedReader,
): Promise<LogOfEnded> {
  const which = [
    `LockerSubjects = '${AFTER_END_SUBJECT}'`,
    ...within('StartTime', span),
    onTaskQueue(parts.taskQueue),
  ];
  const added = await callTemporal(parts, () => foundAfterEnd(parts.client, which.join(' AND '), MOST_ADDED));
  const told = added.map((each) => ({ key: each.memo.key, entry: entryOfAdded(each) }));
  return { entries: await entriesOfEnded(parts, told, reader), isCut: added.length === MOST_ADDED };
}
