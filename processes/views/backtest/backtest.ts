// Plays what happened to many processes through another version of their definition: which of them, and how each would have gone.
import type { Client } from '@temporalio/client';
import pLimit from 'p-limit';
import type { FlowFile } from '../../../flows/language/flow-file.ts';
import { type Backtested, backtest } from '../../../flows/language/simulation/backtest.ts';
import { flowQuery } from '../flow-query.ts';
import { everyFound } from '../found-flows.ts';
import { historyFiles } from './history-files.ts';
import { type Histories, historiesOf, NotBacktestable, recordedProcess } from './recorded-process.ts';

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

/** Processes that Temporal has, played through the file. */
export async function backtested(
  client: Client,
  file: FlowFile,
  { last, open, query }: WhichProcesses,
): Promise<Backtested[]> {
  const found: string[] = [];
  const wanted = { flow: [file.name], ...(!open && { closed: true as const }), ...(query && { query }) };
  for await (const { workflowId, status } of everyFound(client, flowQuery(wanted))) {
    if (status !== 'ContinuedAsNew' && !found.includes(workflowId)) found.push(workflowId);
    if (found.length === last) break;
  }
  return await pLimit(AT_ONCE).map(found, (key) => played(client, file, key, () => historiesOf(client, key)));
}

/**
 * Processes of the flow whose histories are in files or folders, under their paths. Throws Refusal.
 * @param client reads payloads; it need not be connected
 */
export async function backtestedFiles(
  client: Client,
  file: FlowFile,
  paths: readonly string[],
): Promise<Backtested[]> {
  const files = (await historyFiles(paths)).filter(({ workflowType }) => workflowType === file.name);
  const all = files.map(async ({ path, workflowId, events }) => {
    const found = await played(client, file, path, async () => ({ key: workflowId, runs: [events] }));
    return { ...found, key: path };
  });
  return await Promise.all(all);
}

async function played(
  client: Client,
  file: FlowFile,
  key: string,
  histories: () => Promise<Histories>,
): Promise<Backtested> {
  try {
    return backtest(await recordedProcess(client, await histories()), file);
  } catch (error) {
    if (error instanceof NotBacktestable) return untold(key, error.message);
    throw error;
  }
}

const nothing = { end: 'unknown', tookMs: null, questions: 0, calls: {}, emits: {} } as const;

const untold = (key: string, why: string): Backtested => ({
  key,
  version: 0,
  verdict: 'cannotTell',
  why,
  before: nothing,
  after: nothing,
});
