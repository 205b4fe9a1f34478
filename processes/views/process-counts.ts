// How many processes of a search stand where, as Temporal counts them: the tabs above the list.
import { z } from 'zod';
import { type AtTemporal, askedTemporal } from '../at-temporal.ts';
import { type FlowQueryOptions, flowQuery } from './flow-query.ts';

export const processCounts = z
  .object({
    open: z.int(),
    needsPerson: z.int(),
    waitsForAnswer: z.int().meta({ description: 'They have asked something, and nobody has answered' }),
    overdue: z.int(),
    failed: z.int(),
    ended: z.int(),
  })
  .meta({ title: 'ProcessCounts' });
export type ProcessCounts = Readonly<z.infer<typeof processCounts>>;

/** In Temporal's query language. */
export const ASKS_SOMETHING = "LockerInbox IS NOT NULL AND ExecutionStatus = 'Running'";
export const FAILED = "ExecutionStatus IN ('Failed', 'Terminated', 'TimedOut')";

export const joined = (...conditions: readonly (string | undefined)[]): string =>
  conditions
    .filter((each) => each !== undefined)
    .map((each) => `(${each})`)
    .join(' AND ');

/** @param narrowed what the search asks for beside the state */
export async function readCounts(parts: AtTemporal, narrowed: FlowQueryOptions): Promise<ProcessCounts> {
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
  return { open, needsPerson, overdue, waitsForAnswer, failed, ended };
}
