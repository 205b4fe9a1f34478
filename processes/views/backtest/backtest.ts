// Plays what happened to many processes through another version of their definition: which of them, and how each would have gone.
import type { Client } from '@temporalio/client';
import pLimit from 'p-limit';
import type { FlowFile } from '../../../flows/language/flow-file.ts';
import { type Backtested, backtest } from '../../../flows/language/simulation/backtest.ts';
import { wrongInput } from '../../outcome.ts';
import { flowQuery } from '../flow-query.ts';
import { everyFound } from '../found-flows.ts';
import { checkout } from './checkout.ts';
import { historyFiles } from './history-files.ts';
import {
  type Histories,
  historiesOf,
  NotBacktestable,
  recordedFlow,
  recordedProcess,
} from './recorded-process.ts';

export interface WhichProcesses {
  /** The newest so many. */
  readonly last: number;
  /** Also those that run. */
  readonly open?: true;
  /** Only those that this query in Temporal's own language finds. */
  readonly query?: string;
}

/** What their histories are played through. */
export interface Candidate {
  readonly flow: string;
  /** Throws NotBacktestable. */
  played(histories: Histories): Promise<Backtested>;
}

/** @param client reads payloads; it need not be connected */
export const fileCandidate = (client: Client, file: FlowFile): Candidate => ({
  flow: file.name,
  played: async (histories) => backtest(await recordedProcess(client, histories), file),
});

/** A version of a built-in flow in this checkout: the newest if none is named. Throws Refusal if there is none of that number. */
export async function builtInCandidate(
  client: Client,
  flow: string,
  version: number | undefined,
): Promise<Candidate & { readonly version: number }> {
  const { backtestFlow, definitionsOf } = await checkout();
  const versions = definitionsOf(flow);
  const known = Object.keys(versions).map(Number);
  const to = version ?? Math.max(...known);
  if (!known.includes(to))
    throw wrongInput(`${flow}@${to} is not in this checkout; expected version ${known.join(' or ')}`);
  return {
    flow,
    version: to,
    played: async (histories) => {
      const recorded = await recordedFlow(client, histories);
      const found = backtestFlow(recorded, versions, to);
      if (found) return found;
      throw new NotBacktestable(
        `${histories.key} ran on ${flow}@${recorded.version}, which is not in this checkout`,
      );
    },
  };
}

// A history is a request or two to Temporal, which others use too.
const AT_ONCE = 8;

/** Processes that Temporal has. */
export async function backtested(
  client: Client,
  candidate: Candidate,
  { last, open, query }: WhichProcesses,
): Promise<Backtested[]> {
  const found: string[] = [];
  const wanted = { flow: [candidate.flow], ...(!open && { closed: true as const }), ...(query && { query }) };
  for await (const { workflowId, status } of everyFound(client, flowQuery(wanted))) {
    if (status !== 'ContinuedAsNew' && !found.includes(workflowId)) found.push(workflowId);
    if (found.length === last) break;
  }
  return await pLimit(AT_ONCE).map(found, (key) => played(candidate, key, () => historiesOf(client, key)));
}

/** Processes of the flow whose histories are in files or folders, under their paths. Throws Refusal. */
export async function backtestedFiles(candidate: Candidate, paths: readonly string[]): Promise<Backtested[]> {
  const files = (await historyFiles(paths)).filter(({ workflowType }) => workflowType === candidate.flow);
  const all = files.map(async ({ path, workflowId, events }) => {
    const found = await played(candidate, path, async () => ({ key: workflowId, runs: [events] }));
    return { ...found, key: path };
  });
  return await Promise.all(all);
}

async function played(
  candidate: Candidate,
  key: string,
  histories: () => Promise<Histories>,
): Promise<Backtested> {
  try {
    return await candidate.played(await histories());
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
