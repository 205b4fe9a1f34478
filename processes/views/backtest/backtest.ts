// Plays what happened to many processes through another version of their file: which of them, and how each would have gone.
import type { Client } from '@temporalio/client';
import pLimit from 'p-limit';
import { grpcCodes, grpcFailureOf } from '../../../client/grpc-failure.ts';
import { shortened } from '../../../contract/wire/format-issue.ts';
import type { FlowFile } from '../../../flows/language/flow-file.ts';
import { type Backtested, backtest } from '../../../flows/simulation/backtest.ts';
import { CommandError } from '../../outcome.ts';
import type { TemporalContext } from '../../temporal-context.ts';
import { flowQuery } from '../flow-query.ts';
import { everyFound } from '../found-flows.ts';
import { NotBacktestable } from './not-backtestable.ts';
import { recordedProcess } from './recorded-process.ts';

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

// Characters that are shown of an error; it may quote a history.
const LONGEST_REASON = 300;

/** Processes of the flow that Temporal has, played through the file. */
export async function backtested(
  { client, taskQueue }: Pick<TemporalContext, 'client' | 'taskQueue'>,
  file: FlowFile,
  { last, open, query }: WhichProcesses,
): Promise<Backtested[]> {
  const found: string[] = [];
  const wanted = { flow: [file.name], ...(!open && { closed: true as const }), ...(query && { query }) };
  for await (const { workflowId, status } of everyFound(client, flowQuery(wanted, taskQueue))) {
    if (status !== 'ContinuedAsNew' && !found.includes(workflowId)) found.push(workflowId);
    if (found.length === last) break;
  }
  return await pLimit(AT_ONCE).map(found, (key) => played(client, key, file));
}

async function played(client: Client, key: string, file: FlowFile): Promise<Backtested> {
  try {
    return backtest(await recordedProcess(client, key), file);
  } catch (error) {
    const failure = grpcFailureOf(error);
    if (failure && failure.code !== grpcCodes.notFound) throw error;
    // Whoever starts a process or sends it something writes its history: then only this one cannot be told.
    const { message } = error as Error;
    const isNamed = error instanceof NotBacktestable || error instanceof CommandError || failure !== null;
    return undecided(
      key,
      isNamed ? message : `its history cannot be played: ${shortened(message, LONGEST_REASON)}`,
    );
  }
}

const undecided = (key: string, why: string): Backtested => ({ key, version: 0, result: 'cannotTell', why });
