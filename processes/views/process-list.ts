// Pages of processes, each row with where its process stands: the list of the command line, the API and the page. Temporal's
// search knows phase and shipments; the rest the processes say themselves (summaries.ts).
import { z } from 'zod';
import { businessKeyIssues } from '../../contract/flows/internal-ids.ts';
import { type AtTemporal, callTemporal } from '../at-temporal.ts';
import { type FlowQueryOptions, flowQuery } from './flow-query.ts';
import { formatFlowName } from './format-names.ts';
import { type CountedPage, countedPage, type FoundFlow, type PageWanted, statusOf } from './found-flows.ts';
import { olderRunsOf } from './newest-runs.ts';
import { processFields } from './process-fields.ts';
import { type ProcessSummaries, processSummary, type RowSummary } from './summaries.ts';

const processRow = z
  .object({
    ...processFields,
    flow: z.string(),
    flowName: z.string().meta({ description: 'The flow, for people: `Issue from stock`' }),
    parent: z.string().nullable().meta({ description: 'The key of the process that has started it' }),
    phase: z
      .string()
      .nullable()
      .meta({ description: 'Open, Overdue or NeedsPerson; null once it has ended' }),
    caseNo: z.string().nullable(),
    pickUpPoint: z.string().nullable(),
    shipmentUids: z.array(z.string()),
    startedAgain: z.boolean().meta({
      description: 'It has ended without a result, and its key has a newer process',
    }),
    summary: processSummary.nullable().meta({
      description: 'Where it stands; null once it has ended, and where no worker has answered in time',
    }),
    unanswered: z.boolean().meta({
      description: 'It was asked where it stands, and has not answered: `summary` is as it was before',
    }),
  })
  .meta({ title: 'ProcessRow' });
export type ProcessRow = Readonly<z.infer<typeof processRow>>;

export const processPage = z.object({
  items: z.array(processRow),
  next: z.string().nullable().meta({ description: 'The `cursor` of the next page; null after the last' }),
  count: z.int().meta({ description: 'How many the whole search finds' }),
});
export type ProcessPage = Readonly<z.infer<typeof processPage>>;

interface ListedPage extends CountedPage {
  /** Of its runs, those whose key has a newer one. */
  readonly older: ReadonlySet<string>;
}

/** A page of the search, with what was started again since. Throws as `callTemporal` does. */
export const listedPage = (parts: AtTemporal, query: string, wanted: PageWanted): Promise<ListedPage> =>
  callTemporal(parts, async () => {
    const page = await countedPage(parts.client, query, wanted);
    return { ...page, older: await olderRunsOf(parts.client, page.flows) };
  });

/**
 * Each open process is asked anew where it stands; what is not answered in time is as it was known before.
 * @param search what finds them; its time counts within that of the page
 * @param summaries null: no process is asked
 */
export async function readProcessPage(
  search: Promise<ListedPage>,
  summaries: Pick<ProcessSummaries, 'current' | 'isUnanswered'> | null,
): Promise<ProcessPage> {
  const begun = performance.now();
  const { flows, next, count, older } = await search;
  const spentMs = performance.now() - begun;
  const open = flows.filter(({ status }) => status === 'Running');
  const said = await summaries?.current(
    open.map(({ workflowId: key, runId }) => ({ key, runId })),
    spentMs,
  );
  return {
    items: flows.map((flow) => ({
      ...rowOf(flow, said?.get(flow.runId), summaries?.isUnanswered(flow.runId)),
      startedAgain: older.has(flow.runId),
    })),
    next,
    count,
  };
}

/** What the worker itself starts processes by is nothing that people see. */
const parentOf = ({ parent }: FoundFlow): string | null =>
  parent !== null && businessKeyIssues(parent).length === 0 ? parent : null;

/** @param said of one that runs. The search lags behind the process: an end is known before it shows there. */
const rowOf = (
  flow: FoundFlow,
  said: RowSummary | undefined,
  isUnanswered = false,
): Omit<ProcessRow, 'startedAgain'> => ({
  key: flow.workflowId,
  runId: flow.runId,
  flow: flow.flow,
  status: statusOf(flow),
  flowName: formatFlowName(flow.flow),
  parent: parentOf(flow),
  phase: flow.status !== 'Running' || said?.hasEnded ? null : (flow.phase ?? 'Open'),
  caseNo: flow.case,
  pickUpPoint: flow.pickUpPoint,
  shipmentUids: [...flow.shipmentUids],
  startedAt: flow.startedAt,
  closedAt: flow.closedAt,
  summary: said?.summary ?? null,
  unanswered: flow.status === 'Running' && isUnanswered,
});

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

/** @param narrowed what the search asks for beside the state */
export async function readCounts(parts: AtTemporal, narrowed: FlowQueryOptions): Promise<ProcessCounts> {
  const count = async (more: FlowQueryOptions) => {
    const query = flowQuery({ ...narrowed, ...more }, parts.taskQueue);
    return (await callTemporal(parts, () => parts.client.workflow.count(query))).count;
  };
  const [open, needsPerson, overdue, waitsForAnswer, failed, ended] = await Promise.all([
    count({ open: true }),
    count({ phase: 'NeedsPerson' }),
    count({ phase: 'Overdue' }),
    count({ also: [ASKS_SOMETHING] }),
    count({ also: [FAILED] }),
    count({ closed: true }),
  ]);
  return { open, needsPerson, overdue, waitsForAnswer, failed, ended };
}
