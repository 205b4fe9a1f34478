// How many processes of a search stand where: the tabs above the list, and the numbers of the first page. Temporal counts; only the
// deadlines are those that the processes have said.
import { z } from 'zod';
import { type AtTemporal, askedTemporal } from '../../at-temporal.ts';
import { type FlowQueryOptions, flowQuery } from '../flow-query.ts';
import { isDueBefore, type OpenNow } from './open-processes.ts';

export interface ProcessCounts {
  readonly open: number;
  readonly needsPerson: number;
  /** They have asked something, and nobody has answered. */
  readonly waitsForAnswer: number;
  readonly overdue: number;
  /** Their next deadline ends before the given instant. */
  readonly due: number;
  /** False: not all have said their deadlines yet, or there are too many. */
  readonly isDueWhole: boolean;
  readonly failed: number;
  readonly ended: number;
}

export const processCounts = z
  .object({
    open: z.int(),
    needsPerson: z.int(),
    waitsForAnswer: z.int().meta({ description: 'They have asked something, and nobody has answered' }),
    overdue: z.int(),
    due: z.int().meta({ description: 'Their next deadline ends before `dueBefore`' }),
    isDueWhole: z
      .boolean()
      .meta({ description: 'False: not all have said their deadlines yet, or there are too many' }),
    failed: z.int(),
    ended: z.int(),
  })
  .meta({ title: 'ProcessCounts' }) satisfies z.ZodType<ProcessCounts>;

/** In Temporal's query language. */
export const ASKS_SOMETHING = "LockerInbox IS NOT NULL AND ExecutionStatus = 'Running'";
export const FAILED = "ExecutionStatus IN ('Failed', 'Terminated', 'TimedOut')";

export const joined = (...conditions: readonly (string | undefined)[]): string =>
  conditions
    .filter((each) => each !== undefined)
    .map((each) => `(${each})`)
    .join(' AND ');

/**
 * @param narrowed what the search asks for beside the state
 * @param openNow with the deadlines, those that the search finds
 */
export async function readCounts(
  parts: AtTemporal,
  narrowed: FlowQueryOptions,
  openNow: OpenNow,
  dueBeforeMs: number,
): Promise<ProcessCounts> {
  const count = async (more: FlowQueryOptions) => {
    const query = flowQuery({ ...narrowed, ...more });
    return (await askedTemporal(parts, () => parts.client.workflow.count(query))).count;
  };
  const { query } = narrowed;
  const [open, needsPerson, overdue, waitsForAnswer, failed, ended] = await Promise.all([
    count({ open: true }),
    count({ phase: 'NeedsPerson' }),
    count({ phase: 'Overdue' }),
    count({ query: joined(query, ASKS_SOMETHING) }),
    count({ query: joined(query, FAILED) }),
    count({ closed: true }),
  ]);
  const { processes, isWhole } = openNow;
  return {
    open,
    needsPerson,
    overdue,
    waitsForAnswer,
    failed,
    ended,
    due: processes.filter(isDueBefore(dueBeforeMs)).length,
    isDueWhole: isWhole && processes.every(({ isAsked }) => isAsked),
  };
}
