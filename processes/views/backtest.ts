// Plays what happened to many processes of a flow file through a changed one: which of them, and how each would have gone.
import pLimit from 'p-limit';
import type { FlowFile } from '../../flow-files/flow-file.ts';
import { type Backtested, backtest } from '../../flow-files/playing/backtest.ts';
import type { AtTemporal } from '../at-temporal.ts';
import { flowQuery } from './flow-query.ts';
import { everyFound } from './found-flows.ts';
import { NotBacktestable, recordedProcess } from './recorded-process.ts';

export interface WhichProcesses {
  /** The newest so many. */
  readonly last: number;
  /** Also those that run. */
  readonly open?: true;
  /** Only those that this query in Temporal's own language finds. */
  readonly query?: string;
}

// A history is a request or two to Temporal, which others use too.
const AT_ONCE = 8;

export async function backtested(
  { client }: Pick<AtTemporal, 'client'>,
  file: FlowFile,
  { last, open, query }: WhichProcesses,
): Promise<Backtested[]> {
  const found: string[] = [];
  const wanted = { flow: [file.name], ...(!open && { closed: true as const }), ...(query && { query }) };
  for await (const { workflowId, status } of everyFound(client, flowQuery(wanted))) {
    if (status !== 'ContinuedAsNew' && !found.includes(workflowId)) found.push(workflowId);
    if (found.length === last) break;
  }
  const oneAtATime = pLimit(AT_ONCE);
  return await Promise.all(
    found.map((workflowId) =>
      oneAtATime(async () => {
        try {
          return backtest(await recordedProcess(client, workflowId), file);
        } catch (error) {
          if (error instanceof NotBacktestable) return untold(workflowId, error.message);
          throw error;
        }
      }),
    ),
  );
}

const nothing = { end: 'unknown', tookMs: null, questions: 0, calls: {}, emits: {} } as const;

const untold = (key: string, why: string): Backtested => ({
  ...{ key, version: 0, verdict: 'cannotTell', why, before: nothing, after: nothing },
});
